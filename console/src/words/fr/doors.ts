import type { Words } from '../en/index.ts';

export const doors: Words['doors'] = {
  showAll: 'Afficher les {count}',
  moreScopes: '{count, plural, one {# autre} other {# autres}}',
  sessions: {
    title: 'Sessions',
    empty: 'N’est connecté nulle part.',
    browser: '{browser} sur {system}',
    unknown: 'Navigateur inconnu',
    yours: 'c’est la vôtre',
    since: 'depuis le <time></time>',
    seen: 'dernière activité <time></time>',
    with: 'avec {methods}',
    close: 'Mettre fin',
    closeHint:
      'La session prend fin maintenant, avec tout ce qui y a été accordé. La personne peut se reconnecter.',
  },
  grants: {
    title: 'Applications qui peuvent agir en son nom',
    empty: 'Aucune application ne peut agir en son nom.',
    since: 'depuis le <time></time>',
    until: 'expire <time></time>',
    offline: 'même sans session',
    close: 'Révoquer',
    closeHint: 'L’application perd chaque jeton qui en dépend. Elle doit redemander.',
  },
  tokens: {
    title: 'Jetons d’accès personnels',
    empty: 'Aucun.',
    until: 'jusqu’au <time></time>',
    used: 'dernière utilisation <time></time>',
    unused: 'jamais utilisé',
    closeHint: 'Le jeton prend fin aussitôt, partout. Les scripts qui l’utilisent cessent de fonctionner.',
  },
  credentials: {
    title: 'Se connecte avec',
    empty:
      'N’a encore jamais pu se connecter : envoyez une invitation, ou laissez faire une source d’identités.',
    password: 'Mot de passe',
    noPassword: 'aucun',
    set: 'défini',
    changed: 'depuis le <time></time>',
    passkey: 'Clé d’accès',
    passkeyNamed: 'Clé d’accès « {name} »',
    app: 'Application d’authentification',
    codes: 'Codes de secours',
    codesLeft: '{count, plural, =0 {plus aucun} one {encore #} other {encore #}}',
    added: 'ajoutée le <time></time>',
    used: 'dernière utilisation <time></time>',
    unused: 'jamais utilisée',
    synced: 'synchronisée entre appareils',
    bound: 'sur un seul appareil',
    oneFactor: 'Ni second facteur ni clé d’accès.',
    remove: 'Retirer',
    removePasskey:
      'La connexion avec cette clé d’accès n’est plus possible. Le seul moyen de connexion d’une personne ne peut pas être retiré : réinitialisez plutôt son accès.',
    removeApp: 'Dès lors, le mot de passe seul suffit pour se connecter.',
  },
  known: {
    title: 'Secrets connus',
    empty:
      'Aucun secret, jeton ni clé d’un client, d’un compte de service, d’une source d’identités, d’un émetteur ou d’un webhook n’est connu.',
    kinds: {
      CLIENT_SECRET: 'Secret d’un client',
      CLIENT_KEYS: 'Clés publiques d’un client',
      REGISTRATION_ACCESS_TOKEN: 'Jeton d’accès d’enregistrement',
      INITIAL_ACCESS_TOKEN: 'Jeton d’accès initial',
      SERVICE_ACCOUNT_KEY: 'Clé publique d’un compte de service',
      API_KEY: 'Clé d’API',
      TRUSTED_ISSUER: 'Émetteur de confiance',
      ISSUER_SUBJECT: 'Liaison d’un sujet',
      INVITATION: 'Lien d’invitation',
      WEBHOOK_ENDPOINT: 'Adresse d’un webhook',
      WEBHOOK_SECRET: 'Secret de signature d’un webhook',
      STREAM_ENDPOINT: 'Adresse d’un flux',
      CONNECTOR_TOKEN: 'Jeton d’une source d’identités',
    },
  },
  owned: {
    title: 'Ce qui lui appartient',
    empty: 'Aucun client, compte de service, clé d’API ni source d’identités ne lui appartient.',
    kinds: {
      CLIENT: 'Client',
      SERVICE_ACCOUNT: 'Compte de service',
      API_KEY: 'Clé d’API',
      CONNECTOR: 'Source d’identités',
    },
    closed: 'désactivé',
    disable: 'Désactiver',
    disableHint:
      'Refus dès la prochaine requête, et fin de tout ce qui a été délivré. Une réactivation est possible.',
    revoke: 'Révoquer',
    revokeHint: 'La clé prend fin aussitôt, partout.',
    handOver: 'Transmettre',
    handOverOf: 'Transmettre {name}',
    more: 'Il y en a d’autres : voir les pages de chaque type.',
  },
  signOut: {
    title: 'Déconnecter {name} partout ?',
    submit: 'Déconnecter partout',
    lead: 'Toutes ses sessions prennent fin, avec chaque jeton qui lui a été délivré : ceux des applications et les siens. La personne peut se reconnecter aussitôt.',
  },
};

export const departure: Words['departure'] = {
  empty: 'N’est jamais parti',
  emptyHint:
    'Quand {name} partira, vous verrez ici quelles portes se sont fermées, en combien de millisecondes, et qui en a été informé.',
  waiting: 'Les portes se ferment…',
  which: 'Départ',
  report: 'Départ de {name}',
  closedIn: 'Toutes les portes de {name} fermées en',
  notified:
    '{count, plural, one {{delivered} message sur # est arrivé} other {{delivered} messages sur # sont arrivés}}',
  print: 'Imprimer',
  download: 'Télécharger en JSON',
  durations: { milliseconds: '{value} ms', seconds: '{value} s', minutes: '{value} min' },
  facts: {
    title: 'Sur ce départ',
    person: 'Utilisateur',
    id: 'Identifiant de l’utilisateur',
    trigger: 'Appris par',
    actor: 'Décidé par',
    leftAt: 'Annoncé par l’annuaire le',
    closedAt: 'Tout avait pris fin le',
    event: 'Entrée du journal de sécurité',
    trace: 'Trace',
  },
  triggers: {
    DIRECTORY_ASKED: 'une question à l’annuaire',
    USER_DEACTIVATED: 'la désactivation',
    USER_DELETED: 'la suppression',
    USER_REACTIVATED: 'le retour, qui a devancé la nouvelle du départ',
  },
  doors: {
    title: 'Ce qui s’est fermé',
    count: '{count, plural, one {# était ouverte} other {# étaient ouvertes}}',
    absent: 'Parmi celles-ci, aucune n’était ouverte : {doors}.',
    names: {
      ACCESS_TOKENS: 'Jetons d’accès',
      API_KEYS: 'Clés d’API',
      AUTHORIZATION_CODES: 'Codes d’autorisation',
      CLIENTS: 'Clients qui lui appartenaient',
      CONNECTORS: 'Sources d’identités qui lui appartenaient',
      DEVICE_CODES: 'Codes d’appareils',
      EXCHANGED_TOKENS: 'Jetons échangés',
      GRANTS: 'Autorisations d’applications',
      INITIAL_ACCESS_TOKENS: 'Jetons d’accès initiaux',
      INVITATIONS: 'Invitations et liens de réinitialisation',
      KNOWN_SECRETS: 'Autres secrets connus',
      PERSONAL_ACCESS_TOKENS: 'Jetons d’accès personnels',
      REFRESH_TOKENS: 'Jetons d’actualisation',
      SERVICE_ACCOUNTS: 'Comptes de service qui lui appartenaient',
      SESSIONS: 'Sessions',
      SIGN_IN: 'Connexion',
      SUBSCRIPTIONS: 'Abonnements ouverts',
    },
  },
  deliveries: {
    title: 'Qui a été informé',
    empty: 'Personne à l’extérieur ne devait être informé, ou les envois ne sont plus conservés.',
    attempts: '{count, plural, one {# tentative} other {# tentatives}}',
    kinds: { BACKCHANNEL_LOGOUT: 'Back-Channel Logout', SSF: 'Shared Signals', WEBHOOK: 'Webhook' },
    states: { DEAD: 'abandonné', DELIVERED: 'arrivé', HELD: 'en attente', PENDING: 'en cours' },
  },
  offboard: {
    title: 'Départ immédiat de {name} ?',
    submit: 'Fermer toutes les portes',
    lead: 'Tout ce qui est à {name} prend fin en une seule transaction, partout, et la connexion n’est plus possible.',
    yourself:
      'Il s’agit de vous : vous serez aussi déconnecté ici, et quelqu’un d’autre devra vous réactiver.',
    list: 'Ce qui se ferme',
    signIn: 'La connexion, quoi que la personne sache ou détienne',
    issued:
      'Chaque jeton d’accès, jeton d’actualisation, code et lien qui lui a été délivré, et les abonnements ouverts',
    after:
      'Vous verrez ensuite chaque porte se fermer, et qui en est informé. Une réactivation ultérieure ne rouvre rien de tout cela.',
    counts: {
      sessions: '{count, plural, one {# session} other {# sessions}}',
      grants:
        '{count, plural, one {# application qui peut agir en son nom} other {# applications qui peuvent agir en son nom}}',
      tokens: '{count, plural, one {# jeton d’accès personnel} other {# jetons d’accès personnels}}',
      passkeys:
        '{count, plural, one {# clé d’accès, désormais refusée} other {# clés d’accès, désormais refusées}}',
      clients: '{count, plural, one {# client qui lui appartient} other {# clients qui lui appartiennent}}',
      serviceAccounts:
        '{count, plural, one {# compte de service qui lui appartient} other {# comptes de service qui lui appartiennent}}',
      apiKeys:
        '{count, plural, one {# clé d’API qui lui appartient} other {# clés d’API qui lui appartiennent}}',
      connectors:
        '{count, plural, one {# source d’identités qui lui appartient} other {# sources d’identités qui lui appartiennent}}',
    },
    owned: {
      HAND_OVER: 'Ce qui n’appartient qu’à la personne est transmis, selon la politique du tenant.',
      REVOKE: 'Ce qui n’appartient qu’à la personne est révoqué, selon la politique du tenant.',
      SUSPEND:
        'Ce qui n’appartient qu’à la personne est suspendu jusqu’à ce que quelqu’un le reprenne, selon la politique du tenant.',
    },
  },
  delete: {
    title: 'Supprimer {name} ?',
    submit: 'Supprimer',
    lead: 'Toutes les portes se ferment comme lors d’un départ, et l’utilisateur est retiré : définitivement ou, quand la politique de suppression du tenant est SOFT, de façon à pouvoir être restauré pendant 30 jours.',
  },
};
