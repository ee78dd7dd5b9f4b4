import { createHash } from 'node:crypto';
import { isNestedTooDeeply, type PersistedQueries } from '@ostiary/graph';
import type { Logger, Redis } from '@ostiary/service';
import { LRUCache } from 'lru-cache';

const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex');

export interface PersistedQueryCacheOptions {
  redis?: Redis | undefined;
  prefix: string;
  log: Logger;
}

/** Lifetime of a query after its last registration. Clients then register it again. */
const lifetimeSeconds = 86_400;
/** Maximum length of a kept query in characters. A longer query is executed and not kept. */
const longest = 32_768;
const mostKept = 1_000;

/**
 * Automatic persisted queries, kept in Redis for all gateways and in this process for speed. A text is kept under its
 * own SHA-256 digest, only after validation. It identifies no client and grants nothing, so tenants share it. Without
 * Redis a gateway finds only the queries that were registered with it.
 */
export class PersistedQueryCache implements PersistedQueries {
  readonly ttl = lifetimeSeconds;
  readonly cache: NonNullable<PersistedQueries['cache']> = {
    get: (key) => this.#get(key),
    set: (key, text) => this.#set(key, text),
    delete: (key) => this.#delete(key),
  };
  readonly #options: PersistedQueryCacheOptions;
  readonly #kept = new LRUCache<string, string>({ max: mostKept });
  #isFailing = false;

  constructor(options: PersistedQueryCacheOptions) {
    this.#options = options;
  }

  async #get(key: string): Promise<string | undefined> {
    if (!isKey(key)) return undefined;
    const own = this.#kept.get(key);
    if (own !== undefined) return own;
    // The range limits the memory that a foreign value in Redis can take.
    const shared = await this.#ask((redis) => redis.getrange(this.#name(key), 0, 4 * longest));
    // A writer of Redis cannot substitute another operation: the digest must match.
    if (typeof shared !== 'string' || key !== `apq:${digestOf(shared)}`) return undefined;
    // Another program may have written a text that was never admitted.
    if (isNestedTooDeeply(shared)) return undefined;
    this.#kept.set(key, shared);
    return shared;
  }

  async #set(key: string, text: string): Promise<void> {
    if (!isKey(key) || text.length > longest || this.#kept.has(key)) return;
    this.#kept.set(key, text);
    await this.#ask((redis) => redis.set(this.#name(key), text, 'EX', lifetimeSeconds));
  }

  async #delete(key: string): Promise<boolean> {
    await this.#ask((redis) => redis.del(this.#name(key)));
    return this.#kept.delete(key);
  }

  /** A failure of Redis counts as a miss: the client then sends the whole query. */
  async #ask<T>(command: (redis: Redis) => Promise<T>): Promise<T | undefined> {
    const { redis, log } = this.#options;
    if (!redis) return undefined;
    try {
      const answer = await command(redis);
      this.#isFailing = false;
      return answer;
    } catch (error) {
      if (!this.#isFailing)
        log.warn(
          { event: 'persisted_queries.not_shared', err: error },
          'Persisted queries are not shared between processes; Redis is unavailable',
        );
      this.#isFailing = true;
      return undefined;
    }
  }

  #name(key: string): string {
    return `${this.#options.prefix}:graph:${key}`;
  }
}

/** Reports whether Apollo Server made the key: `apq:` and a digest. */
const isKey = (key: string): boolean => /^apq:[0-9a-f]{64}$/.test(key);
