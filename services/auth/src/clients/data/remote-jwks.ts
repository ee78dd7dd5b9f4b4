import {
  type FetchedDocument,
  OutgoingFetchError,
  type SafeFetch,
  ServiceUnavailable,
} from '@ostiary/service';
import type { JSONWebKeySet } from 'jose';
import { LRUCache } from 'lru-cache';

interface CachedSet {
  /** Unix ms of the last attempt. */
  triedAt: number;
  /** Unix ms until which `set` is fresh. */
  freshUntil: number;
  set: JSONWebKeySet | undefined;
}

/** Milliseconds. */
const shortestLife = 60_000;
const longestLife = 3_600_000;
const usualLife = 600_000;
const cooldown = 10_000;
const longestStale = 24 * 3_600_000;
const mostKeys = 50;

/**
 * Key sets of others (`jwks_uri`), fetched safely and kept. A set is fetched anew when it is no longer fresh, or when a key
 * is asked for that it doesn't have; at most every ten seconds an address, so that made-up key ids cost its owner
 * nothing. While its owner is away, a set goes on working for a day.
 */
export class RemoteJwks {
  readonly #fetch: SafeFetch;
  readonly #clock: () => number;
  readonly #cache = new LRUCache<string, CachedSet>({ max: 2_000 });
  readonly #fetching = new Map<string, Promise<CachedSet>>();

  constructor(fetch: SafeFetch, clock: () => number) {
    this.#fetch = fetch;
    this.#clock = clock;
  }

  /**
   * The key set at an address; `refresh` asks for one newer than what was given before.
   * @throws ServiceUnavailable when there is none to be had
   */
  async get(uri: string, refresh = false): Promise<JSONWebKeySet> {
    const cached = this.#cache.get(uri);
    const now = this.#clock();
    const wanted = cached === undefined || refresh || now >= cached.freshUntil;
    if (cached !== undefined && (!wanted || now - cached.triedAt < cooldown)) return usable(cached, now);
    return usable(await this.#load(uri, cached), now);
  }

  #load(uri: string, before: CachedSet | undefined): Promise<CachedSet> {
    let fetching = this.#fetching.get(uri);
    if (!fetching) {
      fetching = this.#ask(uri, before).finally(() => this.#fetching.delete(uri));
      this.#fetching.set(uri, fetching);
    }
    return fetching;
  }

  async #ask(uri: string, before: CachedSet | undefined): Promise<CachedSet> {
    const triedAt = this.#clock();
    let entry: CachedSet;
    try {
      const document = await this.#fetch(uri, { accept: 'application/jwk-set+json, application/json' });
      entry = { triedAt, freshUntil: triedAt + lifeOf(document), set: readKeySet(document.body) };
    } catch (error) {
      if (!(error instanceof OutgoingFetchError)) throw error;
      entry = { triedAt, freshUntil: before?.freshUntil ?? 0, set: before?.set };
    }
    this.#cache.set(uri, entry);
    return entry;
  }
}

function usable(entry: CachedSet, now: number): JSONWebKeySet {
  if (entry.set && now < entry.freshUntil + longestStale) return entry.set;
  throw new ServiceUnavailable('jwks_uri');
}

const lifeOf = ({ maxAge }: FetchedDocument): number =>
  Math.min(Math.max(maxAge === undefined ? usualLife : maxAge * 1_000, shortestLife), longestLife);

function readKeySet(body: Buffer): JSONWebKeySet {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'));
    const keys = (value as { keys?: unknown } | null)?.keys;
    if (Array.isArray(keys) && keys.length <= mostKeys && keys.every(isObject)) return { keys };
  } catch {
    // Answered below.
  }
  throw new OutgoingFetchError('failed', 'The response is not a JWK set.');
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
