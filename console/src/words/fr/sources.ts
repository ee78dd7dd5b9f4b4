import type { Words } from '../en/index.ts';

export const sources: Words['sources'] = {
  title: 'Sources d’identités',
  one: 'Source d’identités',
  lead: 'Systèmes qui créent et mettent à jour les utilisateurs et les groupes de ce tenant via SCIM.',
  count: '{count, plural, =0 {aucune source} one {# source} other {# sources}}',
  add: 'Connecter une source',
  empty: 'Aucune source d’identités pour l’instant',
  emptyHint:
    'Connectez Entra ID, Okta, OneLogin ou un autre client SCIM 2.0 pour provisionner les utilisateurs et gérer leur départ automatiquement.',
  gone: 'Source d’identités introuvable',
  goneHint: 'Elle a peut-être été supprimée. Ses utilisateurs, ses groupes et ses journaux sont conservés.',
  nobody: 'aucun',
  nobodyHint: 'aucun : la source reste active après tout départ, et aucun utilisateur ni groupe ne la gère',
  created: 'Ajoutée',
  noActivity: 'aucune requête pour l’instant',
  neverUsed: 'Aucune requête avec ses jetons pour l’instant',
  lastRequest: 'Dernière requête',
  columns: {
    name: 'Nom',
    state: 'État',
    profile: 'Profil',
    lastActivity: 'Dernière activité',
    owner: 'Propriétaire',
  },
  states: { ACTIVE: 'active', DISABLED: 'désactivée' },
  profiles: {
    AUTO: 'Toute source',
    ENTRA: 'Entra ID',
    OKTA: 'Okta',
    ONELOGIN: 'OneLogin',
    RFC: 'RFC strict',
  },
  tabs: {
    requests: 'Requêtes',
    connection: 'Connexion',
    rights: 'Autorisations',
    attributes: 'Attributs',
    compatibility: 'Compatibilité',
    changes: 'Modifications',
  },
  actions: {
    enable: 'Activer',
    disable: 'Désactiver',
    disableTitle: 'Désactiver {name} ?',
    disableHint:
      'Tous ses jetons sont rejetés dès la prochaine requête. Les utilisateurs et les groupes ne sont plus mis à jour jusqu’à la réactivation de la source. Les utilisateurs et groupes provisionnés sont conservés.',
    delete: 'Supprimer',
    deleteTitle: 'Supprimer {name} ?',
    deleteHint:
      'Tous ses jetons sont rejetés définitivement, et la source ne peut pas être restaurée. Ses utilisateurs, ses groupes et ses journaux sont conservés, mais ne sont plus mis à jour.',
    transfer: 'Transférer la propriété',
    transferTitle: 'Transférer la propriété de {name}',
    transferHint:
      'Le départ d’un utilisateur désactive les sources qui lui appartiennent, sauf si la politique du tenant les transfère. Confiez à un groupe les sources qui doivent rester. Les jetons ne changent pas : renouvelez-les si l’ancien propriétaire doit perdre l’accès.',
    newOwner: 'Utilisateur actif ou groupe',
    group: 'Groupe',
  },
  connection: {
    title: 'Valeurs de connexion pour la source d’identités',
    address: 'URL de base SCIM',
    method: 'Authentification',
    bearer: 'Jeton porteur (en-tête HTTP Authorization)',
    client: 'S’authentifie aussi en tant que l’application',
    tokens: 'Jetons porteurs',
    token: 'Jeton porteur',
    noToken: 'Aucun jeton actif. Créez-en un pour que la source puisse se connecter.',
    tokensUnknown: 'Impossible de charger les jetons pour le moment. Réessayez plus tard.',
    rotate: 'Renouveler le jeton',
    made: 'Créé le',
    current: 'actuel',
    previous: 'précédent',
    unused: 'jamais utilisé',
    lastUsed: 'dernière utilisation',
    ends: 'expire',
    revoke: 'Révoquer',
    revokeTitle: 'Révoquer ce jeton ?',
    revokeHint: 'Le jeton est rejeté dès la prochaine requête. L’autre jeton reste actif.',
    revokeLast:
      'C’est le seul jeton. La source ne peut ni provisionner d’utilisateurs ni gérer leur départ tant que vous n’en créez pas un autre.',
    rotateTitle: 'Renouveler le jeton de {name} ?',
    rotateHint:
      'Le nouveau jeton n’est affiché qu’une fois. Le jeton actuel reste valable pendant la durée choisie, afin que vous puissiez mettre à jour la source sans interruption. Les jetons plus anciens cessent de fonctionner immédiatement.',
    overlap: 'Le jeton actuel reste valable',
    overlaps: {
      '0': '0 minute (cesse immédiatement)',
      '3600': '1 heure',
      '86400': '1 jour',
      '604800': '1 semaine',
      '2592000': '30 jours',
    },
    newToken: 'Nouveau jeton de {name}',
    previousEnded: 'Le jeton précédent ne fonctionne plus.',
    previousUntil: 'Le jeton précédent fonctionne jusqu’au {at, date, medium} à {at, time, short}.',
  },
  requests: {
    title: 'Requêtes SCIM',
    locked:
      'Pour voir les requêtes, il vous faut un rôle avec provisioning:read. Adressez-vous à un administrateur.',
    failedOnly: 'Requêtes en échec uniquement',
    what: 'Requête',
    status: 'Réponse',
    detail: 'Raison',
    took: 'Durée',
    at: 'Date',
    ms: '{ms} ms',
    about: 'Ressource',
    requestId: 'ID de requête',
    changes: 'Modifications',
    changesOf: 'Entrées de journal de cette requête',
    refused: 'Requête rejetée.',
    resources: { USER: 'utilisateur', GROUP: 'groupe' },
    none: 'Aucune requête pour l’instant',
    noneHint:
      'Les requêtes apparaissent ici en moins d’une seconde. Si la source a déjà envoyé des requêtes, vérifiez son URL de base et son jeton. Les requêtes avec un jeton inconnu ne peuvent pas être attribuées à une source.',
    noneFailed: 'Aucune requête en échec',
    noneFailedHint: 'Les requêtes en échec apparaissent ici en moins d’une seconde, avec la raison.',
    advice: {
      uniqueness:
        'Un autre utilisateur ou groupe a déjà cette valeur. S’il s’agit du même utilisateur, faites correspondre la source sur userName ou supprimez le doublon. Sinon, modifiez la valeur dans la source.',
      filter:
        'Le filtre n’est pas un filtre SCIM valide ou utilise un attribut non filtrable. Vérifiez l’attribut de correspondance dans la source ; userName fonctionne toujours.',
      syntax:
        'Le corps de la requête n’est pas du SCIM valide. Sous Compatibilité, choisissez le profil de ce produit ou « Toute source ».',
      path: 'L’attribut ou la valeur n’existe pas. Corrigez le mappage dans la source, ou définissez l’attribut dans un schéma d’extension.',
      value:
        'Une valeur a un type ou un format incorrect, ou une valeur obligatoire manque. Corrigez le mappage de l’attribut dans la source.',
      mutability:
        'La source ne peut pas écrire cet attribut, ou il est en lecture seule. Retirez-le du mappage dans la source, ou autorisez-le sous Attributs.',
      tooMany:
        'Le filtre correspond à trop de ressources. Utilisez un filtre plus restrictif dans la source.',
      unauthorized: 'Le jeton n’est pas valide. Saisissez le jeton actuel dans la source, ou renouvelez-le.',
      forbidden:
        'La source n’a pas l’autorisation. Le compte est protégé, a un rôle ou ne relève pas des autorisations de la source. Consultez Autorisations. Gérez les administrateurs dans la console.',
      missing:
        'L’utilisateur ou le groupe n’existe plus ici. Relancez la synchronisation dans la source pour refaire la correspondance.',
      conflict:
        'La valeur ou l’identifiant est déjà utilisé. Recherchez l’utilisateur ou le groupe concerné.',
      version:
        'La requête utilisait une version obsolète (ETag). En général, les sources réessaient automatiquement.',
      large: 'La requête est trop volumineuse. Réduisez la taille des lots dans la source.',
      limited:
        'Trop de requêtes par minute. La source réessaie automatiquement. Si cela persiste, augmentez la limite sous Autorisations.',
      ours: 'Le service était temporairement indisponible. La source réessaie automatiquement. Si cela persiste, consultez Système.',
      unknown: 'Consultez la réponse ci-dessus pour plus de détails.',
    },
  },
  changes: {
    locked:
      'Pour voir les modifications, il vous faut un rôle avec audit:read. Adressez-vous à un administrateur.',
    none: 'Aucune modification dans le journal',
  },
  rights: {
    title: 'Autorisations',
    edit: 'Modifier',
    editTitle: 'Autorisations de {name}',
    name: 'Nom',
    nameHint: 'Affiché aux administrateurs.',
    access: 'Accès',
    accesses: { READ_WRITE: 'lecture et écriture', READ_ONLY: 'lecture seule' },
    about: 'Types de ressources',
    users: 'Utilisateurs',
    groups: 'Groupes',
    protectAdministrators: 'Protéger les administrateurs',
    protectAdministratorsHint:
      'La source ne peut ni modifier ni supprimer les utilisateurs qui ont un rôle ; gérez leur départ dans la console. Sinon, un attaquant qui contrôle la source peut exclure les administrateurs.',
    vouches: 'Considérer ses adresses e-mail comme vérifiées',
    vouchesHint:
      'À cocher uniquement si la source vérifie que les adresses appartiennent aux utilisateurs. Les applications reçoivent email_verified.',
    protectedUsers: 'Utilisateurs protégés',
    protectedHint: 'Identifiants des utilisateurs que la source ne peut pas modifier, un par ligne.',
    protectedGroups: 'Groupes protégés',
    protectedGroupsHint:
      'Identifiants des groupes que la source ne peut pas modifier, un par ligne. Leurs membres sont aussi protégés.',
    limits: {
      requestsPerMinute: 'Requêtes par minute',
      pageSize: 'Taille maximale de page',
      bulkOperations: 'Nombre maximal d’opérations par requête bulk',
      bulkPayloadBytes: 'Taille maximale d’une requête bulk en octets',
    },
    limitHint: 'Vide : valeur par défaut du service.',
    service: 'valeur par défaut du service',
  },
  attributes: {
    title: 'Attributs modifiables',
    edit: 'Modifier',
    editTitle: 'Modifier les attributs modifiables',
    mode: 'Règle',
    all: 'La source peut écrire tous les attributs.',
    modes: {
      ONLY: 'La source ne peut écrire que ces attributs :',
      EXCEPT: 'La source peut écrire tous les attributs sauf ceux-ci :',
    },
    paths: 'Attributs',
    pathsHint:
      'Chemins SCIM, un par ligne : displayName, name.familyName ou un chemin précédé de l’URN de son schéma. Un URN de schéma seul sélectionne tous ses attributs.',
    hint: 'Les autres attributs sont ignorés dans les requêtes POST et PUT et rejetés dans les requêtes PATCH. La source peut toujours écrire son propre externalId.',
  },
  preview: {
    title: 'Aperçu pour un utilisateur',
    person: 'Utilisateur',
    personHint: 'Sélectionnez un utilisateur pour l’aperçu.',
    readOnly: 'La source a un accès en lecture seule : elle ne peut écrire aucun attribut.',
    writtenBy: 'de : {sources}',
    noSource: 'aucune source d’identités',
    attribute: 'Attribut',
    value: 'Valeur actuelle',
    may: 'Modifiable par la source',
    unset: 'non défini',
    yes: 'oui',
    no: 'non',
  },
  compatibility: {
    title: 'Compatibilité SCIM',
    lead: 'Les sources d’identités s’écartent des RFC 7643 et RFC 7644. Le profil détermine quels écarts sont acceptés. Vous pouvez régler chacun séparément.',
    profile: 'Profil',
    profileHints: {
      AUTO: 'Accepte les écarts de toutes les sources connues qui ne contredisent pas les RFC.',
      ENTRA: 'Accepte les requêtes de Microsoft Entra ID.',
      OKTA: 'Accepte les requêtes d’Okta.',
      ONELOGIN: 'Accepte les requêtes de OneLogin.',
      RFC: 'N’accepte aucun écart par rapport aux RFC.',
    },
    understood: 'accepté',
    refused: 'rejeté',
    asProfile: 'Par défaut du profil',
    on: 'Accepter',
    off: 'Rejeter',
    quirks: {
      ANY_CASE_OPERATIONS: 'Noms d’opération sans égard à la casse : Replace',
      BARE_MANAGER: 'manager comme simple identifiant, ou vide pour le retirer',
      GROUP_PATCH_NO_CONTENT: 'Les requêtes PATCH sur un groupe renvoient 204',
      PATH_KEYS: 'Chemins comme clés dans un PATCH sans path',
      QUOTED_BOOLEANS: 'Booléens sous forme de chaînes dans les filtres',
      READ_ONLY_KEYS: 'Attributs en lecture seule dans un PATCH sans path',
      REMOVE_BY_VALUE: 'remove avec path et une liste de valeurs',
      REPLACE_CREATES_ELEMENT: 'replace d’un sous-attribut absent crée la valeur',
      STRING_BOOLEANS: 'Booléens sous forme de chaînes : "False"',
      UNKNOWN_SCHEMAS: 'Des URN inconnus dans schemas',
      DRAFT_SCHEMAS: 'URN de brouillons dans schemas',
      WRAPPED_SCALARS: 'Une valeur unique sous forme multivaluée',
    },
  },
  differences: {
    name: 'Nom',
    access: 'Accès',
    resourceTypes: 'Types de ressources',
    vouchesForEmails: 'Adresses e-mail considérées comme vérifiées',
    protectedAccounts: 'Comptes protégés',
    limits: 'Limites',
    attributes: 'Attributs',
    profile: 'Profil',
    quirks: 'Écarts',
  },
  arrivals: {
    title: 'Requêtes entrantes',
    waiting: 'En attente de la première requête…',
    arrived: '{count, plural, one {Première requête reçue.} other {Les # dernières requêtes :}}',
    nothing:
      'Les requêtes apparaissent ici en moins d’une seconde. Si la source signale une erreur mais qu’aucune requête n’apparaît, vérifiez son URL et son jeton.',
  },
  wizard: {
    title: 'Connecter une source d’identités',
    step: 'Étape {step} sur 3',
    which: 'Choisissez une source d’identités',
    rights: 'Autorisations',
    later: 'Vous pourrez modifier les attributs modifiables et d’autres réglages plus tard.',
    create: 'Créer la source et le jeton',
    connectTitle: 'Connecter {kind}',
    values: 'Valeurs de connexion',
    do: 'Dans {kind}',
    tokenOnce: 'Copiez le jeton maintenant. Vous ne pourrez plus l’afficher.',
    tokenGone:
      'Le jeton n’a été affiché qu’à la création de la source. Si vous ne l’avez pas, créez-en un nouveau.',
    rotate: 'Créer un nouveau jeton',
    try: 'Tester dans un terminal',
    done: 'Voir la source',
    kinds: {
      entra: {
        name: 'Entra ID',
        hint: 'Annuaire de Microsoft, y compris Microsoft 365',
        address: 'URL de locataire (Tenant URL)',
        token: 'Jeton secret (Secret token)',
      },
      okta: {
        name: 'Okta',
        hint: 'Okta Workforce Identity',
        address: 'SCIM connector base URL',
        token: 'Authorization: Bearer',
      },
      onelogin: {
        name: 'OneLogin',
        hint: 'OneLogin by One Identity',
        address: 'SCIM base URL',
        token: 'SCIM bearer token',
      },
      scim: {
        name: 'SCIM 2.0',
        hint: 'Tout autre client SCIM 2.0 ou un script',
        address: 'URL de base',
        token: 'Jeton porteur',
      },
    },
    connect: {
      entra: {
        open: 'Dans le centre d’administration Entra, ouvrez « Applications d’entreprise » > « Nouvelle application » > « Créer votre propre application », et sélectionnez l’option hors galerie.',
        paste:
          'Ouvrez « Approvisionnement » et sélectionnez « Nouvelle configuration » (New configuration). Collez l’URL de locataire et le jeton secret ci-dessus.',
        test: 'Sélectionnez « Tester la connexion », puis « Créer ». Entra demande un utilisateur qui n’existe pas ; la requête apparaît ci-dessous avec le statut 200.',
        scope:
          'Vérifiez les mappages d’attributs. Sous « Utilisateurs et groupes », affectez les utilisateurs et les groupes à provisionner.',
        start:
          'Testez un utilisateur avec « Approvisionner à la demande », puis sélectionnez « Vue d’ensemble » > « Démarrer l’approvisionnement » (Start provisioning). Entra synchronise environ toutes les 40 minutes.',
      },
      okta: {
        open: 'Dans la console d’administration Okta, ouvrez « Applications » > « Browse App Catalog » et ajoutez « SCIM 2.0 Test App (OAuth Bearer Token) ». Ou activez SCIM dans votre propre intégration d’application.',
        paste:
          'Sous « Provisioning », sélectionnez « Configure API Integration », et collez l’URL de base et le jeton. Votre propre intégration exige aussi userName comme champ d’identifiant unique et l’authentification « HTTP Header ».',
        test: 'Sélectionnez « Test API Credentials » (« Test Connector Configuration » dans votre propre intégration), puis « Save ». Les requêtes apparaissent ci-dessous.',
        scope:
          'Sous « Provisioning » > « To App », autorisez « Create Users », « Update User Attributes » et « Deactivate Users ». La gestion des départs nécessite « Deactivate Users ».',
        start:
          'Sous « Assignments », affectez des utilisateurs ou des groupes. Sous « Push Groups », sélectionnez les groupes à provisionner.',
      },
      onelogin: {
        open: 'Dans l’administration OneLogin, ouvrez « Applications » > « Add App », et choisissez « SCIM Provisioner with SAML (SCIM v2 Enterprise) ».',
        paste: 'Sous « Configuration », collez l’URL de base SCIM et le jeton porteur SCIM.',
        test: 'Sélectionnez « Enable » pour la connexion à l’API. Les requêtes apparaissent ci-dessous.',
        scope:
          'Sous « Provisioning », activez le provisionnement. Choisissez « Suspend » ou « Delete » pour les utilisateurs supprimés ou qui perdent l’accès. La gestion des départs nécessite ce réglage.',
        start: 'Sous « Access », sélectionnez les rôles dont les utilisateurs doivent être provisionnés.',
      },
      scim: {
        open: 'Ouvrez les réglages SCIM de la source d’identités.',
        paste: 'Collez l’URL de base, et définissez le jeton comme jeton porteur.',
        test: 'Testez la connexion si la source le permet. Les requêtes apparaissent ci-dessous.',
        scope:
          'Sélectionnez les utilisateurs et les groupes à provisionner. Assurez-vous que la source désactive (active: false) ou supprime les utilisateurs qui partent.',
        start: 'Commencez par un utilisateur, et vérifiez le résultat ci-dessous.',
      },
    },
  },
};
