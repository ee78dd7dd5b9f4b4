import { keyStem, type SealedValues } from '@ostiary/service';
import type { Redis } from 'ioredis';

/** From where people of a tenant, or one of them, have signed in lately: `whose` is the tenant, or tenant and name. */
export interface KnownNetworks {
  has(whose: string, network: string): Promise<boolean>;
  note(whose: string, network: string): Promise<void>;
}

/** Long enough for the machine at home to be known again after a holiday. */
const rememberedSeconds = 30 * 86_400;

/**
 * Known networks in Redis. `digest` hides which they are, and what is kept is sealed for its name: nobody becomes known by
 * writing to Redis.
 */
export function createKnownNetworks(
  o: { redis: Redis; prefix: string; values: SealedValues },
  digest: (text: string) => string,
): KnownNetworks {
  const key = (whose: string, network: string): string =>
    keyStem(o.prefix, 'known_network') + digest(`${whose}\0${network}`);
  const place = (whose: string, network: string) =>
    ({
      purpose: 'known_network',
      tenant: whose.split('\0', 1)[0] ?? '',
      key: key(whose, network),
    }) as const;
  return {
    async has(whose, network) {
      const noted = await o.redis.get(key(whose, network));
      return noted !== null && o.values.open(place(whose, network), noted) !== undefined;
    },
    async note(whose, network) {
      const sealed = o.values.seal(place(whose, network), '', rememberedSeconds);
      await o.redis.set(key(whose, network), sealed, 'EX', rememberedSeconds);
    },
  };
}
