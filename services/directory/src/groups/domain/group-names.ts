import { type TenantPolicySettings, tenantPolicyOf } from '@ostiary/events';
import { groupNameKey } from '@ostiary/scim';
import type { IdPage } from '@ostiary/service';
import { NotUniqueValue } from '../../errors/index.ts';
import type { StoredResource } from '../../resources/index.ts';

/** The names of one tenant's groups, inside a transaction. */
export interface GroupNameStore {
  /**
   * Whether a group other than this one has the name. Until the transaction ends, no other one that asks for the same name gets
   * an answer.
   */
  isTaken(displayName: string, id: string): Promise<boolean>;
}

/** Groups whose name another one has. */
export interface SharedGroupNames {
  /** In the order of their ids. */
  page(page: IdPage): Promise<StoredResource[]>;
  count(): Promise<number>;
}

/** What the rule about names needs inside a transaction. */
export interface GroupNameTables {
  settings: { policySettings(): Promise<TenantPolicySettings> };
  groupNames: GroupNameStore;
}

/**
 * Rejects a name that another group has, where the tenant's policy is that names are unique. Groups that had the same name
 * before it was keep it. In the transaction of the change; writers of one name come one after the other.
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
