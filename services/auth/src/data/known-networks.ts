import type { Redis } from 'ioredis';

/** From where people of a tenant have signed in lately. */
export interface KnownNetworks {
  has(tenant: string, network: string): Promise<boolean>;
  note(tenant: string, network: string): Promise<void>;
}

/** Long enough for the machine at home to be known again after a holiday. */
const rememberedSeconds = 30 * 86_400;

/** Known networks in Redis. `digest` hides which they are. */
export function createKnownNetworks(
  redis: Redis,
  prefix: string,
  digest: (text: string) => string,
): KnownNetworks {
  const key = (tenant: string, network: string): string =>
    `${prefix}:auth:known-network:${digest(`${tenant}\0${network}`)}`;
  return {
    has: async (tenant, network) => (await redis.exists(key(tenant, network))) === 1,
    async note(tenant, network) {
      await redis.set(key(tenant, network), '', 'EX', rememberedSeconds);
    },
  };
}
