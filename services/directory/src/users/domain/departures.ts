import type { Actor, UserDeparture } from '@ostiary/events';
import { currentTraceparent, uuidv7 } from '@ostiary/service';
import type { StoredResource } from '../../resources/index.ts';
import { isActive } from './edited-user.ts';

/** Returns the departure that a change of this user begins, with a new id for its event. */
export function newDeparture(
  type: UserDeparture['type'],
  { version, updatedAt }: StoredResource,
  actor: Actor,
): UserDeparture {
  const traceparent = currentTraceparent();
  return {
    version,
    type,
    eventId: uuidv7(),
    occurredAt: updatedAt.toISOString(),
    actor,
    ...(traceparent !== undefined && { traceparent }),
  };
}

/** Returns the departure of an active user whose return is published, when the change itself is lost. */
export const departureBeforeReturn = (returned: StoredResource, actor: Actor): UserDeparture =>
  newDeparture('user.deactivated', { ...returned, version: returned.version - 1 }, actor);

/** Returns the departure of a deleted user: the deletion, or the deactivation before it. */
export const departureOfDeletion = (
  before: StoredResource,
  gone: StoredResource,
  actor: Actor,
): UserDeparture | undefined =>
  isActive(before) ? newDeparture('user.deleted', gone, actor) : (before.departure ?? undefined);
