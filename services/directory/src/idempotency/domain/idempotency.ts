import { createHash } from 'node:crypto';
import { decodeDates } from './dates.ts';

/** One use of an idempotency key. */
export interface KeyUse {
  /** Tenant of the caller. */
  tenant: string;
  /** Digest of the caller: keys of different callers are independent. */
  caller: string;
  key: string;
  /** Digest of the request. */
  fingerprint: string;
}

/** The stored outcome of a key. */
export interface KeyOutcome {
  fingerprint: string;
  outcome: unknown;
}

export interface IdempotencyStore {
  /** Returns the outcome of the key; undefined when it is new. */
  outcomeOf(use: KeyUse, now: Date): Promise<KeyOutcome | undefined>;
  /**
   * Runs work under an idempotency key, in one transaction with storing its outcome.
   * @returns undefined, and nothing is done, when another request has used the key concurrently
   */
  once<T extends object>(use: KeyUse, now: Date, work: () => Promise<T>): Promise<T | undefined>;
}

/** One use of a key with its caller and request. */
export interface KeyedRequest {
  /** Tenant of the caller. */
  tenant: string;
  /** All parts that distinguish one caller from another. */
  caller: readonly (string | undefined)[];
  key: string;
  /** The request as JSON values. */
  request: unknown;
}

/** The key was used with another request before. */
export class KeyReused extends Error {}

/** Changes that a caller can safely repeat: each key has one effect and one response. */
export class Idempotency {
  readonly #store: IdempotencyStore;
  readonly #clock: () => number;

  constructor(store: IdempotencyStore, clock: () => number) {
    this.#store = store;
    this.#clock = clock;
  }

  /**
   * Makes a change, or returns the response of the key's first use within 24 hours. The change and its response are
   * written in one transaction. Of concurrent requests, one makes the change and the others wait for its response.
   * @param work all transactions that it begins become one; it may run again after a deadlock
   * @throws KeyReused when the key came with another request
   */
  async answer<T extends object>(request: KeyedRequest, work: () => Promise<T>): Promise<T> {
    const use: KeyUse = {
      tenant: request.tenant,
      caller: digest(request.caller.map((part) => part ?? null)),
      key: request.key,
      fingerprint: digest(request.request),
    };
    const now = new Date(this.#clock());
    const before = await this.#store.outcomeOf(use, now);
    if (before) return sameAnswer(before, use);
    const done = await this.#store.once(use, now, work);
    if (done) return done;
    const meanwhile = await this.#store.outcomeOf(use, now);
    if (!meanwhile) throw new Error('an idempotency key was neither free nor taken');
    return sameAnswer(meanwhile, use);
  }
}

function sameAnswer<T extends object>({ fingerprint, outcome }: KeyOutcome, use: KeyUse): T {
  if (fingerprint !== use.fingerprint) throw new KeyReused();
  return decodeDates(outcome) as T;
}

const digest = (value: unknown): string =>
  createHash('sha256')
    .update(JSON.stringify(ordered(value)))
    .digest('base64url');

/** Returns the same content with its members sorted, so that equal requests have equal digests. */
function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered);
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return Object.fromEntries(
    members.sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, member]) => [name, ordered(member)]),
  );
}
