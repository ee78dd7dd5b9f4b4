import type { EventType } from '@ostiary/events';
import type { StoredResource } from '../../resources/index.ts';

export type UserEvent = Extract<EventType, `user.${string}`>;

/**
 * Returns the event of a change. Deactivation and reactivation have events of their own, which contain the whole user
 * and so all other changes.
 */
export function eventOf(before: StoredResource | undefined, after: StoredResource): UserEvent {
  const was = before?.data.active !== false;
  const is = after.data.active !== false;
  if (was === is) return 'user.updated';
  return is ? 'user.reactivated' : 'user.deactivated';
}

/** Returns the state that is published of a deleted user. */
export const nobody = (id: string, version: number, now: Date): StoredResource => ({
  id,
  version,
  data: { userName: id, active: false },
  externalIds: {},
  vouchedEmails: {},
  createdAt: now,
  updatedAt: now,
});
