import type { GroupSnapshot } from '@ostiary/events';
import type { StoredResource } from '../../resources/index.ts';

/** What events say of a group; which members were added and removed is added by the caller. */
export const groupSnapshot = (
  group: StoredResource,
  { source }: { source?: string | undefined },
): GroupSnapshot => ({
  id: group.id,
  displayName: String(group.data.displayName),
  externalIds: group.externalIds,
  ...(source !== undefined && { source }),
  changedAt: group.updatedAt.toISOString(),
});
