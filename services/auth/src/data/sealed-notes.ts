import { createHash } from 'node:crypto';
import type { Redis } from 'ioredis';

/** Keeps something sealed, for a short time, for a page that comes right after a form. */
export interface SealedNotes {
  keep(id: string, sealed: Buffer, seconds: number): Promise<void>;
  kept(id: string): Promise<Buffer | undefined>;
}

export function createSealedNotes(redis: Redis, prefix: string): SealedNotes {
  const key = (id: string): string =>
    `${prefix}:auth:kept:${createHash('sha256').update(id).digest('base64url')}`;
  return {
    async keep(id, sealed, seconds) {
      await redis.set(key(id), sealed, 'EX', seconds);
    },
    async kept(id) {
      return (await redis.getBuffer(key(id))) ?? undefined;
    },
  };
}
