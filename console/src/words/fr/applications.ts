import type { Words } from '../en/index.ts';

export const applications: Words['applications'] = {
  title: 'Applications',
  one: 'Application',
  count: '{count, plural, =0 {aucune application} one {# application} other {# applications}}',
  register: 'Enregistrer une application',
  search: 'Le nom contient',
  empty: 'Aucune application pour l’instant',
  emptyHint:
    'Enregistrez la première : vous choisissez de quel type elle est, et obtenez les valeurs et un extrait de code à coller.',
  emptySearch: 'Aucune application ne correspond',
  emptySearchHint: 'Modifiez la recherche ou l’un des filtres.',
  gone: 'Cette application n’existe pas',
  goneHint: 'Elle a peut-être été supprimée.',
  columns: { name: 'Nom', kind: 'Type', owner: 'Propriétaire', state: 'État', created: 'Enregistrée' },
  filters: {
    all: 'Tous',
    grant: 'Type d’octroi',
    type: 'Secret',
    state: 'État',
    owner: 'Propriétaire',
    mine: 'Moi',
    owned: 'Quelqu’un',
    nobody: 'Personne',
    named: 'Un propriétaire précis',
  },
  types: { CONFIDENTIAL: 'confidentiel', PUBLIC: 'public' },
  states: { enabled: 'activé', disabled: 'désactivé' },
  clientId: 'ID client',
  registered: 'Enregistrée',
  edit: 'Modifier',
  editGroup: 'Modifier : {group}',
  any: 'indifférent',
  impersonation: 'en tant que la personne elle-même (impersonation)',
  impersonationHint: 'Sinon, le nouveau jeton dit qui agit pour qui.',
  subjectType: 'Identifiants des personnes',
  subjectTypes: {
    PUBLIC: 'les mêmes pour toutes les applications (public)',
    PAIRWISE: 'propres à l’application (pairwise)',
  },
  tabs: {
    label: 'Parties de l’application',
    registration: 'Enregistrement',
    connect: 'Intégration',
    people: 'Qui l’utilise',
    history: 'Historique',
  },
  kinds: {
    WEB: {
      title: 'Application web',
      what: 'S’exécute sur un serveur ; on l’utilise avec un navigateur.',
      how: 'Confidentielle : flux par code avec PKCE et un secret du client, ou une clé à elle.',
    },
    SINGLE_PAGE: {
      title: 'Application monopage (SPA)',
      what: 'S’exécute dans le navigateur, sans serveur qui puisse garder un secret.',
      how: 'Publique : flux par code avec PKCE, sans secret.',
    },
    NATIVE: {
      title: 'Application native',
      what: 'S’installe : application mobile, programme de bureau, ligne de commande.',
      how: 'Publique : flux par code avec PKCE, sans secret. N’importe quel port d’une URI de redirection en boucle locale.',
    },
    MACHINE: {
      title: 'Machine',
      what: 'Un service ou un traitement qui agit pour lui-même ; personne ne se connecte.',
      how: 'Confidentielle : client_credentials.',
    },
    DEVICE: {
      title: 'Appareil',
      what: 'N’a pas de navigateur ou pas de clavier : téléviseur, imprimante, terminal distant.',
      how: 'Publique : on saisit un code sur un autre appareil.',
    },
    MCP: {
      title: 'Client MCP',
      what: 'Un client du Model Context Protocol.',
      how: 'Publique : ses jetons valent pour les serveurs MCP que vous indiquez, et pour rien d’autre.',
    },
  },
  grants: {
    authorization_code: 'authorization_code : connexion avec un navigateur',
    refresh_token: 'refresh_token : reste connectée',
    client_credentials: 'client_credentials : agit pour elle-même',
    device_code: 'device_code : connexion sur un autre appareil',
    token_exchange: 'token-exchange : échange les jetons d’autres clients',
    jwt_bearer: 'jwt-bearer : présente des assertions d’émetteurs de confiance',
  },
  groups: {
    presentation: 'Ce que voient les personnes',
    signIn: 'Connexion et déconnexion',
    access: 'Ce qu’elle peut faire',
    authentication: 'Comment elle s’authentifie',
    security: 'Ce qui est exigé d’elle',
    tokens: 'Ses jetons',
    delegation: 'Agir au nom de personnes',
  },
  members: {
    name: {
      label: 'Nom',
      hint: 'Ce que voient les personnes quand elles se connectent et donnent leur accord.',
    },
    clientUri: { label: 'Page d’accueil', hint: 'Une adresse web.' },
    logoUri: {
      label: 'Logo',
      hint: 'Le serveur le récupère et le conserve ; il est affiché à la connexion et à la demande d’accord.',
    },
    policyUri: { label: 'Politique de confidentialité', hint: 'En lien là où l’accord est demandé.' },
    tosUri: { label: 'Conditions d’utilisation', hint: 'En lien là où l’accord est demandé.' },
    redirectUris: {
      label: 'URI de redirection',
      hint: 'Où les réponses peuvent aller, une par ligne. Comparées octet par octet.',
    },
    postLogoutRedirectUris: {
      label: 'URI de redirection après la déconnexion',
      hint: 'Où les personnes peuvent être envoyées après la déconnexion, une par ligne.',
    },
    applicationType: {
      label: 'Type d’application',
      hint: 'Où elle s’exécute, et donc ce que peuvent être ses URI de redirection : native pour les programmes installés.',
    },
    requireConsent: {
      label: 'Demander l’accord des personnes avant de lui donner accès',
      hint: 'Inutile pour les applications de l’organisation elle-même.',
    },
    defaultMaxAge: {
      label: 'Ancienneté maximale de la connexion',
      hint: 'En secondes, quand la demande ne le précise pas (default_max_age). Vide : sans limite.',
    },
    requireAuthTime: {
      label: 'Les jetons d’identité doivent dire quand la personne s’est connectée',
      hint: 'Ils le font tous lorsqu’il y a eu une connexion.',
    },
    backchannelLogoutUri: {
      label: 'URI de déconnexion back-channel',
      hint: 'Où lui est annoncée la fin d’une session dans laquelle elle a reçu des jetons. Vide : rien ne lui est annoncé.',
    },
    backchannelLogoutSessionRequired: {
      label: 'Les jetons de déconnexion nomment toujours la session',
      hint: 'Et pas seulement la personne.',
    },
    grantTypes: { label: 'Types d’octroi', hint: 'Les façons dont elle peut obtenir des jetons.' },
    scopes: {
      label: 'Scopes',
      hint: 'Le maximum qu’elle peut demander. De l’API, une personne ne donne pas plus que ce que donnent ses rôles.',
    },
    resources: {
      label: 'Ressources',
      hint: 'Les ressources (RFC 8707) pour lesquelles elle peut demander des jetons, outre l’API du tenant, une par ligne.',
    },
    protectedResources: {
      label: 'Ressources qu’elle sert',
      hint: 'Elle peut introspecter les jetons qui leur sont destinés, une par ligne. urn:ostiary:tenant-api désigne l’API du tenant lui-même.',
    },
    tokenEndpointAuthMethod: {
      label: 'Authentification auprès du point de terminaison de jetons',
      hint: 'Ce qui a été émis prend fin quand elle devient publique, ou cesse de l’être. Une méthode qui demande un autre type de secret en reçoit un nouveau.',
    },
    tokenEndpointAuthSigningAlg: {
      label: 'Algorithme de ses assertions',
      hint: 'Le seul avec lequel ses assertions peuvent être signées.',
    },
    jwksUri: {
      label: 'Adresse de ses clés publiques',
      hint: 'Où elle publie son JSON Web Key Set (jwks_uri).',
    },
    jwks: { label: 'Clés publiques', hint: 'Un JSON Web Key Set (RFC 7517), à la place d’une adresse.' },
    profile: { label: 'Profil de sécurité', hint: 'fapi2 lui impose le FAPI 2.0 Security Profile.' },
    codeProtection: {
      label: 'Protection des codes d’autorisation',
      hint: 'Ce qui lie un code au navigateur pour lequel il a été émis. Autre chose que PKCE n’est prévu que pour des applications OpenID confidentielles qui ne le prennent pas en charge.',
    },
    dpopBoundAccessTokens: {
      label: 'Seulement des jetons liés à une clé (DPoP)',
      hint: 'Un jeton volé ne sert à rien au voleur (RFC 9449).',
    },
    requirePushedAuthorizationRequests: {
      label: 'Seulement des demandes d’autorisation poussées (PAR)',
      hint: 'Rien d’une demande ne peut être modifié à son passage par le navigateur (RFC 9126).',
    },
    requireSignedRequestObject: {
      label: 'Seulement des demandes d’autorisation signées',
      hint: 'Demande ses clés publiques (RFC 9101).',
    },
    requestObjectSigningAlg: {
      label: 'Algorithme de ses objets de demande',
      hint: 'none lui permet de les envoyer sans signature, comme le sont les demandes ordinaires.',
    },
    requestUris: {
      label: 'Adresses de ses objets de demande',
      hint: 'Où ils peuvent être récupérés (request_uri), une par ligne.',
    },
    idTokenSignedResponseAlg: {
      label: 'Signature des jetons d’identité',
      hint: 'RS256, sauf si son logiciel en veut une autre.',
    },
    userinfoSignedResponseAlg: {
      label: 'Signature des réponses userinfo',
      hint: 'Indifférent : du JSON simple, non signé.',
    },
    introspectionSignedResponseAlg: {
      label: 'Signature des réponses d’introspection',
      hint: 'Pour les clients qui en demandent de signées (RFC 9701).',
    },
    profileClaimsInIdToken: {
      label: 'Les jetons d’identité contiennent les claims de ses scopes',
      hint: 'Pour les applications qui n’interrogent jamais userinfo.',
    },
    sectorIdentifierUri: {
      label: 'URI d’identifiant de secteur',
      hint: 'Un document qui énumère les URI de redirection de toutes les applications qui partagent ses identifiants de personnes (sector_identifier_uri). Un autre hôte, et les identifiants changent pour tout le monde.',
    },
    tokenExchange: {
      label: 'Clients dont elle peut échanger les jetons',
      hint: 'ID clients, un par ligne (RFC 8693). Vide : elle ne peut en échanger aucun.',
    },
    mayAct: {
      label: 'Qui peut agir avec ses jetons',
      hint: 'L’ID client du seul client qui peut agir au nom des personnes dont parlent ses jetons (may_act).',
    },
  },
  secret: {
    label: 'Secret du client',
    shown: 'Le secret du client',
    rotate: 'Renouveler le secret',
    title: 'Un nouveau secret pour « {name} »',
    lead: 'Le nouveau secret fonctionne aussitôt. Celui utilisé jusqu’ici reste valable un moment, pour que l’application puisse changer sans interruption. Les plus anciens cessent maintenant.',
    overlap: 'Le secret actuel reste valable',
    overlapHint: 'Assez longtemps pour porter le nouveau partout où l’application s’exécute.',
    overlaps: {
      none: 'pas du tout : il cesse maintenant',
      hour: 'une heure',
      day: 'un jour',
      week: 'une semaine',
      month: '30 jours',
    },
    noOverlap:
      'Tout ce qui utilise encore le secret actuel échoue dès que vous appuyez sur le bouton. C’est le bon choix si quelqu’un d’autre peut l’avoir.',
  },
  availability: {
    disable: 'Désactiver',
    enable: 'Activer',
    delete: 'Supprimer définitivement',
    disableTitle: 'Désactiver « {name} » ?',
    enableTitle: 'Activer « {name} » ?',
    deleteTitle: 'Supprimer « {name} » ?',
    ends: 'Tout ce qui lui a été délivré prend fin aussitôt : jetons d’accès, jetons d’actualisation, et ce que les personnes lui ont permis.',
    endsOf:
      'Tout ce qui lui a été délivré prend fin aussitôt : jetons d’accès, jetons d’actualisation, et ce que les personnes lui ont permis. {count, plural, =0 {Personne n’y est connecté en ce moment.} one {# autorisation est en vigueur en ce moment.} other {# autorisations sont en vigueur en ce moment.}}',
    disableLead:
      'L’enregistrement reste, et l’application pourra être réactivée. Ce qui lui a été délivré avant restera alors sans valeur.',
    enableLead:
      'Elle peut de nouveau connecter des personnes et obtenir des jetons. Ce qui lui a été délivré avant sa désactivation reste sans valeur : chacun se reconnecte.',
    deleteLead:
      'L’enregistrement est oublié. Une application avec les mêmes réglages en serait une autre, avec un autre ID client.',
    typeName: 'Saisissez son nom pour confirmer : {name}',
    wrongName: 'Ce n’est pas son nom.',
  },
  connect: {
    values: 'Valeurs à saisir dans l’application',
    valuesLead:
      'La plupart des logiciels demandent l’émetteur, l’ID client et le secret du client, et trouvent le reste tout seuls.',
    issuer: 'Émetteur',
    clientId: 'ID client',
    clientSecret: 'Secret du client',
    noSecret: 'aucun : l’application est publique',
    ownKey: 'aucun : elle signe des assertions avec une clé à elle',
    secretElsewhere: 'affiché une seule fois à sa création ; renouvelez-le pour en obtenir un nouveau',
    redirectUri: 'URI de redirection',
    discovery: 'Document de découverte',
    endpoints: 'Tous les points de terminaison',
    snippets: 'Prêt à coller',
    framework: 'Framework',
    secretInEnvironment: 'Le secret vient de l’environnement : sa place n’est pas dans le code.',
    notes: {
      secretPost:
        'Ce framework envoie le secret dans le corps de la requête. Réglez « Authentification auprès du point de terminaison de jetons » sur client_secret_post, sinon il est refusé.',
      secretBasic:
        'Ce framework envoie le secret dans l’en-tête Authorization. Réglez « Authentification auprès du point de terminaison de jetons » sur client_secret_basic, sinon il est refusé.',
      redirect:
        'Ce framework a une URI de redirection d’une forme à lui, et aucune de cette forme n’est enregistrée. Enregistrez celle de l’extrait, avec votre hôte.',
      pkceBean:
        'Le serveur exige PKCE. Avant la version 7, Spring Security ne l’utilise pour les applications confidentielles que si on le lui dit, comme le fait la seconde partie.',
      loopback:
        'Pour un programme sur le poste d’une personne, le mieux est une URI de redirection en boucle locale. Enregistrez http://127.0.0.1/callback ; le port est alors libre.',
      discovery:
        'Les clients MCP trouvent le serveur d’autorisation tout seuls. Il leur faut l’ID client, à moins qu’ils ne s’enregistrent eux-mêmes avec un jeton d’accès initial.',
    },
  },
  test: {
    title: 'Essayer la connexion',
    lead: 'Ouvre la demande d’autorisation dans une nouvelle fenêtre, comme le ferait l’application. Vous voyez ce que voient les personnes : la connexion, et la question de savoir si l’application peut avoir accès.',
    after:
      'À la fin, l’application reçoit une réponse qu’elle n’a pas demandée, et le dit : c’est normal. Son adresse contient alors « code » et « state », ou « error » avec la raison.',
    redirectUri: 'URI de redirection',
    ask: 'Connexion',
    prompts: {
      usual: 'comme le ferait l’application : vous êtes peut-être déjà connecté',
      login: 'demander la connexion dans tous les cas',
      consent: 'demander l’accord dans tous les cas',
    },
    open: 'Ouvrir la connexion',
    obstacles: {
      disabled: 'L’application est désactivée : toute demande à son nom est refusée.',
      noRedirect:
        'L’application n’a pas d’URI de redirection : il n’y a nulle part où aller après la connexion.',
      pushed:
        'L’application doit pousser ses demandes avec sa propre authentification : personne d’autre ne peut en faire une.',
      signed:
        'L’application doit signer ses demandes avec sa propre clé : personne d’autre ne peut en faire une.',
    },
  },
  people: {
    title: 'Qui l’utilise',
    count:
      '{count, plural, =0 {Personne ne l’a autorisée à agir en son nom} one {# autorisation en vigueur : quelqu’un lui permet d’agir en son nom} other {# autorisations en vigueur : des personnes lui permettent d’agir en leur nom}}',
    empty: 'Personne ne l’utilise en ce moment',
    emptyHint:
      'Une autorisation naît quand quelqu’un se connecte à l’application ; elle prend fin avec celle-ci, ou à son expiration.',
    person: 'Personne',
    scopes: 'Scopes',
    since: 'Début',
    until: 'Fin',
    actions: 'Action',
    unknown: 'inconnu',
    revoke: 'Retirer',
    revokeTitle: 'Retirer cette autorisation ?',
    revokeLead:
      'Ce que {person} a permis à {app} prend fin aussitôt, avec chaque jeton qui en dépend. L’autorisation peut être redonnée.',
  },
  history: {
    through: 'Fait par son intermédiaire',
    throughHint:
      'Ce que le journal de sécurité contient des connexions et des modifications passées par cette application.',
    changes: 'Modifications de l’application',
    empty: 'Rien dans le journal',
    action: 'Quoi',
    person: 'Personne',
    actor: 'Par',
    address: 'Adresse',
    at: 'Quand',
  },
  wizard: {
    title: 'Enregistrer une application',
    step: 'Étape {now} sur 3 : {name}',
    steps: {
      kind: 'de quel type elle est',
      needs: 'ce qu’il lui faut',
      values: 'les valeurs à y saisir',
    },
    which:
      'De quel type d’application s’agit-il ? Cela décide de la façon dont elle connecte les personnes, et si elle peut garder un secret.',
    submit: 'Enregistrer',
    otherKind: 'Un autre type',
    done: '« {name} » est enregistrée',
    another: 'En enregistrer une autre',
    open: 'Vers l’application',
    ready: 'Elle peut servir tout de suite. Saisissez ces valeurs dans l’application.',
    redirect: {
      web: 'Où les réponses peuvent aller, une par ligne : https, ou http sur localhost pendant le développement. Comparées octet par octet.',
      native:
        'Une par ligne : http://127.0.0.1/callback pour les programmes qui ouvrent un navigateur (tout port convient alors), une adresse https réclamée par l’application, ou un schéma à elle comme com.example.app:/callback.',
    },
    mcpResources:
      'Les serveurs MCP auxquels ses jetons sont destinés, un par ligne : l’adresse de chacun telle que la donnent ses propres métadonnées.',
    machineScopes:
      'Ce qu’elle peut faire dans l’API du tenant, dans la limite de vos propres scopes. Aucun, pour une ressource d’un tiers.',
    method: 'Le serveur accepte cette méthode et aucune autre.',
    methods: {
      CLIENT_SECRET: 'Secret dans l’en-tête ou dans le corps (par défaut)',
      CLIENT_SECRET_BASIC:
        'client_secret_basic : secret dans l’en-tête Authorization (la plupart des logiciels)',
      CLIENT_SECRET_POST: 'client_secret_post : secret dans le corps (ASP.NET Core)',
      PRIVATE_KEY_JWT: 'private_key_jwt : signe avec une clé à elle ; il n’y a pas de secret',
    },
    own: 'Elle appartient à l’organisation : ne pas demander l’accord des personnes avant de lui donner accès',
    ownHint:
      'Seulement pour les applications auxquelles tout le monde fait confiance : ce qu’elle peut demander, elle l’obtient.',
  },
};
