import { ServiceUnavailable } from '@ostiary/service';
import type { Redis } from 'ioredis';
import { deriveKey, keyedDigest } from '../domain/secret.ts';

/** What kind of thing it is; the same value of another kind is another thing. */
export type UsedKind = 'assertion' | 'client_assertion' | 'passkey' | 'pushed_request';

/** Remembers, for all processes together, what may be used only once. */
export interface UsedValues {
  /**
   * Marks something as used, in one step. Of any number of callers, in any number of processes, one gets true.
   * @param value what tells it from others: tenant, issuer, id
   * @param milliseconds how long it could still be presented
   * @throws ServiceUnavailable when nobody can tell whether it was used before
   */
  use(kind: UsedKind, value: readonly string[], milliseconds: number): Promise<boolean>;
}

/** In Redis, as keyed digests: who reads it learns neither who nor what. */
export function createUsedValues(o: { redis: Redis; prefix: string; encryptionKey: Buffer }): UsedValues {
  const key = deriveKey(o.encryptionKey, 'used-values');
  return {
    async use(kind, value, milliseconds) {
      const digest = keyedDigest(key, JSON.stringify([kind, ...value])).toString('base64url');
      const life = Math.max(1, Math.ceil(milliseconds));
      try {
        return (await o.redis.set(`${o.prefix}:auth:used:${kind}:${digest}`, '', 'PX', life, 'NX')) === 'OK';
      } catch (error) {
        throw new ServiceUnavailable('redis', { cause: error });
      }
    },
  };
}
