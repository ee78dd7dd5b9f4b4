import type { ApiScope } from '@ostiary/access';
import type { Transaction } from '@ostiary/service';
import { type RoleStore, scopesOfRoles } from '../../roles/index.ts';
import type { OwnedKind } from './credential-owner.ts';

/** All that ends with a user, what provisioning keeps too. */
export type Ownable = OwnedKind | 'connector' | 'invitation' | 'webhook';

/**
 * Without it nobody makes or changes what is owned; so whoever loses the last role that gives it owns it no longer, and who doesn't have
 * it is given none.
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

/** Of which kinds somebody may own things, by the roles they have now. */
export async function ownableBy(
  o: { roleStore: Pick<RoleStore, 'rolesOf'> },
  tx: Transaction,
  tenant: string,
  subjectId: string,
): Promise<readonly Ownable[]> {
  const scopes = scopesOfRoles((await o.roleStore.rolesOf(tx, tenant, [subjectId])).get(subjectId) ?? []);
  return allOwnable.filter((kind) => scopes.has(holdingScopes[kind]));
}
