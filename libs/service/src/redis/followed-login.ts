import { Cluster } from 'ioredis';
import { parseRedisAddress } from '../kit/redis-address.ts';
import { latest } from '../kit/secret-files.ts';
import type { Redis, RedisServer } from './connection.ts';

/**
 * Makes every reconnection use the credentials in the file of REDIS_URL, because passwords are rotated while
 * processes run. Includes duplicates of this connection, such as the blocking connections of BullMQ's
 * workers.
 */
export function followLogin(redis: Redis, url: string): void {
  followInCopies(redis, url);
  if (redis instanceof Cluster) {
    // Each node has its own connection, which does not exist yet when the node is added.
    redis.on('+node', (node: RedisServer) => follow(node, url));
    redis.on('node error', () => {
      for (const node of redis.nodes()) follow(node, url);
    });
  } else redis.on('close', () => follow(redis, url));
}

function followInCopies(redis: Redis, url: string): void {
  const copy = redis.duplicate.bind(redis) as (...given: unknown[]) => Redis;
  redis.duplicate = ((...given: unknown[]) => {
    const made = copy(...given);
    // A duplicate would use the credentials of its original, which may be outdated.
    if (!(made instanceof Cluster)) follow(made, url);
    followLogin(made, url);
    return made;
  }) as never;
}

function follow({ options }: RedisServer, url: string): void {
  const now = latest(url);
  if (now === url) return;
  const address = parseRedisAddress(now);
  Object.assign(options, { username: address.username, password: address.password });
  if (address.mode !== 'sentinel') return;
  const { username, password } = address.sentinel;
  Object.assign(options, { sentinelUsername: username ?? null, sentinelPassword: password ?? null });
}
