import { invalidToken, type KeySource } from '@ostiary/access';
import { createLocalJWKSet, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose';
import type { SigningKeys } from './signing-keys.ts';

/** The keys of this very process, for its own verifier: no HTTP request to itself. */
export function localKeys(signingKeys: Pick<SigningKeys, 'existing'>): KeySource {
  const sets = new WeakMap<object, JWTVerifyGetKey>();
  return {
    async keys(tenant, refresh) {
      // Never creates keys: the tenant is what an unverified token says.
      const keys = await signingKeys.existing(tenant, refresh);
      if (keys.length === 0) throw invalidToken();
      const known = sets.get(keys);
      if (known) return known;
      const set = createLocalJWKSet({ keys } as JSONWebKeySet);
      sets.set(keys, set);
      return set;
    },
  };
}
