import {
  type KeyFamilyName,
  type KeyRing,
  keyStem,
  type Redis,
  type RingKey,
  type SealedValues,
} from '@ostiary/service';
import { keyedDigest } from '../domain/secret.ts';

/** What a store of sealed values in Redis is made of. */
export interface SealedStoreOptions {
  redis: Redis;
  /** REDIS_PREFIX. */
  prefix: string;
  values: SealedValues;
  /** Keys of the digests in the names: who reads Redis can't tell, or guess, whose a value is. */
  names: KeyRing;
}

/** The names of the keys of one family, each under a keyed digest of what it is found by. */
export class DigestNames {
  readonly #stem: string;
  readonly #ring: KeyRing;

  constructor(o: Pick<SealedStoreOptions, 'prefix' | 'names'>, family: KeyFamilyName) {
    this.#stem = keyStem(o.prefix, family);
    this.#ring = o.names;
  }

  /** The name that something new gets. */
  current(tenant: string, secret: string): string {
    return this.#name(this.#ring.current, tenant, secret);
  }

  /** The names it may have, by any key that is valid; the likeliest first. */
  all(tenant: string, secret: string): string[] {
    return this.#ring.all.map((key) => this.#name(key, tenant, secret));
  }

  #name(key: RingKey, tenant: string, secret: string): string {
    return this.#stem + keyedDigest(key.bytes, `${tenant}\0${secret}`).toString('base64url');
  }
}
