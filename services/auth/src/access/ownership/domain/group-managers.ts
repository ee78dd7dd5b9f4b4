import type { Transaction } from '@ostiary/service';
import type { DirectoryGroups } from '../../../tenancy/index.ts';
import { roles, scopesOfRoles } from '../../roles/domain/roles.ts';
import { allOwnable, holdingScopes, type Ownable } from './ownable.ts';
import type { OwnerCheckStore, OwningScope } from './owner-checks.ts';

/**
 * Returns the scope with which a member of a group manages the group's objects of a kind. A secret that a group knows
 * belongs to a program.
 */
export const owningScopeOf = (kind: Ownable): OwningScope =>
  holdingScopes[kind] === 'connectors:write' ? 'connectors:write' : 'clients:write';

/** Returns the kinds that a group no longer owns when no active member has the scope. */
export const kindsOfScopes = (scopes: readonly OwningScope[]): Ownable[] =>
  allOwnable.filter((kind) => scopes.includes(owningScopeOf(kind)));

/**
 * Returns the groups with an active member, directly or through other groups, whose role gives the scope, and the
 * groups that do not exist. Roles are read here and members in the directory, so roles and memberships that are not
 * projected yet do not change the result.
 * @throws ServiceUnavailable
 */
export async function managedGroups(
  o: { groups: DirectoryGroups; ownerChecks: OwnerCheckStore },
  tx: Transaction,
  tenant: string,
  groupIds: readonly string[],
  scope: OwningScope,
): Promise<{ managed: ReadonlySet<string>; missing: ReadonlySet<string> }> {
  const giving = roles.filter((role) => scopesOfRoles([role]).has(scope));
  const managers = await o.ownerChecks.managersOf(tx, tenant, giving);
  const { active, missing } = await o.groups.attended(tenant, groupIds, managers);
  return { managed: active, missing };
}
