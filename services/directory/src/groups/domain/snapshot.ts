import type { GroupSnapshot } from '@ostiary/events';
import type { StoredResource } from '../../resources/index.ts';

/** Returns a group's part of an event. The caller adds the added and removed members. */
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
