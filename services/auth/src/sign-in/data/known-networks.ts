import { readValid } from '@ostiary/service';
import { DigestNames, type SealedStoreOptions } from '../../keys/data/index.ts';
import type { KnownNetworks } from '../domain/known-networks.ts';

/** Long enough for the machine at home to be known again after a holiday. */
const rememberedSeconds = 30 * 86_400;

/**
 * Known networks in Redis. Their names are digests, and what is kept is sealed for its name: a network does not become known by
 * writing to Redis.
 */
export function createKnownNetworks(o: SealedStoreOptions): KnownNetworks {
  const names = new DigestNames(o, 'known_network');
  const place = (whose: string, key: string) =>
    ({ purpose: 'known_network', tenant: whose.split('\0', 1)[0] ?? '', key }) as const;
  return {
    async has(whose, network) {
      for (const key of names.all(whose, network)) {
        const noted = await readValid(o.redis.get(key));
        if (noted !== null && o.values.open(place(whose, key), noted) !== undefined) return true;
      }
      return false;
    },
    async note(whose, network) {
      const key = names.current(whose, network);
      await o.redis.set(
        key,
        o.values.seal(place(whose, key), '', rememberedSeconds),
        'EX',
        rememberedSeconds,
      );
    },
  };
}
