import { createHash } from 'node:crypto';
import { keyStem, readValid, type SealedValues } from '@ostiary/service';
import type { Redis } from 'ioredis';

/** Keeps something sealed by its caller, for a short time, for a page that comes right after a form. */
export interface SealedNotes {
  keep(tenant: string, id: string, sealed: Buffer, seconds: number): Promise<void>;
  kept(tenant: string, id: string): Promise<Buffer | undefined>;
}

export function createSealedNotes(o: { redis: Redis; prefix: string; values: SealedValues }): SealedNotes {
  const key = (id: string): string =>
    keyStem(o.prefix, 'shown_once') + createHash('sha256').update(id).digest('base64url');
  const place = (tenant: string, id: string) => ({ purpose: 'shown_once', tenant, key: key(id) }) as const;
  return {
    async keep(tenant, id, sealed, seconds) {
      await o.redis.set(
        key(id),
        o.values.seal(place(tenant, id), sealed.toString('base64url'), seconds),
        'EX',
        seconds,
      );
    },
    async kept(tenant, id) {
      const kept = await readValid(o.redis.get(key(id)));
      const opened = kept === null ? undefined : o.values.open(place(tenant, id), kept);
      return opened === undefined ? undefined : Buffer.from(opened, 'base64url');
    },
  };
}
