import { createHash } from 'node:crypto';
import { decodeDates } from './dates.ts';

/** One use of an idempotency key. */
export interface KeyUse {
  /** Of the caller. */
  tenant: string;
  /** Digest of the caller: a key means nothing to any other. */
  caller: string;
  key: string;
  /** Digest of what is asked for. */
  fingerprint: string;
}

/** What a key has led to. */
export interface KeyOutcome {
  fingerprint: string;
  outcome: unknown;
}

/** Where the outcomes of keys are kept. */
export interface IdempotencyStore {
  /** What the key has led to; undefined when it is new. */
  outcomeOf(use: KeyUse, now: Date): Promise<KeyOutcome | undefined>;
  /**
   * Does work under an idempotency key, in one transaction with keeping its outcome.
   * @returns undefined, and nothing is done, when another request has used the key meanwhile
   */
  once<T extends object>(use: KeyUse, now: Date, work: () => Promise<T>): Promise<T | undefined>;
}

/** One use of a key: by whom, and for what. */
export interface KeyedRequest {
  /** Of the caller. */
  tenant: string;
  /** Everything that tells one caller from another. */
  caller: readonly (string | undefined)[];
  key: string;
  /** What is asked for: JSON values. */
  request: unknown;
}

/** The key came with something else before. */
export class KeyReused extends Error {}

/** Changes that a caller may repeat without knowing whether they were made: each key has one effect and one answer. */
export class Idempotency {
  readonly #store: IdempotencyStore;
  readonly #clock: () => number;

  constructor(store: IdempotencyStore, clock: () => number) {
    this.#store = store;
    this.#clock = clock;
  }

  /**
   * Makes a change, or answers as it was answered when the key was used before, within 24 hours. The change and its answer
   * are written in one transaction; of several at once, one makes the change and the others wait for its answer.
   * @param work all transactions it begins become one; it may run again after a deadlock
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

/** The same content in the same order, however it was sent. */
function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered);
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return Object.fromEntries(
    members.sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, member]) => [name, ordered(member)]),
  );
}
