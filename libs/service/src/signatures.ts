import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto';
import type { KeyRing, RingKey } from './key-ring.ts';

/** What a message may be signed for: a job of a queue, or an entry of a stream. */
export type SignedPurpose = 'jobs' | 'revocations' | 'live';

/**
 * MACs (HMAC-SHA-256) on what processes tell each other through Redis. They bind a message to its purpose and place; that
 * it isn't an old one is for whoever takes it in to see, by versions, epochs or an inbox.
 */
export class Signatures {
  readonly #ring: KeyRing;
  readonly #keys = new Map<string, KeyObject>();

  constructor(ring: KeyRing) {
    this.#ring = ring;
  }

  /** @param place the name of the queue, or of the stream */
  sign(purpose: SignedPurpose, place: string, message: string): string {
    const key = this.#ring.current;
    return `${key.id}.${this.#mac(key, purpose, place, message).toString('base64url')}`;
  }

  verifies(purpose: SignedPurpose, place: string, message: string, signature: unknown): boolean {
    if (typeof signature !== 'string') return false;
    const key = this.#ring.all.find(({ id }) => signature.startsWith(`${id}.`));
    if (!key) return false;
    const given = Buffer.from(signature.slice(key.id.length + 1), 'base64url');
    const expected = this.#mac(key, purpose, place, message);
    return given.length === expected.length && timingSafeEqual(given, expected);
  }

  #mac(key: RingKey, purpose: SignedPurpose, place: string, message: string): Buffer {
    let prepared = this.#keys.get(key.id);
    if (prepared === undefined) {
      prepared = createSecretKey(key.bytes);
      this.#keys.set(key.id, prepared);
    }
    return createHmac('sha256', prepared).update(`${purpose}\n${place.length}:${place}${message}`).digest();
  }
}
