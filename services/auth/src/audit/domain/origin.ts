import { AsyncLocalStorage } from 'node:async_hooks';
import { type Principal, whoActs } from '@ostiary/access';
import type { Actor } from '@ostiary/events';

/** The request something is done for, as far as the security log tells where it came from. */
export interface Origin {
  /** Of the request; read when something is recorded, because it is known only after the token was verified. */
  readonly principal: Principal | undefined;
  readonly ipAddress: string;
  readonly userAgent: string | undefined;
}

const storage = new AsyncLocalStorage<Origin>();

/** Runs `work` as a part of the request. */
export const runFrom = <T>(origin: Origin, work: () => T): T => storage.run(origin, work);

/** Where what is being done comes from; undefined for what this service does by itself. */
export const currentOrigin = (): Origin | undefined => storage.getStore();

const asked = new AsyncLocalStorage<Actor>();

/** Runs `work` as done by somebody of whom another service says so, for it only passes on what they did. */
export const runFor = <T>(actor: Actor | undefined, work: () => T): T =>
  actor === undefined ? work() : asked.run(actor, work);

/** This service itself: what happens by the clock, or because another service says so. */
const itself: Actor = { kind: 'system', id: 'auth' };

/**
 * Who does what is being done: of whom that is said, or whoever the request's access token speaks for. A page has no token; what is done on one is
 * done by the person it is done to.
 */
export function currentActor(subjectId: string | undefined): Actor {
  const known = asked.getStore();
  if (known) return known;
  const origin = storage.getStore();
  if (origin?.principal) return whoActs(origin.principal);
  return origin && subjectId !== undefined ? { kind: 'user', id: subjectId } : itself;
}
