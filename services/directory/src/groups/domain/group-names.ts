import { type TenantPolicySettings, tenantPolicyOf } from '@ostiary/events';
import { groupNameKey } from '@ostiary/scim';
import { NotUniqueValue } from '../../errors/index.ts';
import type { StoredResource } from '../../resources/index.ts';

/** The names of one tenant's groups, inside a transaction. */
export interface GroupNameStore {
  /**
   * Reports whether another group has the name. Until the transaction ends, other transactions that ask for the same
   * name wait.
   */
  isTaken(displayName: string, id: string): Promise<boolean>;
}

/** The tables that the rule about names needs inside a transaction. */
export interface GroupNameTables {
  settings: { policySettings(): Promise<TenantPolicySettings> };
  groupNames: GroupNameStore;
}

/**
 * Rejects a name that another group has, where the tenant's policy requires unique names. Groups that shared a name
 * before keep it. Runs in the transaction of the change; writers of one name wait for each other.
 * @throws NotUniqueValue
 */
export async function mustBeFreeName(
  tables: GroupNameTables,
  before: StoredResource | undefined,
  after: StoredResource,
  defaults: TenantPolicySettings,
): Promise<void> {
  const name = nameOf(after);
  if (before && groupNameKey(nameOf(before)) === groupNameKey(name)) return;
  const { uniqueGroupNames } = tenantPolicyOf(await tables.settings.policySettings(), defaults);
  if (uniqueGroupNames && (await tables.groupNames.isTaken(name, after.id))) {
    throw new NotUniqueValue(
      'Another group has this displayName, and this tenant requires unique group names.',
      'displayName',
    );
  }
}

const nameOf = ({ data }: StoredResource): string => String(data.displayName);
