import { createHash } from 'node:crypto';
import type { PersistedQueries } from '@ostiary/graph';
import type { Logger, Redis } from '@ostiary/service';
import { LRUCache } from 'lru-cache';

const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex');

export interface PersistedQueriesOptions {
  redis?: Redis | undefined;
  prefix: string;
  log: Logger;
}

/** Queries are forgotten a day after they were last registered; clients then send them once more. */
const lifetimeSeconds = 86_400;
/** Longer ones aren't kept; they work all the same. */
const longest = 32_768;
const mostKept = 1_000;

/**
 * Automatic persisted queries, kept in Redis for all gateways and in this process for speed. What is kept is text by
 * its own SHA-256, and only after it passed validation: it says nothing about who sent it and grants nothing, so tenants
 * share it. Without Redis a gateway knows only what it was told itself.
 */
export function persistedQueries({ redis, prefix, log }: PersistedQueriesOptions): PersistedQueries {
  const kept = new LRUCache<string, string>({ max: mostKept });
  let reported = false;
  /** Redis is a convenience here: whatever happens to it, the client is asked for the whole query. */
  const ask = async <T>(command: (redis: Redis) => Promise<T>): Promise<T | undefined> => {
    if (!redis) return undefined;
    try {
      const answer = await command(redis);
      reported = false;
      return answer;
    } catch (error) {
      if (!reported) log.warn({ err: error }, 'persisted queries are not shared right now');
      reported = true;
      return undefined;
    }
  };
  // Apollo Server puts `apq:` in front.
  const known = (key: string): boolean => /^apq:[0-9a-f]{64}$/.test(key);
  const name = (key: string): string => `${prefix}:graph:${key}`;
  return {
    ttl: lifetimeSeconds,
    cache: {
      async get(key) {
        if (!known(key)) return undefined;
        const own = kept.get(key);
        if (own !== undefined) return own;
        // No more of it than could be one: whatever is there mustn't fill this process.
        const shared = await ask((connection) => connection.getrange(name(key), 0, 4 * longest));
        // Whoever can write to Redis must not be able to put words into clients' mouths.
        if (typeof shared !== 'string' || key !== `apq:${digestOf(shared)}`) return undefined;
        kept.set(key, shared);
        return shared;
      },
      async set(key, text) {
        if (!known(key) || text.length > longest || kept.has(key)) return;
        kept.set(key, text);
        await ask((connection) => connection.set(name(key), text, 'EX', lifetimeSeconds));
      },
      async delete(key) {
        await ask((connection) => connection.del(name(key)));
        return kept.delete(key);
      },
    },
  };
}
