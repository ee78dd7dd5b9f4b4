import type { TestService } from './service.ts';

/** As if everybody who has had to wait had begun to only now: on a busy machine the first wait may be over. */
export async function waitingAnew({ deps: { redis, env } }: TestService): Promise<void> {
  const [seconds] = await redis.time();
  for (const key of await redis.keys(`${env.REDIS_PREFIX}:auth:attempts:*`)) {
    if (await redis.hexists(key, 'next'))
      await redis.hset(key, 'next', String((Number(seconds) + 6) * 1_000));
  }
}
