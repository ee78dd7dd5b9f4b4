export const tenant = {
  title: 'Settings and policy',
  tabs: { policy: 'Policy', tenant: 'Tenant', signIn: 'Sessions and tokens' },
  policy: {
    lead: 'What the tenant sets for itself. What it leaves open is the installation’s to say.',
    untouched: 'Nothing was set here yet: everything is as the installation has it.',
    changed: 'Last changed:',
    edit: 'Change',
    change: 'Change: {name}',
    default: 'as the installation has it',
    toDefault: 'Back to what holds in this installation',
    andMore: '{shown} and {count, plural, one {# more} other {# more}}',
    groups: { people: 'People', apps: 'Applications', directory: 'Directory' },
    settings: {
      requireSecondFactorForAdministrators: {
        label: 'A role counts only with a second factor',
        explanation:
          'Whoever has a role and signed in with one factor has what everybody has, and nothing of the role. Nobody is locked out: they set up a second factor on their account page.',
      },
      bannedPasswordWords: {
        label: 'Words that make no password',
        explanation:
          'Passwords that consist of these are refused, besides those known from breaches: the organisation’s name, its products, its street.',
      },
      ownedCredentialsOnOffboarding: {
        label: 'What becomes of what a person set up, when they leave',
        explanation:
          'Clients, service accounts, API keys and connectors whose only owner is offboarded, or loses the role that let them have these.',
      },
      requiredClientProfile: {
        label: 'Security profile that every app has to meet',
        explanation:
          'With FAPI 2.0 apps push their requests, authenticate by key, and hold tokens bound to a key. Others are refused.',
      },
      introspectionByAnyClient: {
        label: 'Apps may introspect anybody’s tokens',
        explanation:
          'Otherwise an app may introspect (RFC 7662) only tokens that were issued to it or for it. Only for old resource servers.',
      },
      webOrigins: {
        label: 'Origins of web apps',
        explanation:
          'Pages of these origins may use the graph and the token endpoints from a browser (CORS), besides those of apps’ redirect URIs.',
      },
      knownSecretOverlapDays: {
        label: 'Days that known secrets stay valid',
        explanation:
          'Secrets of other owners’ clients, service accounts, connectors and webhooks that an offboarded user knows stay valid for these days, so that the owners can rotate them: 0 to 30. With 0 they end immediately.',
      },
      signInRetentionDays: {
        label: 'Days for which sign-ins are kept',
        explanation: 'Attempts to sign in, successful or not, are deleted after this many days: 1 to 3650.',
      },
      uniqueGroupNames: {
        label: 'No two groups may have one name',
        explanation: 'SCIM allows it, and some identity sources make them. On, a second one is refused.',
      },
      scimSecurityEvents: {
        label: 'SCIM announces security events',
        explanation:
          'ServiceProviderConfig then has securityEvents (RFC 9967). Off for typed clients that can’t read what they don’t know.',
      },
    },
    secondFactorNote:
      'Switching it on ends what administrators’ apps hold from sign-ins with one factor. Your own console asks you for a second factor, too.',
    profiles: { STANDARD: 'OAuth 2.1, as this server always has it', FAPI2: 'FAPI 2.0 Security Profile' },
    owned: {
      REVOKE: 'They end',
      SUSPEND: 'They are disabled until somebody enables them',
      HAND_OVER: 'They are handed over',
    },
    receiver: 'Who gets them',
    receiverHint: 'An active user or a group. Begin to type a name or an address.',
    originsHint: 'Such as https://app.example.com, one a line. http only for loopback addresses.',
    days: '{count, plural, one {# day} other {# days}}',
    wordsHint: 'One a line, 3 to 64 characters.',
  },
  settings: {
    title: 'The tenant',
    edit: 'Edit',
    id: 'Id',
    name: 'Name',
    status: 'State',
    statuses: { ACTIVE: 'in use', SUSPENDED: 'suspended' },
    deletionPolicy: 'Deleted users and groups',
    policies: { SOFT: 'can be restored for 30 days', HARD: 'are gone for good at once' },
    deletionHint:
      'Gone for everybody at once in any case: every door closes. This is about bringing them back.',
    hardWarning:
      'From then on nobody brings back what was deleted by mistake. What was deleted before can still be restored.',
    retention: 'Audit log of the directory',
    days: '{days, plural, =0 {kept for good} one {kept for # day} other {kept for # days}}',
    retentionHint: 'Days for which entries are kept, 30 to 36500. Empty: for good.',
    created: 'Created',
    changed: 'Changed',
  },
  signIn: {
    lead: 'The same for every tenant of this installation; its operator sets them.',
    characters: '{count, plural, one {# character} other {# characters}}',
    groups: { sessions: 'Sessions', tokens: 'Tokens', others: 'Invitations, logs, passwords' },
    names: {
      sessionIdleSeconds: 'Ends when unused for',
      sessionAbsoluteSeconds: 'Ends after the sign-in, at the latest',
      accessTokenSeconds: 'Access token',
      idTokenSeconds: 'ID token',
      refreshTokenIdleSeconds: 'Grant that isn’t refreshed',
      refreshTokenAbsoluteSeconds: 'Grant, at the latest',
      invitationSeconds: 'Invitation',
      securityLogRetentionSeconds: 'Security log',
      passwordMinLength: 'Length of a new password, at least',
    },
  },
};
