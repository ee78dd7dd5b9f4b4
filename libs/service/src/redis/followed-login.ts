import { Cluster } from 'ioredis';
import { parseRedisAddress } from '../kit/redis-address.ts';
import { latest } from '../kit/secret-files.ts';
import type { Redis, RedisServer } from './connection.ts';

/**
 * Has each connection that is made anew log in with what the file of REDIS_URL says by then: passwords are replaced while processes run. So do
 * those that others make like this one: BullMQ's workers wait on a connection of their own.
 */
export function followLogin(redis: Redis, url: string): void {
  followInCopies(redis, url);
  if (redis instanceof Cluster) {
    // Each node has a connection of its own, which isn't made yet when it is added.
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
    // It logs in with what its original did, which may be long ago.
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
