import type { Quicker } from '../../src/app.ts';
import { generateSigningKey, type NewSigningKey } from '../../src/tenancy/keys/domain/signing-keys.ts';

/** RSA keys of this Jest worker, created on first use and shared by its test files. */
const pool = Symbol.for('ostiary.auth.test-keys');
const worker = globalThis as { [pool]?: Map<string, Promise<NewSigningKey>[]> };
worker[pool] ??= new Map();
const pairs = worker[pool];

/** Number of keys used in this file (modules are loaded again per file), so that no key is used twice in one file. */
const taken = new Map<string, number>();

/** Replacements for services in tests that examine neither hashing nor key generation. */
export const quicker: Quicker = {
  // Minimum (RFC 9106 §3.1).
  passwordCost: { memory: 8, passes: 1, parallelism: 1 },
  async generateSigningKey(alg) {
    // Other algorithms need no cache.
    if (alg !== 'RS256' && alg !== 'PS256') return generateSigningKey(alg);
    const made = pairs.get(alg) ?? [];
    pairs.set(alg, made);
    const at = taken.get(alg) ?? 0;
    taken.set(alg, at + 1);
    made[at] ??= generateSigningKey(alg);
    return made[at];
  },
};
