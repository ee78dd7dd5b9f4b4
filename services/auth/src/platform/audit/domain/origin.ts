import { AsyncLocalStorage } from 'node:async_hooks';
import { type Principal, whoActs } from '@ostiary/access';
import type { Actor } from '@ostiary/events';

/** Request during which an event is recorded, with the fields that the security log stores. */
export interface Origin {
  /** Read when an event is recorded, because it is set only after the token was verified. */
  readonly principal: Principal | undefined;
  readonly ipAddress: string;
  readonly userAgent: string | undefined;
}

const storage = new AsyncLocalStorage<Origin>();

/** Runs `work` with the origin of a request. */
export const runFrom = <T>(origin: Origin, work: () => T): T => storage.run(origin, work);

/** Returns the origin of the current request; undefined in jobs. */
export const currentOrigin = (): Origin | undefined => storage.getStore();

const asked = new AsyncLocalStorage<Actor>();

/** Runs `work` on behalf of an actor that another service named. */
export const runFor = <T>(actor: Actor | undefined, work: () => T): T =>
  actor === undefined ? work() : asked.run(actor, work);

/** Actor of jobs and of requests of other services that name no actor. */
const itself: Actor = { kind: 'system', id: 'auth' };

/**
 * Returns the actor of the current work: the one that `runFor` set, otherwise the principal of the access token. Pages
 * have no token; their actor is the user of the page.
 */
export function currentActor(subjectId: string | undefined): Actor {
  const known = asked.getStore();
  if (known) return known;
  const origin = storage.getStore();
  if (origin?.principal) return whoActs(origin.principal);
  return origin && subjectId !== undefined ? { kind: 'user', id: subjectId } : itself;
}
