/** Scopes of OpenID Connect: any person may grant these to a client. */
export const oidcScopes = {
  openid: 'Sign you in',
  profile: 'See your name',
  email: 'See your e-mail address',
  address: 'See your postal address',
  phone: 'See your phone number',
  groups: 'See which groups you are in',
  offline_access: 'Stay connected while you are away',
} as const;

/**
 * Scopes of self-service: what an app may change of the person whose token it holds, and of nobody else. Any person may grant
 * them to a client that is registered for them; an app that acts for itself can't have them.
 */
export const selfScopes = {
  'self:profile': 'Change your profile',
  'self:sessions': 'End your sessions and the access of apps',
  'self:tokens': 'Create and revoke personal access tokens in your name',
  'self:factors': 'Remove your passkeys and your authenticator app',
} as const;

/** Scopes of the tenant's API: a client has them by registration, a person through a role. */
export const apiScopes = {
  'users:read': 'See the users of the directory',
  'users:write': 'Create, change and delete users',
  'access:write': 'Send users a link to reset their access',
  'groups:read': 'See groups and their members',
  'groups:write': 'Create, change and remove groups',
  'sessions:read': 'See the sessions and tokens of users',
  'sessions:write': 'End the sessions and tokens of users',
  'clients:read': 'See registered applications',
  'clients:write': 'Register and change applications',
  'connectors:read': 'See provisioning connectors',
  'connectors:write': 'Create and change provisioning connectors',
  'provisioning:read': 'See the provisioning log',
  'audit:read': 'Read the audit log',
  'tenants:read': "See the tenant's settings",
  'tenants:write': "Change the tenant's settings",
  'webhooks:read': 'See webhooks and their deliveries',
  'webhooks:write': 'Create and change webhooks',
  'roles:read': 'See who has which role',
  'roles:write': 'Give and take roles',
  'scim:read': 'Read users and groups over SCIM',
  'scim:write': 'Write users and groups over SCIM',
  'ssf.read': 'See streams of security events, and poll their events',
  'ssf.manage': 'Set up streams of security events about users',
} as const;

export type OidcScope = keyof typeof oidcScopes;
export type SelfScope = keyof typeof selfScopes;
export type ApiScope = keyof typeof apiScopes;

/**
 * What the token of any user opens of the user's own at the tenant's API, whatever its scopes (`me` and what it leads to), in the scopes
 * that open the same of everybody.
 */
export const openedByOwnToken: readonly ApiScope[] = [
  'users:read',
  'groups:read',
  'roles:read',
  'sessions:read',
  'provisioning:read',
  'audit:read',
];

/** What changes the accounts of others, of those with a role too: an app with a scope of self-service does so without asking them. */
const onOthersAccounts: readonly ApiScope[] = [
  'users:write',
  'access:write',
  'sessions:write',
  'roles:write',
];

/**
 * What each scope that any user may grant opens of the user's own, at userinfo and at the API, in the scopes that open the same of
 * everybody. The type lists all there are: a new one must be added here.
 */
const openedByOwnScope: Readonly<Record<OidcScope | SelfScope, readonly ApiScope[]>> = {
  openid: openedByOwnToken,
  profile: [...openedByOwnToken, 'users:read'],
  email: [...openedByOwnToken, 'users:read'],
  address: [...openedByOwnToken, 'users:read'],
  phone: [...openedByOwnToken, 'users:read'],
  groups: [...openedByOwnToken, 'groups:read'],
  offline_access: openedByOwnToken,
  'self:profile': [...openedByOwnToken, ...onOthersAccounts],
  'self:sessions': [...openedByOwnToken, ...onOthersAccounts],
  'self:tokens': [...openedByOwnToken, ...onOthersAccounts],
  'self:factors': [...openedByOwnToken, ...onOthersAccounts],
};

/** What user tokens with these scopes open, in scopes of the API: those among them, and what the others open of each user's own. */
export const openedByUserTokens = (scopes: readonly string[]): ApiScope[] => {
  const opened = scopes.flatMap((scope): readonly ApiScope[] =>
    isOwnScope(scope) ? openedByOwnScope[scope] : isApiScope(scope) ? [scope, ...openedByOwnToken] : [],
  );
  return [...new Set(opened)];
};

const isOwnScope = (scope: string): scope is OidcScope | SelfScope => Object.hasOwn(openedByOwnScope, scope);
const isApiScope = (scope: string): scope is ApiScope => Object.hasOwn(apiScopes, scope);

const descriptions: Readonly<Record<string, string>> = { ...oidcScopes, ...selfScopes, ...apiScopes };

/** What a scope allows, in words for the person who is asked to consent; nothing for an unknown scope. */
export const describeScope = (scope: string): string | undefined =>
  Object.hasOwn(descriptions, scope) ? descriptions[scope] : undefined;
