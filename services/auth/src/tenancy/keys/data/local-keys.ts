import { invalidToken, type KeySource } from '@ostiary/access';
import { createLocalJWKSet, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose';
import type { SigningKeys } from './signing-keys.ts';

/** Keys of this process for its own verifier, without an HTTP request to itself. */
export class LocalKeys implements KeySource {
  readonly #signingKeys: SigningKeys;
  readonly #sets = new WeakMap<object, JWTVerifyGetKey>();

  constructor(signingKeys: SigningKeys) {
    this.#signingKeys = signingKeys;
  }

  async keys(tenant: string, refresh: boolean): Promise<JWTVerifyGetKey> {
    // Never creates keys, because the tenant comes from an unverified token.
    const keys = await this.#signingKeys.existing(tenant, refresh);
    if (keys.length === 0) throw invalidToken();
    const known = this.#sets.get(keys);
    if (known) return known;
    const set = createLocalJWKSet({ keys } as JSONWebKeySet);
    this.#sets.set(keys, set);
    return set;
  }
}
