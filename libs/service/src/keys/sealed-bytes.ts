import { createCipheriv, createDecipheriv, createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import type { KeyRing } from './key-ring.ts';

const algorithm = 'aes-256-gcm';
const nonceLength = 12;
const tagLength = 16;
const idLength = 4;
/** Format without key id, readable by every release. */
const nameless = 1;
/** Format with key id. */
const named = 2;

/**
 * Prepared key objects: OpenSSL would import raw bytes for every use, which costs more than the use itself.
 */
const prepared = new WeakMap<Buffer, KeyObject>();

export function keyObjectOf(key: Buffer): KeyObject {
  let known = prepared.get(key);
  if (known === undefined) {
    known = createSecretKey(key);
    prepared.set(key, known);
  }
  return known;
}

/** Returns the first bytes of values sealed with a named key. */
export const namedHead = (id: string): Buffer => Buffer.from(`0${named}${id}`, 'hex');

/**
 * Encrypts a value for the database (AES-256-GCM): format (1) ‖ id of the key (4), only while two keys are
 * valid ‖ nonce (12) ‖ ciphertext ‖ tag (16). With the id, a key replacement can find and count the values
 * still to be sealed again.
 * @param context place of the value; opening requires the same context
 */
export function sealBytes(ring: KeyRing, plaintext: Buffer, context: string): Buffer {
  const head = ring.all.length > 1 ? namedHead(ring.current.id) : Buffer.of(nameless);
  const nonce = randomBytes(nonceLength);
  const cipher = createCipheriv(algorithm, keyObjectOf(ring.current.bytes), nonce).setAAD(
    Buffer.from(context),
  );
  return Buffer.concat([head, nonce, cipher.update(plaintext), cipher.final(), cipher.getAuthTag()]);
}

/** Error of a value that no key of the ring sealed, that belongs to another place, or that is incomplete. */
export class NotOurs extends Error {
  constructor() {
    super('a sealed value cannot be decrypted with any configured key');
  }
}

/** Opens a value of `sealBytes` with any key of the ring. @throws NotOurs */
export function openBytes(ring: KeyRing, sealed: Uint8Array, context: string): Buffer {
  const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength);
  const begin = bytes[0] === nameless ? 1 : 1 + idLength;
  if ((bytes[0] !== nameless && bytes[0] !== named) || bytes.length < begin + nonceLength + tagLength) {
    throw new NotOurs();
  }
  const id = bytes[0] === named ? bytes.toString('hex', 1, begin) : undefined;
  for (const key of ring.all) {
    if (id !== undefined && key.id !== id) continue;
    const opened = decrypt(key.bytes, bytes.subarray(begin), context);
    if (opened) return opened;
  }
  throw new NotOurs();
}

function decrypt(key: Buffer, body: Buffer, context: string): Buffer | undefined {
  const decipher = createDecipheriv(algorithm, keyObjectOf(key), body.subarray(0, nonceLength), {
    authTagLength: tagLength,
  })
    .setAAD(Buffer.from(context))
    .setAuthTag(body.subarray(-tagLength));
  try {
    return Buffer.concat([decipher.update(body.subarray(nonceLength, -tagLength)), decipher.final()]);
  } catch {
    return undefined;
  }
}

/** Reports whether a value states that the current key sealed it. */
export const isUnderCurrent = (ring: KeyRing, sealed: Uint8Array): boolean =>
  Buffer.from(sealed.subarray(0, 1 + idLength)).equals(namedHead(ring.current.id));
