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
  locked: 'Autorisation requise',
  needs: 'Nécessite {scopes}. Aucun de vos rôles ne l’inclut.',
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
    'Cette valeur n’est affichée qu’une seule fois. Conservez-la en lieu sûr avant de continuer : vous ne pourrez plus l’afficher.',
  stored: 'Je l’ai enregistrée',
  noneFound: 'Aucun résultat pour l’instant',
  unknown: 'Non disponible pour le moment.',
};

export const conflict: Words['conflict'] = {
  title: 'Une autre modification a été enregistrée avant la vôtre',
  lead: 'Ces valeurs ont changé depuis que vous avez ouvert la page. Vos modifications ne sont pas encore enregistrées.',
  elsewhere: 'L’autre modification porte sur d’autres champs. Vous pouvez aussi enregistrer les vôtres.',
  what: 'Champ',
  theirs: 'Valeur actuelle',
  yours: 'Votre valeur',
  notYours: 'inchangé',
  takeTheirs: 'Conserver les valeurs actuelles',
  keepYours: 'Enregistrer mes modifications',
};

export const failures: Words['failures'] = {
  offline: 'Le serveur est injoignable. Cette page n’est peut-être plus à jour.',
  forbidden: 'Vous n’avez pas l’autorisation requise : {scopes}',
  unavailable: 'Une partie de cette page ne peut pas être chargée, car un service ne répond pas : {services}',
  limited: 'Trop de requêtes. Réessayez dans une minute.',
  authentication: 'Cette action nécessite une connexion plus récente ou plus forte.',
  other: 'Une erreur s’est produite : {message}',
  conflict: 'Une autre modification a été enregistrée entre-temps.',
};

export const start: Words['start'] = {
  starting: 'Connexion en cours…',
  elsewhere: 'Vous êtes connecté. Vous pouvez fermer cette fenêtre.',
  failed: 'Échec de la connexion : {message}',
  choose: 'Choisir un tenant',
  title: 'Choisissez un tenant',
  lead: 'Chaque organisation a ses propres utilisateurs, applications et clés. Vous vous connectez à l’une d’elles.',
  tenant: 'Tenant',
  tenantHint: 'L’identifiant du tenant, comme dans l’URL de son émetteur : /t/…',
  signIn: 'Se connecter',
  notFound: 'Page introuvable',
  notFoundHint: 'Elle a peut-être été supprimée, ou appartient à un autre tenant.',
};

export const shell: Words['shell'] = {
  console: 'Ostiary',
  skip: 'Aller au contenu',
  menu: 'Menu',
  navigation: 'Navigation principale',
  otherTenant: 'Changer de tenant',
  search: 'Rechercher',
  searchHint: 'Page, nom d’utilisateur ou adresse e-mail',
  results: 'Résultats',
  nothing: 'Aucun résultat',
  page: 'Page',
  theme: 'Thème clair ou sombre',
  language: 'Langue',
  languageName: 'Français',
  signOut: 'Se déconnecter',
  noRole: 'Vous êtes connecté',
  noRoleLead: 'Aucun de vos rôles ne donne accès à cette console',
  noRoleHint: 'Demandez à un administrateur de ce tenant de vous attribuer un rôle.',
  live: 'en direct',
  lost: 'hors direct, reconnexion…',
  sections: {
    people: 'Utilisateurs et groupes',
    access: 'Applications et clés',
    sources: 'Sources d’identités',
    outside: 'Envoi d’événements',
    system: 'Tenant',
  },
};

export const stepUp: Words['stepUp'] = {
  title: 'Confirmez votre identité',
  recent:
    'Cette action donne un accès et nécessite une connexion datant de quelques minutes au plus. Une fenêtre de connexion s’ouvre. Votre saisie est conservée.',
  stronger:
    'Cette action nécessite une connexion avec un second facteur. Une fenêtre de connexion s’ouvre. Votre saisie est conservée.',
  confirm: 'Se reconnecter',
  waiting: 'Connectez-vous dans l’autre fenêtre. Cette page continuera automatiquement.',
  again: 'Rouvrir la fenêtre',
  failed: 'Échec de la connexion : {message}. Réessayez.',
};

/** Names of the features. */
export const navigation: Words['navigation'] = {
  overview: 'Vue d’ensemble',
  users: 'Utilisateurs',
  groups: 'Groupes',
  roles: 'Rôles',
  sources: 'Sources d’identités',
  applications: 'Applications',
  apis: 'API',
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
  tenant: 'Paramètres et politiques',
  branding: 'Identité visuelle',
};
