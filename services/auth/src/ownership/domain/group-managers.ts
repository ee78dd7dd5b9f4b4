import type { Transaction } from '@ostiary/service';
import { roles, scopesOfRoles } from '../../roles/index.ts';
import type { DirectoryGroups } from '../../subjects/index.ts';
import { allOwnable, holdingScopes, type Ownable } from './ownable.ts';
import type { OwnerCheckStore, OwningScope } from './owner-checks.ts';

/** Scope by which a member of a group manages what the group owns of a kind. A secret that a group knows is one of a program. */
export const owningScopeOf = (kind: Ownable): OwningScope =>
  holdingScopes[kind] === 'connectors:write' ? 'connectors:write' : 'clients:write';

/** Kinds that a group owns no longer when no active member has the scope. */
export const kindsOfScopes = (scopes: readonly OwningScope[]): Ownable[] =>
  allOwnable.filter((kind) => scopes.includes(owningScopeOf(kind)));

/**
 * Returns the groups with an active member, directly or through other groups, whose role gives the scope, and those that do not exist.
 * Roles are this service's, members the directory's: neither a role nor a membership that is not projected yet changes the answer.
 * @throws ServiceUnavailable
 */
export async function managedGroups(
  o: { groups: Pick<DirectoryGroups, 'attended'>; ownerChecks: Pick<OwnerCheckStore, 'managersOf'> },
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
