import { forbidden, type GraphContext, requirePrincipal } from '@ostiary/graph';
import type { PeopleDependencies } from '../../composition/people.ts';
import { rolesOfHolders } from '../../roles/data/group-role-holders.ts';
import { rolesOf } from '../../roles/data/roles.ts';
import { mayActOn, mayGiveRole, type Role } from '../../roles/index.ts';

/**
 * Refuses what touches the sign-in of a person with a role to everybody who could not give it, except the person
 * themselves: help desks can't shut administrators out.
 * @throws FORBIDDEN
 */
export async function requireMayActOn(
  deps: Pick<PeopleDependencies, 'database'>,
  context: GraphContext<unknown>,
  subjectId: string,
): Promise<void> {
  const { tenant, kind, subject, scopes } = requirePrincipal(context);
  if (kind === 'user' && subject === subjectId) return;
  // Not looked up by the id as it was written: to the database, ids in capitals are the same.
  const held = [...(await rolesOf(deps.database.sql, tenant, [subjectId])).values()].flat();
  if (!mayActOn(scopes, held)) throw beyondReach(scopes);
}

/**
 * Refuses what takes a role from everybody in a group to who could not give each role that any of them has.
 * @throws FORBIDDEN
 */
export async function requireMayActOnHolders(
  deps: Pick<PeopleDependencies, 'database'>,
  context: GraphContext<unknown>,
  groupId: string,
): Promise<void> {
  const { tenant, scopes } = requirePrincipal(context);
  if (!mayActOn(scopes, await rolesOfHolders(deps.database.sql, tenant, groupId))) throw beyondReach(scopes);
}

/** @throws FORBIDDEN when the role reaches further than the caller's own scopes */
export function requireMayGive(context: GraphContext<unknown>, role: Role): void {
  const { scopes } = requirePrincipal(context);
  if (!mayGiveRole(scopes, role)) throw beyondReach(scopes);
}

/** The error for touching a role that reaches further than the caller does. */
export const beyondReach = (scopes: ReadonlySet<string>) =>
  forbidden(scopes.has('roles:write') ? [] : ['roles:write']);
