import type { Quicker } from '../../src/composition/dependencies.ts';
import { generateSigningKey, type NewSigningKey } from '../../src/keys/domain/signing-keys.ts';

/** Of this worker: RSA keys that its files' services get one after the other, made when the first file comes so far. */
const pool = Symbol.for('ostiary.auth.test-keys');
const worker = globalThis as { [pool]?: Map<string, Promise<NewSigningKey>[]> };
worker[pool] ??= new Map();
const pairs = worker[pool];

/** How many this file has taken (test code is loaded anew for each file): in one file no key is given out twice. */
const taken = new Map<string, number>();

/** What a service is started with where neither hashing nor the making of keys is what is tested. */
export const quicker: Quicker = {
  // The least there is (RFC 9106 §3.1).
  passwordCost: { memory: 8, passes: 1, parallelism: 1 },
  async generateSigningKey(alg) {
    // Others take no time.
    if (alg !== 'RS256' && alg !== 'PS256') return generateSigningKey(alg);
    const made = pairs.get(alg) ?? [];
    pairs.set(alg, made);
    const at = taken.get(alg) ?? 0;
    taken.set(alg, at + 1);
    made[at] ??= generateSigningKey(alg);
    return made[at];
  },
};
