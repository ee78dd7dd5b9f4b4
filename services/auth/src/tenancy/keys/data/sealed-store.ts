import {
  type KeyFamilyName,
  type KeyRing,
  keyStem,
  type Redis,
  type RingKey,
  type SealedValues,
} from '@ostiary/service';
import { keyedDigest } from '../domain/secret.ts';

/** Options of a store of sealed values in Redis. */
export interface SealedStoreOptions {
  redis: Redis;
  /** REDIS_PREFIX. */
  prefix: string;
  values: SealedValues;
  /** Keys of the digests in the names. Read access to Redis does not disclose the owner of a value. */
  names: KeyRing;
}

/** Names of the Redis keys of one family: keyed digests of the secrets. */
export class DigestNames {
  readonly #stem: string;
  readonly #ring: KeyRing;

  constructor(o: Pick<SealedStoreOptions, 'prefix' | 'names'>, family: KeyFamilyName) {
    this.#stem = keyStem(o.prefix, family);
    this.#ring = o.names;
  }

  /** Returns the name for a new value. */
  current(tenant: string, secret: string): string {
    return this.#name(this.#ring.current, tenant, secret);
  }

  /** Returns the names of an existing value by every valid key, the current one first. */
  all(tenant: string, secret: string): string[] {
    return this.#ring.all.map((key) => this.#name(key, tenant, secret));
  }

  #name(key: RingKey, tenant: string, secret: string): string {
    return this.#stem + keyedDigest(key.bytes, `${tenant}\0${secret}`).toString('base64url');
  }
}
