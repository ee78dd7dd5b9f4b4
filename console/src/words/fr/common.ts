import type { Words } from '../en/index.ts';

export const common: Words['common'] = {
  product: 'Console Ostiary',
  cancel: 'Annuler',
  close: 'Fermer',
  save: 'Enregistrer',
  delete: 'Supprimer',
  copy: 'Copier',
  copied: 'Copié',
  loading: 'Chargement…',
  tryAgain: 'Réessayer',
  locked: 'Non autorisé pour vous',
  needs: 'Il faut {scopes}, qu’aucun de vos rôles ne donne.',
  active: 'actif',
  inactive: 'inactif',
  yes: 'oui',
  no: 'non',
  none: 'aucun',
  never: 'jamais',
  more: 'Plus',
  revoke: 'Révoquer',
  of: '{action} : {name}',
  all: 'Tous',
  shownOnce:
    'Ceci n’est affiché que maintenant. Personne ne pourra le retrouver, ni ici ni ailleurs : conservez-le là où il servira avant de continuer.',
  stored: 'Je l’ai conservé',
  noneFound: 'Aucune personne trouvée jusqu’ici',
  unknown: 'Inconnu pour le moment.',
};

export const conflict: Words['conflict'] = {
  title: 'Quelqu’un d’autre a été plus rapide',
  lead: 'Ce que vous alliez modifier a changé depuis que vous l’avez ouvert. Rien de votre saisie n’est encore enregistré.',
  elsewhere:
    'Ce qui a changé n’est pas ce que vous modifiez. Vos modifications peuvent être enregistrées par-dessus.',
  what: 'Quoi',
  theirs: 'État actuel',
  yours: 'Votre version',
  notYours: 'pas modifié par vous',
  takeTheirs: 'Laisser l’état actuel',
  keepYours: 'Enregistrer ma version',
};

export const failures: Words['failures'] = {
  offline: 'Le serveur est injoignable. Ce que vous voyez n’est peut-être plus à jour.',
  forbidden: 'Une partie de cette page ne vous est pas accessible : {scopes}',
  unavailable: 'Une partie de cette page manque, car un service ne répond pas pour le moment : {services}',
  limited: 'Trop de requêtes pour le moment. Réessayez dans une minute.',
  authentication: 'Il faut une connexion plus récente ou plus forte.',
  other: 'Cela n’a pas fonctionné : {message}',
  conflict: 'Quelqu’un d’autre l’a modifié entre-temps.',
};

export const start: Words['start'] = {
  starting: 'Connexion en cours…',
  elsewhere: 'Vous êtes connecté. Vous pouvez fermer cette fenêtre.',
  failed: 'La connexion n’a pas fonctionné : {message}',
  choose: 'Choisir un tenant',
  title: 'Quel tenant ?',
  lead: 'Chaque organisation a ses propres personnes, applications et clés. Vous vous connectez à l’une d’elles.',
  tenant: 'Tenant',
  tenantHint: 'Son identifiant, comme dans l’adresse de son émetteur : /t/…',
  signIn: 'Se connecter',
  notFound: 'Il n’y a rien à cette adresse',
  notFoundHint: 'L’objet a peut-être été supprimé, ou appartient à un autre tenant.',
};

export const shell: Words['shell'] = {
  console: 'Ostiary',
  skip: 'Aller au contenu',
  menu: 'Menu',
  navigation: 'Navigation principale',
  otherTenant: 'Un autre tenant',
  search: 'Rechercher',
  searchHint: 'Une page, ou le nom ou l’adresse d’une personne',
  results: 'Résultats',
  nothing: 'Aucun résultat',
  page: 'Page',
  theme: 'Clair ou sombre',
  language: 'Langue',
  languageName: 'Français',
  signOut: 'Se déconnecter',
  noRole: 'Vous êtes connecté',
  noRoleLead: 'Mais aucun de vos rôles ne donne accès à quoi que ce soit ici',
  noRoleHint: 'Demandez à un administrateur de ce tenant de vous donner un rôle.',
  live: 'en direct',
  lost: 'plus en direct, reconnexion…',
  sections: {
    people: 'Personnes',
    access: 'Applications et clés',
    sources: 'Sources d’identités',
    outside: 'Notifications sortantes',
    system: 'Tenant',
  },
};

export const stepUp: Words['stepUp'] = {
  title: 'Confirmez que c’est bien vous',
  recent:
    'Cette action crée ou donne un accès : il faut donc une connexion datant de quelques minutes au plus. Une fenêtre s’ouvre pour cela ; votre saisie reste.',
  stronger:
    'Cette action demande une connexion avec un second facteur. Une fenêtre s’ouvre pour cela ; votre saisie reste.',
  confirm: 'Se reconnecter',
  waiting: 'Connectez-vous dans l’autre fenêtre ; celle-ci continue toute seule.',
  again: 'Rouvrir la fenêtre',
  failed: 'Cela n’a pas fonctionné : {message}. Réessayez.',
};

/** Names of the parts of the console. */
export const navigation: Words['navigation'] = {
  overview: 'Vue d’ensemble',
  users: 'Utilisateurs',
  groups: 'Groupes',
  roles: 'Rôles',
  sources: 'Sources d’identités',
  applications: 'Applications',
  signals: 'Flux de signaux',
  webhooks: 'Webhooks',
  deliveries: 'Envois',
  serviceAccounts: 'Comptes de service',
  logs: 'Journaux',
  trustedIssuers: 'Émetteurs de confiance',
  initialAccessTokens: 'Jetons d’accès initiaux',
  schemas: 'Schémas d’extension',
  keys: 'Clés de signature',
  system: 'Système',
  tenant: 'Réglages et politique',
  branding: 'Identité visuelle',
};
