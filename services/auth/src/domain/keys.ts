import { type KeyRing, keyRing, ringKey } from '@ostiary/service';
import { deriveKey, type KeyPurpose } from './secret.ts';

/** ENCRYPTION_KEY, with the other one that is valid while it is replaced, and the keys that are derived from both. */
export class MasterKeys {
  readonly #masters: KeyRing;
  readonly #rings = new Map<KeyPurpose, KeyRing>();

  constructor(current: Buffer, second?: Buffer | undefined) {
    this.#masters = keyRing(current, second);
  }

  /** The names of the masters, the current one first. */
  get ids(): readonly string[] {
    return this.#masters.all.map(({ id }) => id);
  }

  /** The keys of a purpose. They go by the names of their masters. */
  of(purpose: KeyPurpose): KeyRing {
    const known = this.#rings.get(purpose);
    if (known) return known;
    const all = this.#masters.all.map(({ id, bytes }) => ({ id, bytes: deriveKey(bytes, purpose) }));
    const [current = ringKey(Buffer.alloc(0))] = all;
    const ring: KeyRing = { current, all };
    this.#rings.set(purpose, ring);
    return ring;
  }
}
