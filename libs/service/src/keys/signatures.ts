import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  type Hmac,
  type KeyObject,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';
import type { KeyRing, RingKey } from './key-ring.ts';

/**
 * Purposes of a signature: entries of a stream, or the proof of an Ostiary process in a request
 * (`NeighbourProofs`).
 */
export type SignedPurpose = 'revocations' | 'live' | 'neighbour';

/** Purpose of encrypted messages: jobs of a queue, which contain names and e-mail addresses of users. */
export type SealedMessagePurpose = 'jobs';

const algorithm = 'aes-256-gcm';
const saltLength = 16;
const tagLength = 16;
/** Each key encrypts one message, so no nonce is reused. */
const onlyNonce = Buffer.alloc(12);

/**
 * Authenticates messages between processes through Redis: MACs (HMAC-SHA-256), or encryption (AES-256-GCM)
 * for messages with user data. Both bind a message to its purpose and place. The receiver detects replays by
 * versions, epochs or an inbox.
 */
export class Signatures {
  readonly #ring: KeyRing;
  readonly #keys = new Map<string, KeyObject>();

  constructor(ring: KeyRing) {
    this.#ring = ring;
  }

  /** @param place name of the queue or stream */
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

  /**
   * Returns the id of the key, and base64url of: salt (16) ‖ ciphertext ‖ tag (16).
   * @param place name of the queue
   */
  seal(purpose: SealedMessagePurpose, place: string, message: string): string {
    const key = this.#ring.current;
    const salt = randomBytes(saltLength);
    const cipher = createCipheriv(algorithm, this.#keyFor(key, purpose, place, salt), onlyNonce);
    const parts = [salt, cipher.update(message, 'utf8'), cipher.final(), cipher.getAuthTag()];
    return `${key.id}.${Buffer.concat(parts).toString('base64url')}`;
  }

  /** Returns the message sealed for this place, or undefined. */
  open(purpose: SealedMessagePurpose, place: string, sealed: unknown): string | undefined {
    if (typeof sealed !== 'string') return undefined;
    const key = this.#ring.all.find(({ id }) => sealed.startsWith(`${id}.`));
    if (!key) return undefined;
    const bytes = Buffer.from(sealed.slice(key.id.length + 1), 'base64url');
    if (bytes.length < saltLength + tagLength) return undefined;
    const [salt, body] = [bytes.subarray(0, saltLength), bytes.subarray(saltLength, -tagLength)];
    const decipher = createDecipheriv(algorithm, this.#keyFor(key, purpose, place, salt), onlyNonce, {
      authTagLength: tagLength,
    }).setAuthTag(bytes.subarray(-tagLength));
    try {
      return decipher.update(body, undefined, 'utf8') + decipher.final('utf8');
    } catch {
      return undefined;
    }
  }

  /**
   * No signed message has this form for any purpose and place, because `sign` begins with its own purposes.
   */
  #keyFor(key: RingKey, purpose: SealedMessagePurpose, place: string, salt: Buffer): KeyObject {
    return createSecretKey(
      this.#hmac(key).update(`seal/${purpose}\n${place.length}:${place}`).update(salt).digest(),
    );
  }

  #mac(key: RingKey, purpose: SignedPurpose, place: string, message: string): Buffer {
    return this.#hmac(key).update(`${purpose}\n${place.length}:${place}${message}`).digest();
  }

  #hmac(key: RingKey): Hmac {
    let prepared = this.#keys.get(key.id);
    if (prepared === undefined) {
      prepared = createSecretKey(key.bytes);
      this.#keys.set(key.id, prepared);
    }
    return createHmac('sha256', prepared);
  }
}
