import type { Actor } from '@ostiary/events';

/** Initiator of an event, by the terms of CAEP §2. */
export type InitiatingEntity = 'admin' | 'user' | 'policy' | 'system';

/**
 * Returns the role of an actor for the user that the event concerns. Identity sources act automatically, like this
 * service.
 */
export function initiatingEntity(actor: Actor, subjectId: string): InitiatingEntity {
  if (actor.kind === 'user' && actor.id === subjectId) return 'user';
  // A client with the user's token acts on the user's behalf.
  if (actor.onBehalfOf === subjectId) return 'user';
  return actor.kind === 'system' || actor.kind === 'connector' ? 'system' : 'admin';
}
