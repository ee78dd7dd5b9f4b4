import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';

/** What a derived key is for. A value made with one key means nothing under another. */
export type KeyPurpose =
  | 'client-secret'
  | 'client-secret-seal'
  | 'used-values'
  | 'client-registration'
  | 'authorization-code'
  | 'refresh-token'
  | 'device-code'
  | 'pushed-request'
  | 'network'
  | 'redis-value'
  | 'signing-key'
  | 'api-token'
  | 'session'
  | 'interaction'
  | 'csrf'
  | 'pairwise-subject'
  | 'pairwise-session'
  | 'totp'
  | 'recovery-code'
  | 'passkey-challenge'
  | 'invitation'
  | 'shown-once'
  | 'idempotency'
  | 'receiver';

/** A 32-byte key for one purpose, derived from ENCRYPTION_KEY (HKDF-SHA256, RFC 5869). */
export const deriveKey = (master: Buffer, purpose: KeyPurpose): Buffer =>
  Buffer.from(hkdfSync('sha256', master, '', `ostiary/auth/${purpose}`, 32));

/** A URL-safe secret of 256 random bits (43 characters) behind a recognisable prefix. */
export const randomSecret = (prefix = ''): string => prefix + randomBytes(32).toString('base64url');

/** Keys in the form OpenSSL takes at once: bytes would be imported anew for every digest, which costs more than it. */
const prepared = new WeakMap<Buffer, KeyObject>();

function preparedKey(key: Buffer): KeyObject {
  let known = prepared.get(key);
  if (known === undefined) {
    known = createSecretKey(key);
    prepared.set(key, known);
  }
  return known;
}

/** HMAC-SHA256 of the parts, one after the other. */
export function keyedMac(key: Buffer, ...parts: readonly (string | Buffer)[]): Buffer {
  const mac = createHmac('sha256', preparedKey(key));
  for (const part of parts) mac.update(part);
  return mac.digest();
}

/**
 * Keyed digest of a secret we made ourselves. Such secrets have full entropy, so one HMAC is enough; without
 * the key the stored digest can't even be checked against a guess.
 */
export const keyedDigest = (key: Buffer, value: string | Buffer): Buffer => keyedMac(key, value);

/** Compares two digests of equal length in constant time; false for unequal lengths. */
export const equalDigests = (a: Uint8Array, b: Uint8Array): boolean =>
  a.length === b.length && timingSafeEqual(a, b);

const sealVersion = 1;

/** Encrypts with AES-256-GCM: version ‖ nonce (12) ‖ ciphertext ‖ tag (16). `context` must be given again to open. */
export function seal(key: Buffer, plaintext: Buffer, context: string): Buffer {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', preparedKey(key), nonce).setAAD(Buffer.from(context));
  const body = Buffer.concat([cipher.update(plaintext), cipher.final()]);
  return Buffer.concat([Buffer.of(sealVersion), nonce, body, cipher.getAuthTag()]);
}

/** Opens what `seal` made. Throws when the key or the context is another, or a byte changed. */
export function open(key: Buffer, sealed: Uint8Array, context: string): Buffer {
  const bytes = Buffer.from(sealed);
  if (bytes.length < 29 || bytes[0] !== sealVersion) throw new Error('not a sealed value');
  const decipher = createDecipheriv('aes-256-gcm', preparedKey(key), bytes.subarray(1, 13), {
    authTagLength: 16,
  })
    .setAAD(Buffer.from(context))
    .setAuthTag(bytes.subarray(-16));
  return Buffer.concat([decipher.update(bytes.subarray(13, -16)), decipher.final()]);
}
