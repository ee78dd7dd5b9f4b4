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
  removed: 'retiré',
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
    lifetime: 'De 60 à la valeur par défaut de l’installation, qui s’applique si le champ est vide.',
  },
  formats: { JWT: 'JWT', OPAQUE: 'opaque' },
  formatHints: {
    JWT: 'L’API vérifie elle-même les jetons.',
    OPAQUE: 'L’API vérifie les jetons par introspection.',
  },
  tabs: {
    label: 'Sections de l’API',
    scopes: 'Scopes',
    roles: 'Rôles',
    claims: 'Claims',
    connect: 'Intégration',
  },
  scopes: {
    title: 'Scopes',
    lead: 'Accès que les applications peuvent demander. La page de consentement affiche les descriptions dans la langue de l’utilisateur.',
    add: 'Ajouter un scope',
    edit: 'Modifier le scope {name}',
    name: 'Scope',
    nameHint: 'Par exemple orders:read. Il ne peut pas être modifié et il est unique dans le tenant.',
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
      'Les utilisateurs et les groupes perdent le rôle immédiatement. S’il est attribué, les jetons d’accès de toutes les applications qui ont accès à cette API sont révoqués.',
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
      'API_ID et API_SECRET sont les identifiants d’une application qui peut introspecter les jetons de cette API et suivre son flux de révocations.',
    createCredentials: 'Créer des identifiants',
    credentialsShown: 'Identifiants pour votre API',
    secretLost:
      'Les identifiants ont été créés, mais la réponse avec le secret a été perdue. Renouvelez le secret sur la page de l’application.',
    verifierName: '{name} (vérification)',
    programs: 'Code pour votre API',
    framework: 'Framework',
  },
  assigned: {
    title: 'Rôles d’API',
    empty: 'L’utilisateur n’a aucun rôle d’API.',
    groupTitle: 'Rôles d’API de tous les membres',
    groupEmpty: 'Le groupe n’a aucun rôle d’API.',
    give: 'Attribuer un rôle d’API',
    giveTitle: 'Attribuer un rôle d’API',
    giveHint: 'Les jetons émis désormais contiennent le rôle. Une connexion récente est requise.',
    role: 'Rôle',
    roleHint: 'Une partie du nom du rôle ou de l’API.',
    notChosen: 'Choisissez un rôle dans la liste.',
    groupGiveHint:
      'Ensuite, seuls les administrateurs qui peuvent attribuer ce rôle peuvent ajouter des membres. Les jetons émis désormais contiennent le rôle. Attribuer un rôle requiert une connexion récente.',
    noRoles: 'Aucune API n’a encore de rôles. Ajoutez-les sur la page de l’API.',
    takeHint: 'L’accès de l’utilisateur à cette API est révoqué immédiatement.',
    takeStays: 'L’utilisateur conserve le rôle par un groupe.',
    groupTakeHint:
      'Les membres qui n’ont le rôle que par ce groupe le perdent, et leur accès à cette API est révoqué immédiatement.',
  },
};

export const claims: Words['claims'] = {
  title: 'Claims',
  edit: 'Modifier les claims',
  editTitle: 'Claims des jetons',
  empty: 'Aucun claim associé',
  emptyHint: 'Ajoutez un claim pour donner un attribut de l’utilisateur aux applications ou aux API.',
  required: 'obligatoire',
  name: 'Claim',
  expression: 'Expression',
  requiredLabel: 'N’émettre aucun jeton si l’expression n’a pas de valeur',
  row: 'Claim {number}',
  remove: 'Retirer',
  removeRow: 'Retirer le claim {number}',
  add: 'Ajouter un claim',
  variables:
    'Les expressions sont en Common Expression Language (CEL). Variables : user, groups, groupIds, client, et pour les API aussi roles et api.',
  apiLead:
    'Les jetons d’accès pour cette API ont en plus ces claims. Un jeton opaque les a dans sa réponse d’introspection.',
  appLead: 'Les jetons d’identité et les réponses userinfo pour cette application ont en plus ces claims.',
  preview: {
    title: 'Aperçu',
    lead: 'Affiche les valeurs qu’auraient les jetons émis maintenant. Aucun jeton n’est émis.',
    user: 'Utilisateur',
    client: 'Application',
    accessToken: 'Jeton d’accès',
    idToken: 'Jeton d’identité',
    userinfo: 'Userinfo',
    none: 'Aucun claim associé.',
    notIssued: 'aucun jeton n’est émis',
    reasons: {
      NO_VALUE: 'Aucune valeur : un attribut manque à l’utilisateur, ou le résultat est null.',
      FAILED: 'L’évaluation a échoué.',
      TOO_LARGE: 'La valeur est trop grande.',
      UNSUPPORTED_VALUE: 'La valeur ne peut pas être écrite en JSON.',
      TOO_MANY_GROUPS: 'L’utilisateur a plus de 1 000 groupes.',
    },
  },
};
