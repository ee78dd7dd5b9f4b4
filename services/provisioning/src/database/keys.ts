import { hkdfSync } from 'node:crypto';
import type { KeyRing } from '@ostiary/service';

/** Keys derived from TOKEN_KEY that stay when it is replaced, because their digests or tokens are in use. */
export const keptPurposes = ['connector-token', 'idempotency', 'bulk-digest'] as const;
export type KeptPurpose = (typeof keptPurposes)[number];

const infos = {
  idempotency: 'idempotency',
  'bulk-digest': 'bulk digest',
  cursor: 'scim cursor',
  'kept-keys': 'kept keys',
} as const;

const derived = (master: Uint8Array, purpose: keyof typeof infos): Buffer =>
  Buffer.from(hkdfSync('sha256', master, new Uint8Array(), infos[purpose], 32));

/** Returns the initial value of a kept key. */
export const firstKey = (master: Buffer, purpose: KeptPurpose): Buffer =>
  purpose === 'connector-token' ? master : derived(master, purpose);

/** Returns keys that rotate with TOKEN_KEY, under the names of their masters. */
export function renewedKeys(masters: KeyRing, purpose: 'cursor' | 'kept-keys'): KeyRing {
  const [current, ...rest] = masters.all.map(({ id, bytes }) => ({ id, bytes: derived(bytes, purpose) }));
  if (!current) throw new Error('there is no key');
  return { current, all: [current, ...rest] };
}
