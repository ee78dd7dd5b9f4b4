import { type KeyRing, keyRing, ringKey } from '@ostiary/service';
import { deriveKey, type RenewedPurpose } from './secret.ts';

/** ENCRYPTION_KEY, the second key that is valid during its replacement, and the keys derived from both. */
export class MasterKeys {
  readonly #masters: KeyRing;
  readonly #rings = new Map<RenewedPurpose, KeyRing>();

  constructor(current: Buffer, second?: Buffer | undefined) {
    this.#masters = keyRing(current, second);
  }

  get masters(): KeyRing {
    return this.#masters;
  }

  /** Returns the keys of a purpose. They have the ids of their master keys. */
  of(purpose: RenewedPurpose): KeyRing {
    const known = this.#rings.get(purpose);
    if (known) return known;
    const all = this.#masters.all.map(({ id, bytes }) => ({ id, bytes: deriveKey(bytes, purpose) }));
    const [current = ringKey(Buffer.alloc(0))] = all;
    const ring: KeyRing = { current, all };
    this.#rings.set(purpose, ring);
    return ring;
  }
}
