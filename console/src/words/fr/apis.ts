import type { Words } from '../en/index.ts';

export const apis: Words['apis'] = {
  title: 'API',
  one: 'API',
  lead: 'Les API de votre organisation. Les applications demandent des jetons d’accès pour leurs scopes, et chaque API n’accepte que les jetons émis pour elle.',
  register: 'Enregistrer une API',
  empty: 'Aucune API pour l’instant',
  emptyHint:
    'Enregistrez une API pour définir ses scopes et ses rôles, puis autorisez des applications à les demander.',
  gone: 'API introuvable',
  goneHint: 'Elle a peut-être été supprimée.',
  settings: 'Paramètres',
  edit: 'Modifier',
  remove: 'Retirer',
  undescribed: 'aucune description',
  usualLifetime: 'valeur par défaut de l’installation',
  description: 'Description ({language})',
  deleteTitle: 'Supprimer {name} ?',
  deleteLead:
    'Ses scopes sont retirés des applications et des consentements, ses rôles des utilisateurs et des groupes. Les jetons d’accès de ces applications sont révoqués immédiatement.',
  fields: {
    name: 'Nom',
    identifier: 'Identifiant',
    scopes: 'Scopes',
    tokenFormat: 'Format des jetons',
    lifetime: 'Durée de vie des jetons en secondes',
    since: 'Enregistrée',
  },
  hints: {
    identifier:
      'Un URI : l’audience de ses jetons et la « resource » des requêtes. Il ne peut pas être modifié.',
    name: 'Affiché sur la page de consentement.',
    lifetime: 'Au moins 60. Laissez vide pour la valeur par défaut de l’installation.',
  },
  formats: { JWT: 'JWT', OPAQUE: 'opaque' },
  formatHints: {
    JWT: 'L’API vérifie elle-même les jetons.',
    OPAQUE: 'L’API vérifie les jetons par introspection.',
  },
  tabs: { label: 'Sections de l’API', scopes: 'Scopes', roles: 'Rôles', connect: 'Connecter' },
  scopes: {
    title: 'Scopes',
    lead: 'Accès que les applications peuvent demander. La page de consentement affiche les descriptions dans la langue de l’utilisateur.',
    add: 'Ajouter un scope',
    edit: 'Modifier le scope {name}',
    name: 'Scope',
    nameHint: 'Par exemple orders:read. Il ne peut pas être modifié et il est unique dans le locataire.',
    descriptionHint:
      'Affichée sur la page de consentement, y compris pour les langues sans description propre.',
    empty: 'Aucun scope pour l’instant',
    emptyHint: 'Sans scopes, une application n’obtient des jetons pour l’API que par son identifiant.',
    removeHint:
      'Le scope est retiré des applications, des consentements et des autorisations, et les jetons d’accès de ces applications sont révoqués immédiatement.',
    apps: 'Applications avec ce scope',
  },
  roles: {
    title: 'Rôles',
    lead: 'Les « roles » d’un utilisateur dans les jetons pour cette API. L’API décide de ce que chaque rôle permet.',
    add: 'Ajouter un rôle',
    edit: 'Modifier le rôle {name}',
    name: 'Rôle',
    nameHint: 'La valeur dans les jetons, par exemple editor. Elle ne peut pas être modifiée.',
    descriptionHint: 'Affichée aux administrateurs.',
    empty: 'Aucun rôle pour l’instant',
    emptyHint:
      'Les rôles sont facultatifs : les scopes limitent les applications, les rôles distinguent les utilisateurs.',
    removeHint:
      'Les utilisateurs et les groupes perdent le rôle immédiatement, et les jetons d’accès des utilisateurs concernés sont révoqués.',
    holdersOf: 'Afficher les utilisateurs et les groupes avec',
    assignHint: 'Attribuez des rôles sur la page d’un utilisateur ou d’un groupe.',
  },
  connect: {
    values: 'Valeurs de configuration',
    valuesLead: 'Saisissez ces valeurs dans votre API.',
    issuer: 'Émetteur',
    audience: 'Audience',
    feed: 'Flux de révocations',
    credentials:
      'API_ID et API_SECRET sont les identifiants d’un client qui peut introspecter les jetons de cette API et suivre son flux de révocations.',
    createCredentials: 'Créer des identifiants',
    credentialsShown: 'Identifiants pour votre API',
    verifierName: '{name} (vérification)',
    programs: 'Code pour votre API',
    framework: 'Framework',
  },
  assigned: {
    title: 'Rôles dans les API',
    empty: 'L’utilisateur n’a aucun rôle dans les API.',
    groupTitle: 'Rôles de tous les membres dans les API',
    groupEmpty: 'Le groupe n’a aucun rôle dans les API.',
    give: 'Attribuer un rôle d’API',
    giveTitle: 'Attribuer un rôle d’API',
    giveHint: 'Les jetons émis désormais contiennent le rôle. Une connexion récente est requise.',
    role: 'Rôle',
    roleHint: 'Une partie du nom du rôle ou de l’API.',
    noRoles: 'Aucune API n’a encore de rôles. Ajoutez-les sur la page de l’API.',
    takeHint: 'L’accès de l’utilisateur à cette API est révoqué immédiatement.',
    takeStays: 'L’utilisateur conserve le rôle par un groupe.',
    groupTakeHint:
      'Les membres qui n’ont le rôle que par ce groupe le perdent, et leur accès à cette API est révoqué immédiatement.',
  },
};
