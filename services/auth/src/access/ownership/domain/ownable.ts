import type { ApiScope } from '@ostiary/access';
import type { Transaction } from '@ostiary/service';
import type { RoleStore } from '../../roles/domain/role-store.ts';
import { scopesOfRoles } from '../../roles/domain/roles.ts';
import type { OwnedKind } from './credential-owner.ts';

/** Kinds of objects that end with their user, including those that provisioning stores. */
export type Ownable = OwnedKind | 'connector' | 'invitation' | 'webhook';

/**
 * Scope that permits creating and changing each kind. A user who loses the last role with the scope no longer owns the
 * kind; users without it cannot become owners.
 */
export const holdingScopes: Readonly<Record<Ownable, ApiScope>> = {
  client: 'clients:write',
  service_account: 'clients:write',
  api_key: 'clients:write',
  connector: 'connectors:write',
  invitation: 'access:write',
  webhook: 'webhooks:write',
};

export const allOwnable = Object.keys(holdingScopes) as readonly Ownable[];

/** Returns the kinds that a user may own with the current roles. */
export async function ownableBy(
  o: { roleStore: RoleStore },
  tx: Transaction,
  tenant: string,
  subjectId: string,
): Promise<readonly Ownable[]> {
  const scopes = scopesOfRoles((await o.roleStore.rolesOf(tx, tenant, [subjectId])).get(subjectId) ?? []);
  return allOwnable.filter((kind) => scopes.has(holdingScopes[kind]));
}
