import { type ApiScope, apiScopes } from '@ostiary/access';
import { type CarriedRoles, isApiRole } from '../../../tenancy/index.ts';

const everything = Object.keys(apiScopes) as ApiScope[];

/**
 * Scopes of each role in the user's tenant, beyond the user's own account. A new role needs an entry in
 * docs/reference/roles.md too.
 */
const scopesByRole = {
  tenant_admin: everything,
  /** Finds users, ends their sessions and sends links to renew sign-in; not for users with a role. */
  help_desk: ['users:read', 'groups:read', 'sessions:read', 'sessions:write', 'access:write'],
  /** Reads everything, including audit and provisioning logs. */
  auditor: everything.filter((scope) => scope.endsWith(':read')),
} as const satisfies Record<string, readonly ApiScope[]>;

/** Scopes of which each permits changes to the sign-in of other users. */
export const signInScopes: readonly string[] = ['users:write', 'access:write'];

export type Role = keyof typeof scopesByRole;

export const roles = Object.keys(scopesByRole) as readonly Role[];

export const isRole = (text: string): text is Role => Object.hasOwn(scopesByRole, text);

/** Returns the API scopes of these roles together. An unknown role has none. */
export const scopesOfRoles = (held: readonly string[]): ReadonlySet<string> =>
  new Set(held.filter(isRole).flatMap((role) => scopesByRole[role]));

/** API scopes that any role has. */
export const roleScopes: readonly string[] = [...scopesOfRoles(roles)];

/** Scopes that a caller needs to assign a role of an API: those to assign roles and those to define the API. */
const scopesToGiveApiRole = ['roles:write', 'clients:write'];

/**
 * Returns the scopes that a caller needs to assign this role: `roles:write` and all scopes of the role. An unknown role
 * requires `roles:write`.
 */
export const scopesToGive = (role: string): string[] =>
  isApiRole(role)
    ? scopesToGiveApiRole
    : [...new Set(['roles:write', ...(isRole(role) ? scopesByRole[role] : [])])];

/**
 * Returns the scopes that a caller needs to change the sign-in of a user with these roles. Roles of APIs require none,
 * as scopes of APIs: a caller who may change the sign-in of users can act as users at the APIs.
 */
export const scopesToActOn = (roles: readonly string[]): string[] =>
  roles.filter((role) => !isApiRole(role)).flatMap(scopesToGive);

/**
 * Reports whether a caller with these scopes may assign this role: no role exceeds the scopes of the caller who assigns
 * it.
 */
export const mayGiveRole = (scopes: ReadonlySet<string>, role: string): boolean =>
  scopesToGive(role).every((scope) => scopes.has(scope));

/** Returns the roles that a sign-in method carries if a caller with these scopes sets it for a user. */
export function rolesGivableWith(scopes: ReadonlySet<string>): CarriedRoles {
  const givable = roles.filter((role) => mayGiveRole(scopes, role));
  return givable.length === roles.length ? null : givable;
}

/**
 * Reports whether a caller with these scopes may change the sign-in of a user with these roles (end sessions, reset
 * access, remove a role). The caller must be able to assign each of the roles, because such a change gives access to
 * their rights.
 */
export const mayActOn = (scopes: ReadonlySet<string>, held: readonly string[]): boolean =>
  scopesToActOn(held).every((scope) => scopes.has(scope));
