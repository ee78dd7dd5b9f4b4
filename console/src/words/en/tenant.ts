export const tenant = {
  title: 'Settings and policies',
  tabs: { policy: 'Policies', tenant: 'Tenant', signIn: 'Sessions and tokens' },
  policy: {
    lead: 'Policies of this tenant. The defaults of the installation apply to policies that are not set.',
    untouched: 'No policies are set. The defaults of the installation apply.',
    changed: 'Last changed:',
    edit: 'Change',
    change: 'Change: {name}',
    default: 'installation default',
    toDefault: 'Reset to the installation default',
    andMore: '{shown} and {count, plural, one {# more} other {# more}}',
    groups: { people: 'Users', apps: 'Apps', directory: 'Directory' },
    settings: {
      requireSecondFactorForAdministrators: {
        label: 'Require a second factor for roles',
        explanation:
          'Roles apply only to sign-ins with a second factor. Users can set one up on their account page.',
      },
      bannedPasswordWords: {
        label: 'Banned password words',
        explanation:
          'Passwords made of these words are rejected, for example the names of the organization and its products. Breached passwords are always rejected.',
      },
      ownedCredentialsOnOffboarding: {
        label: 'Owned credentials on offboarding',
        explanation:
          'Applies to clients, service accounts, API keys and connectors whose only owner is offboarded or loses the required role.',
      },
      requiredClientProfile: {
        label: 'Required security profile of apps',
        explanation:
          'FAPI 2.0 requires pushed authorization requests, key-based client authentication and sender-constrained tokens. Other apps are rejected.',
      },
      introspectionByAnyClient: {
        label: 'Allow apps to introspect all tokens',
        explanation:
          'By default, an app can introspect (RFC 7662) only tokens issued to it or for it. Enable only for legacy resource servers.',
      },
      webOrigins: {
        label: 'Origins of web apps',
        explanation:
          'Pages of these origins can call the graph and the token endpoints from a browser (CORS). Origins of registered redirect URIs are always allowed.',
      },
      knownSecretOverlapDays: {
        label: 'Days that known secrets stay valid',
        explanation:
          'Secrets of other owners’ clients, service accounts, connectors and webhooks that an offboarded user knows stay valid for these days, so that the owners can rotate them: 0 to 30. With 0 they end immediately.',
      },
      signInRetentionDays: {
        label: 'Sign-in retention in days',
        explanation:
          'Successful and failed sign-in attempts are deleted after this number of days: 1 to 3650.',
      },
      uniqueGroupNames: {
        label: 'Require unique group names',
        explanation:
          'If enabled, a group with a duplicate name is rejected. SCIM allows duplicates, and some identity sources create them.',
      },
      scimSecurityEvents: {
        label: 'Advertise security events in SCIM',
        explanation:
          'Adds securityEvents (RFC 9967) to ServiceProviderConfig. Disable it for clients that reject unknown attributes.',
      },
    },
    secondFactorNote:
      'Enabling it revokes tokens that apps obtained through administrators’ sign-ins with one factor. Your console also requires a second factor.',
    profiles: { STANDARD: 'OAuth 2.1', FAPI2: 'FAPI 2.0 Security Profile' },
    owned: {
      REVOKE: 'Revoke',
      SUSPEND: 'Disable until re-enabled',
      HAND_OVER: 'Transfer to another owner',
    },
    receiver: 'New owner',
    receiverHint: 'An active user or a group. Start typing a name or an email address.',
    originsHint:
      'One origin per line, for example https://app.example.com. http is allowed only for loopback addresses.',
    days: '{count, plural, one {# day} other {# days}}',
    wordsHint: 'One word per line, 3 to 64 characters.',
  },
  settings: {
    title: 'Tenant',
    edit: 'Edit',
    id: 'ID',
    name: 'Name',
    status: 'Status',
    statuses: { ACTIVE: 'active', SUSPENDED: 'suspended' },
    deletionPolicy: 'Deleted users and groups',
    policies: { SOFT: 'can be restored for 30 days', HARD: 'are deleted permanently' },
    deletionHint:
      'In both cases, all access is revoked immediately. The policy defines only whether a deletion can be undone.',
    hardWarning:
      'New deletions can’t be undone. Users and groups that were deleted before can still be restored.',
    retention: 'Directory audit log',
    days: '{days, plural, =0 {kept indefinitely} one {kept for # day} other {kept for # days}}',
    retentionHint: 'Retention in days, 30 to 36500. If empty, entries are kept indefinitely.',
    created: 'Created',
    changed: 'Changed',
  },
  signIn: {
    lead: 'These values apply to all tenants of the installation. The operator sets them.',
    characters: '{count, plural, one {# character} other {# characters}}',
    groups: { sessions: 'Sessions', tokens: 'Tokens', others: 'Invitations, logs, passwords' },
    names: {
      sessionIdleSeconds: 'Idle timeout',
      sessionAbsoluteSeconds: 'Maximum lifetime',
      accessTokenSeconds: 'Access token',
      idTokenSeconds: 'ID token',
      refreshTokenIdleSeconds: 'Grant, idle timeout',
      refreshTokenAbsoluteSeconds: 'Grant, maximum lifetime',
      invitationSeconds: 'Invitation',
      securityLogRetentionSeconds: 'Security log',
      passwordMinLength: 'Minimum password length',
    },
  },
};
