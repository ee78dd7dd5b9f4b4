import { forbidden, type GraphContext, requirePrincipal } from '@ostiary/graph';
import type { ActingRules } from '../../../platform/subgraph/graph/acting.ts';
import type { RoleDirectory } from '../domain/role-sources.ts';
import { mayActOn, mayGiveRole, type Role } from '../domain/roles.ts';

/** @see ActingRules */
export class RolesActedOn implements ActingRules {
  readonly #roles: RoleDirectory;

  constructor(roles: RoleDirectory) {
    this.#roles = roles;
  }

  async requireMayActOn(context: GraphContext<unknown>, subjectId: string): Promise<void> {
    const { tenant, kind, subject, scopes } = requirePrincipal(context);
    if (kind === 'user' && subject === subjectId) return;
    // Reads all values of the map: its keys may differ in case from `subjectId`, because the database ignores case in
    // ids.
    const held = [...(await this.#roles.of(tenant, [subjectId])).values()].flat();
    if (!mayActOn(scopes, held)) throw beyondReach(scopes);
  }

  async requireMayActOnHolders(context: GraphContext<unknown>, groupId: string): Promise<void> {
    const { tenant, scopes } = requirePrincipal(context);
    if (!mayActOn(scopes, await this.#roles.ofHolders(tenant, groupId))) throw beyondReach(scopes);
  }
}

/** @throws FORBIDDEN when the role exceeds the caller's own scopes */
export function requireMayGive(context: GraphContext<unknown>, role: Role): void {
  const { scopes } = requirePrincipal(context);
  if (!mayGiveRole(scopes, role)) throw beyondReach(scopes);
}

export const beyondReach = (scopes: ReadonlySet<string>) =>
  forbidden(scopes.has('roles:write') ? [] : ['roles:write']);
