import type { Words } from '../en/index.ts';

export const tenant: Words['tenant'] = {
  title: 'Réglages et politique',
  tabs: { policy: 'Politique', tenant: 'Tenant', signIn: 'Sessions et jetons' },
  policy: {
    lead: 'Ce que le tenant fixe pour lui-même. Ce qu’il laisse ouvert relève de l’installation.',
    untouched: 'Rien n’a encore été fixé ici : tout est comme le veut l’installation.',
    changed: 'Dernière modification :',
    edit: 'Modifier',
    change: 'Modifier : {name}',
    default: 'comme le veut l’installation',
    toDefault: 'Revenir à ce qui vaut dans cette installation',
    andMore: '{shown} et {count, plural, one {# autre} other {# autres}}',
    groups: { people: 'Personnes', apps: 'Applications', directory: 'Annuaire' },
    settings: {
      requireSecondFactorForAdministrators: {
        label: 'Un rôle ne compte qu’avec un second facteur',
        explanation:
          'Une personne qui a un rôle et s’est connectée avec un seul facteur a les droits de tout le monde, et rien du rôle. Personne n’est exclu : le second facteur se configure sur la page du compte.',
      },
      bannedPasswordWords: {
        label: 'Mots qui ne font pas un mot de passe',
        explanation:
          'Les mots de passe composés de ces mots sont refusés, outre ceux connus par des fuites : le nom de l’organisation, ses produits, sa rue.',
      },
      ownedCredentialsOnOffboarding: {
        label: 'Ce que devient, à son départ, ce qu’une personne a mis en place',
        explanation:
          'Clients, comptes de service, clés d’API et connecteurs dont le seul propriétaire part, ou perd le rôle qui lui permettait de les avoir.',
      },
      requiredClientProfile: {
        label: 'Profil de sécurité que chaque application doit respecter',
        explanation:
          'Avec FAPI 2.0, les applications poussent leurs demandes, s’authentifient par clé et reçoivent des jetons liés à une clé. Les autres sont refusées.',
      },
      introspectionByAnyClient: {
        label: 'Les applications peuvent introspecter les jetons de n’importe qui',
        explanation:
          'Sinon, une application ne peut introspecter (RFC 7662) que les jetons qui lui ont été délivrés ou qui lui sont destinés. Seulement pour d’anciens serveurs de ressources.',
      },
      webOrigins: {
        label: 'Origines des applications web',
        explanation:
          'Les pages de ces origines peuvent utiliser le graphe et les points de terminaison de jetons depuis un navigateur (CORS), outre celles des URI de redirection des applications.',
      },
      knownSecretOverlapDays: {
        label: 'Validité des secrets connus, en jours',
        explanation:
          'Les secrets de clients, comptes de service, connecteurs et webhooks d’autres propriétaires que connaît un utilisateur parti restent valides pendant ce nombre de jours, pour que les propriétaires les remplacent : de 0 à 30. Avec 0, ils prennent fin immédiatement.',
      },
      signInRetentionDays: {
        label: 'Durée de conservation des connexions, en jours',
        explanation:
          'Les tentatives de connexion, réussies ou non, sont supprimées après ce nombre de jours : de 1 à 3650.',
      },
      uniqueGroupNames: {
        label: 'Deux groupes ne peuvent pas porter le même nom',
        explanation:
          'SCIM le permet, et certaines sources d’identités le font. Si ce réglage est actif, le second est refusé.',
      },
      scimSecurityEvents: {
        label: 'SCIM annonce des événements de sécurité',
        explanation:
          'ServiceProviderConfig contient alors securityEvents (RFC 9967). À désactiver pour les clients typés qui ne savent pas lire ce qu’ils ne connaissent pas.',
      },
    },
    secondFactorNote:
      'L’activation met fin à ce que les applications des administrateurs tiennent de connexions à un seul facteur. Votre propre console vous demandera aussi un second facteur.',
    profiles: {
      STANDARD: 'OAuth 2.1, comme toujours sur ce serveur',
      FAPI2: 'FAPI 2.0 Security Profile',
    },
    owned: {
      REVOKE: 'Prennent fin',
      SUSPEND: 'Sont désactivés jusqu’à ce que quelqu’un les active',
      HAND_OVER: 'Sont transmis',
    },
    receiver: 'Qui les reçoit',
    receiverHint: 'Un utilisateur actif ou un groupe. Commencez à saisir un nom ou une adresse.',
    originsHint:
      'Par exemple https://app.example.com, une par ligne. http seulement pour les adresses de boucle locale.',
    days: '{count, plural, one {# jour} other {# jours}}',
    wordsHint: 'Un par ligne, de 3 à 64 caractères.',
  },
  settings: {
    title: 'Le tenant',
    edit: 'Modifier',
    id: 'Identifiant',
    name: 'Nom',
    status: 'État',
    statuses: { ACTIVE: 'en service', SUSPENDED: 'suspendu' },
    deletionPolicy: 'Utilisateurs et groupes supprimés',
    policies: {
      SOFT: 'peuvent être restaurés pendant 30 jours',
      HARD: 'disparaissent aussitôt et définitivement',
    },
    deletionHint:
      'Dans tous les cas, disparus aussitôt pour tout le monde : toutes les portes se ferment. Il s’agit ici de pouvoir les faire revenir.',
    hardWarning:
      'Dès lors, personne ne peut faire revenir ce qui a été supprimé par erreur. Ce qui a été supprimé auparavant peut encore être restauré.',
    retention: 'Journal d’audit de l’annuaire',
    days: '{days, plural, =0 {conservé indéfiniment} one {conservé # jour} other {conservé # jours}}',
    retentionHint:
      'Nombre de jours pendant lesquels les entrées sont conservées, de 30 à 36500. Vide : indéfiniment.',
    created: 'Créé',
    changed: 'Modifié',
  },
  signIn: {
    lead: 'Les mêmes pour tous les tenants de cette installation ; c’est son exploitant qui les fixe.',
    characters: '{count, plural, one {# caractère} other {# caractères}}',
    groups: { sessions: 'Sessions', tokens: 'Jetons', others: 'Invitations, journaux, mots de passe' },
    names: {
      sessionIdleSeconds: 'Prend fin après inactivité de',
      sessionAbsoluteSeconds: 'Prend fin après la connexion, au plus tard',
      accessTokenSeconds: 'Jeton d’accès',
      idTokenSeconds: 'Jeton d’identité',
      refreshTokenIdleSeconds: 'Autorisation sans actualisation',
      refreshTokenAbsoluteSeconds: 'Autorisation, au plus tard',
      invitationSeconds: 'Invitation',
      securityLogRetentionSeconds: 'Journal de sécurité',
      passwordMinLength: 'Longueur minimale d’un nouveau mot de passe',
    },
  },
};
