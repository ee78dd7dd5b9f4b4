import type { Redis } from 'ioredis';

/** From where people of a tenant, or one of them, have signed in lately: `whose` is the tenant, or tenant and name. */
export interface KnownNetworks {
  has(whose: string, network: string): Promise<boolean>;
  note(whose: string, network: string): Promise<void>;
}

/** Long enough for the machine at home to be known again after a holiday. */
const rememberedSeconds = 30 * 86_400;

/** Known networks in Redis. `digest` hides which they are. */
export function createKnownNetworks(
  redis: Redis,
  prefix: string,
  digest: (text: string) => string,
): KnownNetworks {
  const key = (whose: string, network: string): string =>
    `${prefix}:auth:known-network:${digest(`${whose}\0${network}`)}`;
  return {
    has: async (whose, network) => (await redis.exists(key(whose, network))) === 1,
    async note(whose, network) {
      await redis.set(key(whose, network), '', 'EX', rememberedSeconds);
    },
  };
}
