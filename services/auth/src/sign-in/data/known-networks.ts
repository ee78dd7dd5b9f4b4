import { readValid } from '@ostiary/service';
import { DigestNames, type SealedStoreOptions } from '../../keys/data/index.ts';
import type { KnownNetworks } from '../domain/known-networks.ts';

/** Long enough for the machine at home to be known again after a holiday. */
const rememberedSeconds = 30 * 86_400;

/**
 * Known networks in Redis. Their names are digests, and what is kept is sealed for its name: a network does not become known by
 * writing to Redis.
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

/** A clock that was wrong then, or is now, makes it be noted again. */
const isToday = (at: number): boolean => Math.abs(Date.now() - at) < 86_400_000;

const placeOf = (whose: string, key: string) =>
  ({ purpose: 'known_network', tenant: whose.split('\0', 1)[0] ?? '', key }) as const;
