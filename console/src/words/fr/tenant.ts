import type { Words } from '../en/index.ts';

export const tenant: Words['tenant'] = {
  title: 'Paramètres et politiques',
  tabs: { policy: 'Politiques', tenant: 'Tenant', signIn: 'Sessions et jetons' },
  policy: {
    lead: 'Politiques de ce tenant. Les valeurs par défaut de l’installation s’appliquent aux politiques non définies.',
    untouched: 'Aucune politique n’est définie. Les valeurs par défaut de l’installation s’appliquent.',
    changed: 'Dernière modification :',
    edit: 'Modifier',
    change: 'Modifier : {name}',
    default: 'valeur par défaut de l’installation',
    toDefault: 'Rétablir la valeur par défaut de l’installation',
    andMore: '{shown} et {count, plural, one {# autre} other {# autres}}',
    groups: { people: 'Utilisateurs', apps: 'Applications', directory: 'Annuaire' },
    settings: {
      requireSecondFactorForAdministrators: {
        label: 'Exiger un second facteur pour les rôles',
        explanation:
          'Les rôles ne s’appliquent qu’aux connexions avec un second facteur. Les utilisateurs peuvent le configurer sur la page de leur compte.',
      },
      bannedPasswordWords: {
        label: 'Mots interdits dans les mots de passe',
        explanation:
          'Les mots de passe composés de ces mots sont refusés, par exemple les noms de l’organisation et de ses produits. Les mots de passe divulgués sont toujours refusés.',
      },
      ownedCredentialsOnOffboarding: {
        label: 'Identifiants détenus lors d’un départ',
        explanation:
          'S’applique aux clients, comptes de service, clés d’API et connecteurs dont le seul propriétaire part ou perd le rôle requis.',
      },
      requiredClientProfile: {
        label: 'Profil de sécurité obligatoire des applications',
        explanation:
          'FAPI 2.0 exige des demandes d’autorisation poussées (PAR), une authentification du client par clé et des jetons liés à une clé. Les autres applications sont refusées.',
      },
      introspectionByAnyClient: {
        label: 'Autoriser les applications à introspecter tous les jetons',
        explanation:
          'Par défaut, une application ne peut introspecter (RFC 7662) que les jetons qui lui ont été délivrés ou qui lui sont destinés. À activer seulement pour d’anciens serveurs de ressources.',
      },
      webOrigins: {
        label: 'Origines des applications web',
        explanation:
          'Les pages de ces origines peuvent appeler le graphe et les points de terminaison de jetons depuis un navigateur (CORS). Les origines des URI de redirection enregistrées sont toujours autorisées.',
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
        label: 'Exiger des noms de groupe uniques',
        explanation:
          'Si ce réglage est activé, un groupe au nom en double est refusé. SCIM permet les doublons, et certaines sources d’identités en créent.',
      },
      scimSecurityEvents: {
        label: 'Annoncer les événements de sécurité dans SCIM',
        explanation:
          'Ajoute securityEvents (RFC 9967) à ServiceProviderConfig. À désactiver pour les clients qui refusent les attributs inconnus.',
      },
    },
    secondFactorNote:
      'L’activation révoque les jetons que les applications ont obtenus par des connexions d’administrateurs à un seul facteur. Votre console exige aussi un second facteur.',
    profiles: {
      STANDARD: 'OAuth 2.1',
      FAPI2: 'FAPI 2.0 Security Profile',
    },
    owned: {
      REVOKE: 'Révoquer',
      SUSPEND: 'Désactiver jusqu’à réactivation',
      HAND_OVER: 'Transférer à un autre propriétaire',
    },
    receiver: 'Nouveau propriétaire',
    receiverHint: 'Un utilisateur actif ou un groupe. Commencez à saisir un nom ou une adresse e-mail.',
    originsHint:
      'Une origine par ligne, par exemple https://app.example.com. http n’est autorisé que pour les adresses de boucle locale.',
    days: '{count, plural, one {# jour} other {# jours}}',
    wordsHint: 'Un mot par ligne, de 3 à 64 caractères.',
  },
  settings: {
    title: 'Tenant',
    edit: 'Modifier',
    id: 'Identifiant',
    name: 'Nom',
    status: 'État',
    statuses: { ACTIVE: 'actif', SUSPENDED: 'suspendu' },
    deletionPolicy: 'Utilisateurs et groupes supprimés',
    policies: {
      SOFT: 'peuvent être restaurés pendant 30 jours',
      HARD: 'sont supprimés définitivement',
    },
    deletionHint:
      'Dans les deux cas, tous les accès sont révoqués immédiatement. La politique définit seulement si une suppression peut être annulée.',
    hardWarning:
      'Les nouvelles suppressions ne peuvent pas être annulées. Les utilisateurs et groupes supprimés auparavant peuvent encore être restaurés.',
    retention: 'Journal d’audit de l’annuaire',
    days: '{days, plural, =0 {conservé indéfiniment} one {conservé # jour} other {conservé # jours}}',
    retentionHint:
      'Conservation en jours, de 30 à 36500. Si le champ est vide, les entrées sont conservées indéfiniment.',
    created: 'Créé',
    changed: 'Modifié',
  },
  signIn: {
    lead: 'Ces valeurs s’appliquent à tous les tenants de l’installation. L’exploitant les définit.',
    characters: '{count, plural, one {# caractère} other {# caractères}}',
    groups: { sessions: 'Sessions', tokens: 'Jetons', others: 'Invitations, journaux, mots de passe' },
    names: {
      sessionIdleSeconds: 'Délai d’inactivité',
      sessionAbsoluteSeconds: 'Durée maximale',
      accessTokenSeconds: 'Jeton d’accès',
      idTokenSeconds: 'Jeton d’identité',
      refreshTokenIdleSeconds: 'Autorisation, délai d’inactivité',
      refreshTokenAbsoluteSeconds: 'Autorisation, durée maximale',
      invitationSeconds: 'Invitation',
      securityLogRetentionSeconds: 'Journal de sécurité',
      passwordMinLength: 'Longueur minimale du mot de passe',
    },
  },
};
