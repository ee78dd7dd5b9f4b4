import { Redis } from 'ioredis';
import type { Logger } from '../kit/log.ts';

export { Redis } from 'ioredis';

export interface RedisClientOptions {
  /** Shown in `CLIENT LIST` and in the log. */
  name: string;
  log: Logger;
  /** For blocking reads and workers: commands wait for the connection instead of failing. */
  blocking?: boolean;
}

/**
 * A Redis or Valkey connection that heals by itself. By default a command fails at once while there is no
 * connection: a request should answer 503, not hang.
 */
export function createRedis(url: string, options: RedisClientOptions): Redis {
  const redis = new Redis(url, {
    connectionName: `ostiary:${options.name}`,
    maxRetriesPerRequest: options.blocking ? null : 1,
    enableOfflineQueue: options.blocking ?? false,
    connectTimeout: 2_000,
    retryStrategy: (attempt: number) => Math.min(50 * 2 ** Math.min(attempt, 6), 2_000),
    ...(options.blocking ? {} : { commandTimeout: 2_000 }),
  });
  let reported = false;
  redis.on('error', (error: Error) => {
    // One line an outage, not one a retry.
    if (!reported) options.log.warn({ redis: options.name, reason: error.message }, 'Redis connection lost');
    reported = true;
  });
  redis.on('ready', () => {
    if (reported) options.log.info({ redis: options.name }, 'Redis connection restored');
    reported = false;
  });
  return redis;
}

/** Resolves once the connection is usable, or rejects after `timeoutMs` or when it is given up. */
export async function redisReady(redis: Redis, timeoutMs = 5_000): Promise<void> {
  if (redis.status === 'ready') return;
  await new Promise<void>((resolve, reject) => {
    const settle = (error?: Error): void => {
      clearTimeout(timer);
      redis.off('ready', onReady).off('end', onEnd);
      if (error) reject(error);
      else resolve();
    };
    const onReady = () => settle();
    const onEnd = () => settle(new Error('The connection to Redis was given up'));
    const timer = setTimeout(() => settle(new Error('Redis did not become ready in time')), timeoutMs);
    redis.once('ready', onReady).once('end', onEnd);
  });
}
