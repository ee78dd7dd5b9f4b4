import {
  type FetchedDocument,
  OutgoingFetchError,
  type SafeFetch,
  ServiceUnavailable,
} from '@ostiary/service';
import type { JSONWebKeySet } from 'jose';
import { LRUCache } from 'lru-cache';

interface CachedSet {
  /** Unix milliseconds of the last attempt. */
  triedAt: number;
  /** Unix milliseconds until which `set` is fresh. */
  freshUntil: number;
  set: JSONWebKeySet | undefined;
}

/** Durations in milliseconds. */
const minLifetime = 60_000;
const maxLifetime = 3_600_000;
const usualLife = 600_000;
const cooldown = 10_000;
const maxStale = 24 * 3_600_000;
const maxKeys = 50;

/**
 * Cache of remote key sets (`jwks_uri`). A set is fetched again when it is stale or lacks a requested key, at most
 * every ten seconds per URI, so that requests with invented key ids do not reach its host. While the host is
 * unavailable, a set stays usable for a day.
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
   * Returns the key set at a URI; `refresh` requests one newer than that returned before.
   * @throws ServiceUnavailable when no usable set is available
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
  if (entry.set && now < entry.freshUntil + maxStale) return entry.set;
  throw new ServiceUnavailable('jwks_uri');
}

const lifeOf = ({ maxAge }: FetchedDocument): number =>
  Math.min(Math.max(maxAge === undefined ? usualLife : maxAge * 1_000, minLifetime), maxLifetime);

function readKeySet(body: Buffer): JSONWebKeySet {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'));
    const keys = (value as { keys?: unknown } | null)?.keys;
    if (Array.isArray(keys) && keys.length <= maxKeys && keys.every(isObject)) return { keys };
  } catch {
    // The error below covers it.
  }
  throw new OutgoingFetchError('failed', 'The response is not a JWK set.');
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
