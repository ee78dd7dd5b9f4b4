import { forbidden, type GraphContext, requirePrincipal } from '@ostiary/graph';
import type { RoleDirectory } from '../domain/role-directory.ts';
import { mayActOn, mayGiveRole } from '../domain/roles.ts';

/** Decides whether a caller may act on a user, by the roles of both. */
export class ActingRules {
  readonly #roles: RoleDirectory;

  constructor(roles: RoleDirectory) {
    this.#roles = roles;
  }

  /**
   * Rejects changes to the sign-in of a user with a role unless the caller could assign each of the roles or is that
   * user: help desks cannot lock out administrators.
   * @throws FORBIDDEN
   */
  async requireMayActOn(context: GraphContext<unknown>, subjectId: string): Promise<void> {
    const { tenant, kind, subject, scopes } = requirePrincipal(context);
    if (kind === 'user' && subject === subjectId) return;
    // Reads all values of the map: its keys may differ in case from `subjectId`, because the database ignores case in
    // ids.
    const held = [...(await this.#roles.of(tenant, [subjectId])).values()].flat();
    if (!mayActOn(scopes, held)) throw beyondReach(scopes);
  }

  /**
   * Rejects removing a role from all members of a group unless the caller could assign each role of each member.
   * @throws FORBIDDEN
   */
  async requireMayActOnHolders(context: GraphContext<unknown>, groupId: string): Promise<void> {
    const { tenant, scopes } = requirePrincipal(context);
    if (!mayActOn(scopes, await this.#roles.ofHolders(tenant, groupId))) throw beyondReach(scopes);
  }
}

export interface ActingDependencies {
  acting: ActingRules;
}

/** @throws FORBIDDEN when the role exceeds the caller's own scopes */
export function requireMayGive(context: GraphContext<unknown>, role: string): void {
  const { scopes } = requirePrincipal(context);
  if (!mayGiveRole(scopes, role)) throw beyondReach(scopes);
}

export const beyondReach = (scopes: ReadonlySet<string>) =>
  forbidden(scopes.has('roles:write') ? [] : ['roles:write']);
