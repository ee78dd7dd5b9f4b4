import { type KeyRing, keyRing, ringKey } from '@ostiary/service';
import { deriveKey, type RenewedPurpose } from './secret.ts';

/** ENCRYPTION_KEY, with the other one that is valid while it is replaced, and the keys that are derived from both. */
export class MasterKeys {
  readonly #masters: KeyRing;
  readonly #rings = new Map<RenewedPurpose, KeyRing>();

  constructor(current: Buffer, second?: Buffer | undefined) {
    this.#masters = keyRing(current, second);
  }

  get masters(): KeyRing {
    return this.#masters;
  }

  /** The keys of a purpose. They go by the names of their masters. */
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
