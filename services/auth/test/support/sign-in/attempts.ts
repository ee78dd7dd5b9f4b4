import type { TestService } from './service.ts';

/** Restarts every waiting period now: on a slow machine the first one may be over. */
export async function waitingAnew({ deps: { redis, env } }: TestService): Promise<void> {
  const [seconds] = await redis.time();
  for (const key of await redis.keys(`${env.REDIS_PREFIX}:auth:attempts:*`)) {
    if (await redis.hexists(key, 'next'))
      await redis.hset(key, 'next', String((Number(seconds) + 6) * 1_000));
  }
}
