import { readValid } from '@ostiary/service';
import { DigestNames, type SealedStoreOptions } from '../../../tenancy/keys/data/sealed-store.ts';
import type { KnownNetworks } from '../domain/known-networks.ts';

/** 30 days, so that a network is still known after a vacation. */
const rememberedSeconds = 30 * 86_400;

/**
 * Stores known networks in Redis. Keys are digests and values are sealed for their key, so that write access to Redis
 * does not make a network known.
 */
export class RedisKnownNetworks implements KnownNetworks {
  readonly #o: SealedStoreOptions;
  readonly #names: DigestNames;

  constructor(o: SealedStoreOptions) {
    this.#o = o;
    this.#names = new DigestNames(o, 'known_network');
  }

  async find(whose: string, network: string): Promise<'today' | 'earlier' | undefined> {
    for (const key of this.#names.all(whose, network)) {
      const noted = await readValid(this.#o.redis.get(key));
      const at = noted === null ? undefined : this.#o.values.open(placeOf(whose, key), noted);
      if (at === undefined) continue;
      return key === this.#names.current(whose, network) && isToday(Number(at)) ? 'today' : 'earlier';
    }
    return undefined;
  }

  async note(whose: string, network: string): Promise<void> {
    const key = this.#names.current(whose, network);
    const value = this.#o.values.seal(placeOf(whose, key), String(Date.now()), rememberedSeconds);
    await this.#o.redis.set(key, value, 'EX', rememberedSeconds);
  }
}

/** An absolute difference, so that a wrong clock causes a new entry. */
const isToday = (at: number): boolean => Math.abs(Date.now() - at) < 86_400_000;

const placeOf = (whose: string, key: string) =>
  ({ purpose: 'known_network', tenant: whose.split('\0', 1)[0] ?? '', key }) as const;
