import { createHash } from 'node:crypto';
import type { Redis } from 'ioredis';

/** Short-lived things that count once, in Redis. */
export interface OneTime {
  /** Marks something as used; of any number of callers within the time, one gets true. */
  spend(value: string, seconds: number): Promise<boolean>;
  /** Keeps something sealed for a page that comes right after a form. */
  keep(id: string, sealed: Buffer, seconds: number): Promise<void>;
  kept(id: string): Promise<Buffer | undefined>;
}

export function createOneTime(redis: Redis, prefix: string): OneTime {
  const key = (kind: string, value: string): string =>
    `${prefix}:auth:${kind}:${createHash('sha256').update(value).digest('base64url')}`;
  return {
    async spend(value, seconds) {
      return (await redis.set(key('spent', value), '', 'EX', seconds, 'NX')) === 'OK';
    },
    async keep(id, sealed, seconds) {
      await redis.set(key('kept', id), sealed, 'EX', seconds);
    },
    async kept(id) {
      return (await redis.getBuffer(key('kept', id))) ?? undefined;
    },
  };
}
