import type { Words } from '../words/index.ts';

/** API scopes, by subject. */
export const apiScopes = [
  'users:read',
  'users:write',
  'access:write',
  'groups:read',
  'groups:write',
  'sessions:read',
  'sessions:write',
  'clients:read',
  'clients:write',
  'connectors:read',
  'connectors:write',
  'provisioning:read',
  'audit:read',
  'tenants:read',
  'tenants:write',
  'webhooks:read',
  'webhooks:write',
  'roles:read',
  'roles:write',
  'scim:read',
  'scim:write',
  'ssf.read',
  'ssf.manage',
] as const;

/** Scopes that every user may grant. */
export const personalScopes = [
  'openid',
  'profile',
  'email',
  'address',
  'phone',
  'groups',
  'offline_access',
  'self:profile',
  'self:sessions',
  'self:tokens',
  'self:factors',
] as const;

type ApiScope = (typeof apiScopes)[number];
type PersonalScope = (typeof personalScopes)[number];

const isApiScope = (scope: string): scope is ApiScope => (apiScopes as readonly string[]).includes(scope);
const isPersonalScope = (scope: string): scope is PersonalScope =>
  (personalScopes as readonly string[]).includes(scope);

/** Returns the message key of a scope, in which dots and colons are not allowed; undefined for an unknown scope. */
export const wordOf = (scope: string): keyof Words['scopes']['words'] | undefined =>
  isApiScope(scope) || isPersonalScope(scope)
    ? (scope.replace(/[.:]/, '_') as keyof Words['scopes']['words'])
    : undefined;

/** Reports whether only users who have the scope may grant it. */
export const isConferred = isApiScope;
