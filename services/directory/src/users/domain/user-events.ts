import type { EventType } from '@ostiary/events';
import type { StoredResource } from '../../resources/index.ts';

export type UserEvent = Extract<EventType, `user.${string}`>;

/** Deactivation and reactivation have events of their own; they carry the whole user, so other changes travel along. */
export function eventOf(before: StoredResource | undefined, after: StoredResource): UserEvent {
  const was = before?.data.active !== false;
  const is = after.data.active !== false;
  if (was === is) return 'user.updated';
  return is ? 'user.reactivated' : 'user.deactivated';
}

/** What is left to say of somebody of whom there is nothing any more. */
export const nobody = (id: string, version: number, now: Date): StoredResource => ({
  id,
  version,
  data: { userName: id, active: false },
  externalIds: {},
  vouchedEmails: {},
  createdAt: now,
  updatedAt: now,
});
