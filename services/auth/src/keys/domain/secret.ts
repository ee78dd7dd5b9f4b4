import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import { keyObjectOf, keyRing, openBytes, sealBytes } from '@ostiary/service';

/**
 * What a derived key is for, and what becomes of it when ENCRYPTION_KEY is replaced. A value made with one key means nothing
 * under another.
 * - `renewed`: there are two for a while. What is in the database is sealed anew, what is in Redis or with somebody else
 *   ends by itself;
 * - `kept`: others have what was made with it, for longer than anybody can wait (`KeptKeys`);
 * - `browser`: it doesn't follow from ENCRYPTION_KEY but from a cookie.
 */
export const keyPurposes = {
  'client-secret': 'kept',
  'client-secret-seal': 'renewed',
  'used-values': 'renewed',
  'client-registration': 'kept',
  'authorization-code': 'renewed',
  'refresh-token': 'kept',
  'device-code': 'renewed',
  'pushed-request': 'renewed',
  network: 'renewed',
  'redis-value': 'renewed',
  'signing-key': 'renewed',
  'kept-keys': 'renewed',
  'api-token': 'kept',
  session: 'kept',
  interaction: 'browser',
  'pairwise-subject': 'kept',
  'pairwise-session': 'kept',
  totp: 'renewed',
  'recovery-code': 'kept',
  'passkey-challenge': 'renewed',
  invitation: 'kept',
  'shown-once': 'browser',
  idempotency: 'kept',
  receiver: 'renewed',
} as const;

export type KeyPurpose = keyof typeof keyPurposes;
type PurposesOf<F> = { [P in KeyPurpose]: (typeof keyPurposes)[P] extends F ? P : never }[KeyPurpose];
export type RenewedPurpose = PurposesOf<'renewed'>;
export type KeptPurpose = PurposesOf<'kept'>;

export const keptPurposes = (Object.keys(keyPurposes) as KeyPurpose[]).filter(
  (purpose): purpose is KeptPurpose => keyPurposes[purpose] === 'kept',
);

/** A 32-byte key for one purpose (HKDF-SHA256, RFC 5869). */
export const deriveKey = (master: Buffer, purpose: KeyPurpose): Buffer =>
  Buffer.from(hkdfSync('sha256', master, '', `ostiary/auth/${purpose}`, 32));

/** A URL-safe secret of 256 random bits (43 characters) behind a recognisable prefix. */
export const randomSecret = (prefix = ''): string => prefix + randomBytes(32).toString('base64url');

/** HMAC-SHA256 of the parts, one after the other. */
export function keyedMac(key: Buffer, ...parts: readonly (string | Buffer)[]): Buffer {
  const mac = createHmac('sha256', keyObjectOf(key));
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

/** Encrypts with one key (`sealBytes`). `context` must be given again to open. */
export const seal = (key: Buffer, plaintext: Buffer, context: string): Buffer =>
  sealBytes(keyRing(key), plaintext, context);

/** Opens what `seal` made. @throws NotOurs when the key or the context is another, or a byte changed */
export const open = (key: Buffer, sealed: Uint8Array, context: string): Buffer =>
  openBytes(keyRing(key), sealed, context);
