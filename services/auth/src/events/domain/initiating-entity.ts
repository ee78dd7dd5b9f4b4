import type { Actor } from '@ostiary/events';

/** Who set something off, in the words of CAEP §2. */
export type InitiatingEntity = 'admin' | 'user' | 'policy' | 'system';

/** What the actor of something is to the person it concerns. An identity source decides by itself, as this service does. */
export function initiatingEntity(actor: Actor, subjectId: string): InitiatingEntity {
  if (actor.kind === 'user' && actor.id === subjectId) return 'user';
  // An app that was given a person's token does what its person asked for.
  if (actor.onBehalfOf === subjectId) return 'user';
  return actor.kind === 'system' || actor.kind === 'connector' ? 'system' : 'admin';
}
