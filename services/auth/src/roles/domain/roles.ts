import { type ApiScope, apiScopes } from '@ostiary/access';
import type { CarriedRoles } from '../../subjects/index.ts';

const everything = Object.keys(apiScopes) as ApiScope[];

/** What a role lets a person do in their tenant beyond their own account. A new role belongs into docs/reference/roles.md too. */
const scopesByRole = {
  /** Everything the tenant's API offers. */
  tenant_admin: everything,
  /** Finds people, ends their sessions, and sends them a way back in; nothing of that for people who have a role. */
  help_desk: ['users:read', 'groups:read', 'sessions:read', 'sessions:write', 'access:write'],
  /** Reads everything, the audit and provisioning logs too. */
  auditor: everything.filter((scope) => scope.endsWith(':read')),
} as const satisfies Record<string, readonly ApiScope[]>;

export type Role = keyof typeof scopesByRole;

/** Roles a person can have in their tenant. */
export const roles = Object.keys(scopesByRole) as readonly Role[];

export const isRole = (text: string): text is Role => Object.hasOwn(scopesByRole, text);

/** The API scopes these roles bring together. A role this version doesn't know brings none. */
export const scopesOfRoles = (held: readonly string[]): ReadonlySet<string> =>
  new Set(held.filter(isRole).flatMap((role) => scopesByRole[role]));

/** Every API scope that some role brings. */
export const roleScopes: readonly string[] = [...scopesOfRoles(roles)];

/** What whoever gives this role must have: leave to give roles, and all that it brings. */
export const scopesToGive = (role: Role): string[] => [...new Set(['roles:write', ...scopesByRole[role]])];

/** What whoever acts on the sign-in of a person with this role must have; of a role this version doesn't know, leave to give roles. */
export const scopesToActOn = (roles: readonly string[]): string[] =>
  roles.flatMap((role) => (isRole(role) ? scopesToGive(role) : ['roles:write']));

/** Whether somebody with these scopes may give this role: none that reaches further than they do. */
export const mayGiveRole = (scopes: ReadonlySet<string>, role: Role): boolean =>
  scopesToGive(role).every((scope) => scopes.has(scope));

/** Returns the roles that a way in carries that a caller with these scopes sets for a user. */
export function rolesGivableWith(scopes: ReadonlySet<string>): CarriedRoles {
  const givable = roles.filter((role) => mayGiveRole(scopes, role));
  return givable.length === roles.length ? null : givable;
}

/**
 * Whether somebody with these scopes may do what touches the sign-in of a person with these roles (end sessions, reset
 * access, take a role away): where there are any, only who could give each of them. It would be the way to their rights.
 */
export const mayActOn = (scopes: ReadonlySet<string>, held: readonly string[]): boolean =>
  held.every((role) => scopes.has('roles:write') && (!isRole(role) || mayGiveRole(scopes, role)));
