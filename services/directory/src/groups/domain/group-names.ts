import { type TenantPolicySettings, tenantPolicyOf } from '@ostiary/events';
import { groupNameKey } from '@ostiary/scim';
import type { TenantChange } from '../../composition/store.ts';
import { NotUniqueValue } from '../../errors/domain/refusals.ts';
import type { StoredResource } from '../../resources/data/rows.ts';

/**
 * Refuses a group a name that another one has, where the tenant's policy is that names are unique. Groups that had the same name
 * before it was keep it. In the transaction of the change; writers of one name come one after the other.
 * @throws NotUniqueValue
 */
export async function mustBeFreeName(
  tables: Pick<TenantChange, 'settings' | 'groupNames'>,
  before: StoredResource | undefined,
  after: StoredResource,
  defaults: TenantPolicySettings,
): Promise<void> {
  const name = nameOf(after);
  if (before && groupNameKey(nameOf(before)) === groupNameKey(name)) return;
  const { uniqueGroupNames } = tenantPolicyOf(await tables.settings.policySettings(), defaults);
  if (uniqueGroupNames && (await tables.groupNames.isTaken(name, after.id))) {
    throw new NotUniqueValue(
      'Another group has this displayName, and this tenant wants each only once.',
      'displayName',
    );
  }
}

const nameOf = ({ data }: StoredResource): string => String(data.displayName);
