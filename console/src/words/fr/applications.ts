import type { Words } from '../en/index.ts';

export const applications: Words['applications'] = {
  title: 'Applications',
  one: 'Application',
  count: '{count, plural, =0 {aucune application} one {# application} other {# applications}}',
  register: 'Enregistrer une application',
  search: 'Le nom contient',
  empty: 'Aucune application pour l’instant',
  emptyHint:
    'Enregistrez votre première application. Choisissez son type, puis copiez les valeurs et l’extrait de code dans l’application.',
  emptySearch: 'Aucune application correspondante',
  emptySearchHint: 'Modifiez le texte recherché ou un filtre.',
  gone: 'Application introuvable',
  goneHint: 'Elle a peut-être été supprimée.',
  columns: { name: 'Nom', kind: 'Type', owner: 'Propriétaire', state: 'État', created: 'Enregistrée' },
  filters: {
    all: 'Tous',
    grant: 'Type d’octroi',
    type: 'Type de client',
    state: 'État',
    owner: 'Propriétaire',
    mine: 'Moi',
    owned: 'Avec propriétaire',
    nobody: 'Sans propriétaire',
    named: 'Un propriétaire précis',
  },
  types: { CONFIDENTIAL: 'confidentiel', PUBLIC: 'public' },
  states: { enabled: 'activé', disabled: 'désactivé' },
  clientId: 'ID client',
  registered: 'Enregistrée',
  lastUsed: 'Dernière utilisation',
  neverUsed: 'pas encore enregistrée',
  edit: 'Modifier',
  editGroup: 'Modifier : {group}',
  any: 'indifférent',
  agent: 'Agent',
  agentLifetime: 'Durée de vie maximale des jetons d’un agent en secondes',
  agentLifetimeHint: 'De 30 à 3600. Valeur par défaut : 300.',
  agentHint:
    'L’application est nommée comme acteur et reçoit des jetons de courte durée ; les utilisateurs peuvent mettre fin à son accès.',
  impersonation: 'Emprunt d’identité autorisé (impersonation)',
  impersonationHint:
    'Sans emprunt d’identité, le nouveau jeton nomme aussi le client qui agit pour l’utilisateur.',
  subjectType: 'Identifiants des utilisateurs',
  subjectTypes: {
    PUBLIC: 'les mêmes pour toutes les applications (public)',
    PAIRWISE: 'propres à cette application (pairwise)',
  },
  tabs: {
    label: 'Sections de l’application',
    registration: 'Enregistrement',
    claims: 'Claims',
    connect: 'Intégration',
    people: 'Utilisateurs',
    history: 'Historique',
  },
  kinds: {
    WEB: {
      title: 'Application web',
      what: 'S’exécute sur un serveur et s’utilise dans un navigateur.',
      how: 'Confidentielle : flux par code avec PKCE et un secret du client ou sa propre clé.',
    },
    SINGLE_PAGE: {
      title: 'Application monopage (SPA)',
      what: 'S’exécute dans le navigateur, sans serveur capable de garder un secret.',
      how: 'Publique : flux par code avec PKCE, sans secret.',
    },
    NATIVE: {
      title: 'Application native',
      what: 'S’installe sur un appareil : application mobile, application de bureau ou outil en ligne de commande.',
      how: 'Publique : flux par code avec PKCE, sans secret. Une URI de redirection en boucle locale peut utiliser n’importe quel port.',
    },
    MACHINE: {
      title: 'Machine',
      what: 'Un service ou un traitement qui agit en son propre nom, sans connexion d’un utilisateur.',
      how: 'Confidentielle : client_credentials.',
    },
    DEVICE: {
      title: 'Appareil',
      what: 'N’a pas de navigateur ou de clavier : téléviseur, imprimante ou terminal distant.',
      how: 'Publique : les utilisateurs saisissent un code sur un autre appareil.',
    },
    MCP: {
      title: 'Client MCP',
      what: 'Un client du Model Context Protocol.',
      how: 'Publique : ses jetons ne sont valables que pour les serveurs MCP que vous indiquez.',
    },
  },
  grants: {
    authorization_code: 'authorization_code : les utilisateurs se connectent dans un navigateur',
    refresh_token: 'refresh_token : l’accès continue sans nouvelle connexion',
    client_credentials: 'client_credentials : l’application agit en son propre nom',
    device_code: 'device_code : les utilisateurs se connectent sur un autre appareil',
    token_exchange: 'token-exchange : échange les jetons d’autres clients',
    jwt_bearer: 'jwt-bearer : présente des assertions d’émetteurs de confiance',
  },
  groups: {
    presentation: 'Présentation',
    signIn: 'Connexion et déconnexion',
    access: 'Accès',
    authentication: 'Authentification du client',
    security: 'Exigences de sécurité',
    tokens: 'Jetons',
    delegation: 'Délégation',
  },
  members: {
    name: {
      label: 'Nom',
      hint: 'Affiché sur les pages de connexion et de consentement.',
    },
    clientUri: { label: 'Page d’accueil', hint: 'L’URL du site web de l’application.' },
    logoUri: {
      label: 'Logo',
      hint: 'L’URL d’une image. Le serveur en conserve une copie et l’affiche sur les pages de connexion et de consentement.',
    },
    policyUri: { label: 'Politique de confidentialité', hint: 'En lien sur la page de consentement.' },
    tosUri: { label: 'Conditions d’utilisation', hint: 'En lien sur la page de consentement.' },
    redirectUris: {
      label: 'URI de redirection',
      hint: 'Où le serveur envoie les réponses d’autorisation, une par ligne. La correspondance doit être exacte.',
    },
    postLogoutRedirectUris: {
      label: 'URI de redirection après la déconnexion',
      hint: 'Où les utilisateurs peuvent être envoyés après la déconnexion, une par ligne.',
    },
    applicationType: {
      label: 'Type d’application',
      hint: 'Détermine quelles URI de redirection sont valides. Utilisez « native » pour les applications installées.',
    },
    requireConsent: {
      label: 'Exiger le consentement de l’utilisateur',
      hint: 'Inutile pour les applications de votre propre organisation.',
    },
    defaultMaxAge: {
      label: 'Délai maximal depuis la connexion',
      hint: 'En secondes, pour les demandes sans max_age (default_max_age). Vide : sans limite.',
    },
    requireAuthTime: {
      label: 'Exiger l’heure de connexion dans les jetons d’identité',
      hint: 'Les jetons d’identité contiennent toujours auth_time quand l’utilisateur s’est connecté.',
    },
    backchannelLogoutUri: {
      label: 'URI de déconnexion back-channel',
      hint: 'Reçoit un jeton de déconnexion à la fin d’une session dans laquelle l’application a reçu des jetons. Vide : aucun envoi.',
    },
    backchannelLogoutSessionRequired: {
      label: 'Inclure la session dans les jetons de déconnexion',
      hint: 'Ajoute le claim sid au claim sub de l’utilisateur.',
    },
    grantTypes: { label: 'Types d’octroi', hint: 'Comment l’application peut obtenir des jetons.' },
    scopes: {
      label: 'Scopes',
      hint: 'Les scopes que l’application peut demander. Les scopes de l’API sont aussi limités par les rôles de l’utilisateur.',
    },
    ownScopes: {
      label: 'Scopes d’API propres',
      hint: 'Scopes de vos API que l’application peut demander pour elle-même, sans utilisateur (client_credentials).',
    },
    resources: {
      label: 'Ressources',
      hint: 'Ressources (RFC 8707) pour lesquelles l’application peut demander des jetons, outre l’API du tenant. Une par ligne.',
    },
    protectedResources: {
      label: 'Ressources protégées',
      hint: 'Ressources que l’application fournit, une par ligne. Elle peut introspecter leurs jetons. Utilisez urn:ostiary:tenant-api pour l’API du tenant.',
    },
    tokenEndpointAuthMethod: {
      label: 'Authentification auprès du point de terminaison de jetons',
      hint: 'Un passage de publique à confidentielle, ou l’inverse, révoque tous les jetons. Une méthode avec un autre type de secret émet un nouveau secret.',
    },
    tokenEndpointAuthSigningAlg: {
      label: 'Algorithme de signature des assertions',
      hint: 'Les assertions signées avec un autre algorithme sont rejetées.',
    },
    jwksUri: {
      label: 'URL des clés publiques',
      hint: 'L’URL du JSON Web Key Set de l’application (jwks_uri).',
    },
    jwks: { label: 'Clés publiques', hint: 'Un JSON Web Key Set (RFC 7517), à la place d’une URL.' },
    profile: { label: 'Profil de sécurité', hint: 'fapi2 impose le FAPI 2.0 Security Profile.' },
    codeProtection: {
      label: 'Protection des codes d’autorisation',
      hint: 'Lie un code au navigateur qui l’a demandé. Utilisez PKCE, sauf si une application OpenID confidentielle ne le prend pas en charge.',
    },
    dpopBoundAccessTokens: {
      label: 'Exiger des jetons d’accès liés par DPoP',
      hint: 'Un jeton volé est inutilisable sans la clé de l’application (RFC 9449).',
    },
    requirePushedAuthorizationRequests: {
      label: 'Exiger des demandes d’autorisation poussées (PAR)',
      hint: 'Les demandes ne peuvent pas être modifiées dans le navigateur (RFC 9126).',
    },
    requireSignedRequestObject: {
      label: 'Exiger des demandes d’autorisation signées',
      hint: 'Nécessite les clés publiques de l’application (RFC 9101).',
    },
    requestObjectSigningAlg: {
      label: 'Algorithme de signature des objets de demande',
      hint: 'Avec « none », l’application peut envoyer des objets de demande sans signature.',
    },
    requestUris: {
      label: 'URL des objets de demande',
      hint: 'URL où le serveur peut récupérer les objets de demande (request_uri), une par ligne.',
    },
    idTokenSignedResponseAlg: {
      label: 'Algorithme de signature des jetons d’identité',
      hint: 'Utilisez RS256, sauf si l’application exige un autre algorithme.',
    },
    userinfoSignedResponseAlg: {
      label: 'Algorithme de signature de UserInfo',
      hint: 'Avec « indifférent », les réponses sont du JSON sans signature.',
    },
    introspectionSignedResponseAlg: {
      label: 'Algorithme de signature de l’introspection',
      hint: 'Utilisé quand l’application demande une réponse signée (RFC 9701).',
    },
    profileClaimsInIdToken: {
      label: 'Inclure les claims des scopes dans les jetons d’identité',
      hint: 'Pour les applications qui n’appellent pas UserInfo.',
    },
    sectorIdentifierUri: {
      label: 'URI d’identifiant de secteur',
      hint: 'Énumère les URI de redirection de toutes les applications qui partagent les identifiants des utilisateurs. Un nouvel hôte change les identifiants de tous les utilisateurs.',
    },
    tokenExchange: {
      label: 'Échange de jetons',
      hint: 'ID des clients dont l’application peut échanger les jetons, un par ligne (RFC 8693). Vide : aucun.',
    },
    mayAct: {
      label: 'Acteur autorisé',
      hint: 'ID du client qui peut agir pour les utilisateurs avec les jetons de cette application (may_act).',
    },
  },
  secret: {
    label: 'Secret du client',
    shown: 'Secret du client',
    rotate: 'Renouveler le secret',
    title: 'Renouveler le secret de « {name} » ?',
    lead: 'Le nouveau secret fonctionne immédiatement. Le secret actuel reste valable pendant une durée limitée, afin que vous puissiez mettre à jour l’application sans interruption. Les secrets plus anciens cessent de fonctionner maintenant.',
    overlap: 'Le secret actuel reste valable',
    overlapHint: 'Prévoyez assez de temps pour remplacer le secret partout où l’application s’exécute.',
    overlaps: {
      none: '0 minute (cesse immédiatement)',
      hour: '1 heure',
      day: '1 jour',
      week: '1 semaine',
      month: '30 jours',
    },
    noOverlap:
      'Les demandes avec le secret actuel échouent immédiatement. Choisissez cette option si le secret est peut-être compromis.',
  },
  availability: {
    disable: 'Désactiver',
    enable: 'Activer',
    delete: 'Supprimer',
    disableTitle: 'Désactiver « {name} » ?',
    enableTitle: 'Activer « {name} » ?',
    deleteTitle: 'Supprimer « {name} » ?',
    ends: 'Tous les jetons d’accès, jetons d’actualisation et autorisations d’utilisateurs de cette application sont révoqués immédiatement.',
    endsOf:
      'Tous les jetons d’accès, jetons d’actualisation et autorisations d’utilisateurs de cette application sont révoqués immédiatement. {count, plural, =0 {L’application n’a aucune autorisation active.} one {L’application a # autorisation active.} other {L’application a # autorisations actives.}}',
    disableLead:
      'L’enregistrement est conservé, et vous pourrez réactiver l’application plus tard. Les jetons et autorisations révoqués ne sont pas restaurés.',
    enableLead:
      'L’application peut de nouveau connecter des utilisateurs et obtenir des jetons. Les jetons révoqués ne sont pas restaurés : les utilisateurs doivent se reconnecter.',
    deleteLead:
      'L’enregistrement est supprimé définitivement. Si vous réenregistrez l’application, elle reçoit un nouvel ID client.',
    typeName: 'Pour confirmer, saisissez le nom de l’application : {name}',
    wrongName: 'Le nom ne correspond pas.',
  },
  connect: {
    values: 'Valeurs de configuration de l’application',
    valuesLead:
      'La plupart des applications ont besoin de l’émetteur, de l’ID client et du secret du client, et découvrent les autres valeurs automatiquement.',
    issuer: 'Émetteur',
    clientId: 'ID client',
    clientSecret: 'Secret du client',
    noSecret: 'aucun : c’est une application publique',
    ownKey: 'aucun : l’application signe des assertions avec sa propre clé',
    secretElsewhere: 'affiché uniquement à la création ; renouvelez-le pour en obtenir un nouveau',
    redirectUri: 'URI de redirection',
    discovery: 'Document de découverte',
    endpoints: 'Tous les points de terminaison',
    snippets: 'Extraits de code',
    framework: 'Framework',
    secretInEnvironment:
      'L’extrait lit le secret dans une variable d’environnement. Ne le stockez pas dans le code.',
    notes: {
      secretPost:
        'Ce framework envoie le secret dans le corps de la requête. Réglez « Authentification auprès du point de terminaison de jetons » sur client_secret_post ; sinon, les requêtes sont rejetées.',
      secretBasic:
        'Ce framework envoie le secret dans l’en-tête Authorization. Réglez « Authentification auprès du point de terminaison de jetons » sur client_secret_basic ; sinon, les requêtes sont rejetées.',
      redirect:
        'Ce framework utilise un chemin de redirection fixe qui n’est pas enregistré. Enregistrez l’URI de l’extrait avec votre hôte.',
      pkceBean:
        'Le serveur exige PKCE. Avant la version 7, Spring Security n’active PKCE pour les applications confidentielles qu’avec la seconde partie de l’extrait.',
      loopback:
        'Utilisez une URI de redirection en boucle locale pour les programmes sur l’ordinateur d’un utilisateur. Si vous enregistrez http://127.0.0.1/callback, tous les ports conviennent.',
      discovery:
        'Les clients MCP découvrent le serveur d’autorisation automatiquement. Il leur faut l’ID client, sauf s’ils s’enregistrent avec un jeton d’accès initial.',
    },
  },
  test: {
    title: 'Tester la connexion',
    lead: 'Ouvre la demande d’autorisation de cette application dans une nouvelle fenêtre. Vous voyez les mêmes pages de connexion et de consentement que vos utilisateurs.',
    after:
      'À la fin, l’application signale une erreur, car elle n’a pas lancé la demande. C’est normal. L’URL contient « code » et « state » en cas de succès, ou « error » et la raison.',
    redirectUri: 'URI de redirection',
    ask: 'Connexion',
    prompts: {
      usual: 'par défaut : peut utiliser votre session en cours',
      login: 'toujours demander la connexion',
      consent: 'toujours demander le consentement',
    },
    open: 'Ouvrir la connexion',
    obstacles: {
      disabled: 'L’application est désactivée : ses demandes sont rejetées. Activez-la d’abord.',
      noRedirect: 'L’application n’a pas d’URI de redirection. Ajoutez-en une d’abord.',
      pushed:
        'L’application doit pousser ses demandes avec ses propres identifiants : la console ne peut pas la tester.',
      signed: 'L’application doit signer ses demandes avec sa propre clé : la console ne peut pas la tester.',
    },
  },
  people: {
    title: 'Utilisateurs',
    count:
      '{count, plural, =0 {Aucune autorisation active} one {# autorisation active} other {# autorisations actives}}',
    empty: 'Aucun utilisateur actif',
    emptyHint:
      'Une autorisation est créée quand un utilisateur se connecte à l’application. Elle prend fin avec la session ou à son expiration.',
    person: 'Utilisateur',
    scopes: 'Scopes',
    since: 'Accordée',
    until: 'Expire',
    actions: 'Action',
    unknown: 'inconnu',
    revoke: 'Révoquer',
    revokeTitle: 'Révoquer cette autorisation ?',
    revokeLead:
      '{app} perd immédiatement l’accès au compte de {person}, et tous les jetons de cette autorisation sont révoqués. L’utilisateur peut accorder de nouveau l’accès.',
  },
  history: {
    through: 'Activité via cette application',
    throughHint: 'Connexions et modifications via cette application, d’après le journal de sécurité.',
    changes: 'Modifications de cette application',
    empty: 'Aucune entrée de journal',
    action: 'Action',
    person: 'Utilisateur',
    actor: 'Par',
    address: 'Adresse IP',
    at: 'Date',
  },
  wizard: {
    title: 'Enregistrer une application',
    step: 'Étape {now} sur 3 : {name}',
    steps: {
      kind: 'type',
      needs: 'réglages',
      values: 'valeurs de configuration',
    },
    which:
      'Choisissez le type d’application. Il détermine comment les utilisateurs se connectent et si l’application peut garder un secret.',
    submit: 'Enregistrer',
    otherKind: 'Changer de type',
    done: '« {name} » est enregistrée',
    another: 'Enregistrer une autre application',
    open: 'Voir l’application',
    ready: 'L’application est prête à l’emploi. Saisissez ces valeurs dans sa configuration.',
    redirect: {
      web: 'Où le serveur envoie les réponses d’autorisation, une par ligne. Utilisez https, ou http sur localhost pour le développement. La correspondance doit être exacte.',
      native:
        'Une par ligne : http://127.0.0.1/callback pour les applications qui ouvrent un navigateur (tous les ports conviennent), une URL https revendiquée ou un schéma privé comme com.example.app:/callback.',
    },
    mcpResources:
      'URL des serveurs MCP pour lesquels l’application peut demander des jetons, une par ligne. Utilisez l’URL de ressource des métadonnées de chaque serveur.',
    machineScopes:
      'L’accès de l’application à l’API du tenant, dans la limite de vos propres scopes. N’en sélectionnez aucun si l’application n’utilise que d’autres ressources.',
    method: 'Le serveur n’accepte que la méthode sélectionnée.',
    methods: {
      CLIENT_SECRET: 'Secret dans l’en-tête ou dans le corps (par défaut)',
      CLIENT_SECRET_BASIC:
        'client_secret_basic : secret dans l’en-tête Authorization (la plupart des frameworks)',
      CLIENT_SECRET_POST: 'client_secret_post : secret dans le corps (ASP.NET Core)',
      PRIVATE_KEY_JWT: 'private_key_jwt : l’application signe avec sa propre clé, sans secret',
    },
    own: 'Appartient à votre organisation : ne pas demander le consentement de l’utilisateur',
    ownHint:
      'Réservé aux applications de confiance : l’application reçoit tous les scopes qu’elle demande dans ses limites.',
  },
};
