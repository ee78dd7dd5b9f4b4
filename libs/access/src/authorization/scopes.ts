/** Scopes of OpenID Connect, which any user may grant to a client. */
export const oidcScopes = {
  openid: 'Sign you in',
  profile: 'See your name',
  email: 'See your email address',
  address: 'See your postal address',
  phone: 'See your phone number',
  groups: 'See which groups you are in',
  offline_access: 'Stay connected while you are away',
} as const;

/**
 * Self-service scopes: changes that an app may make to the user of its token, and to no other user. Any user
 * may grant them to a client registered for them. An app that acts for itself cannot have them.
 */
export const selfScopes = {
  'self:profile': 'Change your profile',
  'self:sessions': 'End your sessions and remove the access of apps',
  'self:tokens': 'Create and revoke personal access tokens in your name',
  'self:factors': 'Remove your passkeys and your authenticator app',
} as const;

/** Scopes of the tenant's API: a client has them by registration, a user through a role. */
export const apiScopes = {
  'users:read': 'See the users in the directory',
  'users:write': 'Create, change and delete users',
  'access:write': 'Send users a link to reset their access',
  'groups:read': 'See groups and their members',
  'groups:write': 'Create, change and delete groups',
  'sessions:read': 'See the sessions and tokens of users',
  'sessions:write': 'End the sessions and tokens of users',
  'clients:read': 'See registered apps',
  'clients:write': 'Register and change apps',
  'connectors:read': 'See provisioning connectors',
  'connectors:write': 'Create and change provisioning connectors',
  'provisioning:read': 'See the provisioning log',
  'audit:read': 'Read the audit log',
  'tenants:read': "See the tenant's settings",
  'tenants:write': "Change the tenant's settings",
  'webhooks:read': 'See webhooks and their deliveries',
  'webhooks:write': 'Create and change webhooks',
  'roles:read': 'See who has which role',
  'roles:write': 'Assign and remove roles',
  'scim:read': 'Read users and groups over SCIM',
  'scim:write': 'Write users and groups over SCIM',
  'ssf.read': 'See streams of security events and poll their events',
  'ssf.manage': 'Set up streams of security events about users',
} as const;

export type OidcScope = keyof typeof oidcScopes;
export type SelfScope = keyof typeof selfScopes;
export type ApiScope = keyof typeof apiScopes;

/**
 * Access of every user token to the user's own data in the tenant's API (`me` and its fields), with any
 * scopes, as the scopes that give the same access to all users.
 */
export const openedByOwnToken: readonly ApiScope[] = [
  'users:read',
  'groups:read',
  'roles:read',
  'sessions:read',
  'provisioning:read',
  'audit:read',
];

/**
 * Scopes that change accounts of other users, including those with a role. An app with a self-service scope
 * does so without their consent.
 */
const onOthersAccounts: readonly ApiScope[] = [
  'users:write',
  'access:write',
  'sessions:write',
  'roles:write',
];

/**
 * Access to the user's own data by each scope that any user may grant, at userinfo and the API, as the scopes
 * that give the same access to all users. The type requires an entry for each new scope.
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

/**
 * Returns the API scopes whose access user tokens with these scopes have: those among them, and the access of
 * the others to each user's own data.
 */
export const openedByUserTokens = (scopes: readonly string[]): ApiScope[] => {
  const opened = scopes.flatMap((scope): readonly ApiScope[] =>
    isOwnScope(scope) ? openedByOwnScope[scope] : isApiScope(scope) ? [scope, ...openedByOwnToken] : [],
  );
  return [...new Set(opened)];
};

const isOwnScope = (scope: string): scope is OidcScope | SelfScope => Object.hasOwn(openedByOwnScope, scope);
const isApiScope = (scope: string): scope is ApiScope => Object.hasOwn(apiScopes, scope);

const descriptions: Readonly<Record<string, string>> = { ...oidcScopes, ...selfScopes, ...apiScopes };

/** Returns the description of a scope on the consent page; undefined for an unknown scope. */
export const describeScope = (scope: string): string | undefined =>
  Object.hasOwn(descriptions, scope) ? descriptions[scope] : undefined;
