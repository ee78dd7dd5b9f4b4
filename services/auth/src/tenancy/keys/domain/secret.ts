import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import { keyObjectOf, keyRing, openBytes, sealBytes } from '@ostiary/service';

/**
 * Purposes of derived keys, and their handling when ENCRYPTION_KEY is replaced. A value of one purpose is invalid
 * under another.
 * - `renewed`: two keys are valid for a while. Values in the database are sealed again; values in Redis or at clients
 *   expire;
 * - `kept`: others store values made with it for longer than a replacement takes (`KeptKeys`);
 * - `browser`: derived from a cookie, not from ENCRYPTION_KEY.
 */
export const keyPurposes = {
  'client-secret': 'kept',
  'client-secret-seal': 'renewed',
  'used-values': 'renewed',
  'client-registration': 'kept',
  'authorization-code': 'renewed',
  'refresh-token': 'kept',
  'opaque-token': 'renewed',
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
  'revocation-feed': 'kept',
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

/** Derives a 32-byte key for one purpose (HKDF-SHA256, RFC 5869). */
export const deriveKey = (master: Buffer, purpose: KeyPurpose): Buffer =>
  Buffer.from(hkdfSync('sha256', master, '', `ostiary/auth/${purpose}`, 32));

/** Returns a URL-safe secret of 256 random bits (43 characters) with a recognizable prefix. */
export const randomSecret = (prefix = ''): string => prefix + randomBytes(32).toString('base64url');

/** Returns the HMAC-SHA256 of the concatenated parts. */
export function keyedMac(key: Buffer, ...parts: readonly (string | Buffer)[]): Buffer {
  const mac = createHmac('sha256', keyObjectOf(key));
  for (const part of parts) mac.update(part);
  return mac.digest();
}

/**
 * Returns the keyed digest of a generated secret. Such secrets have full entropy, so one HMAC is sufficient. Without
 * the key a stored digest cannot be compared with a guess.
 */
export const keyedDigest = (key: Buffer, value: string | Buffer): Buffer => keyedMac(key, value);

/** Compares two digests of equal length in constant time; false for unequal lengths. */
export const equalDigests = (a: Uint8Array, b: Uint8Array): boolean =>
  a.length === b.length && timingSafeEqual(a, b);

/** Encrypts with one key (`sealBytes`). `context` must be equal to open it. */
export const seal = (key: Buffer, plaintext: Buffer, context: string): Buffer =>
  sealBytes(keyRing(key), plaintext, context);

/** Opens a value of `seal`. @throws NotOurs if the key or context differs or a byte changed */
export const open = (key: Buffer, sealed: Uint8Array, context: string): Buffer =>
  openBytes(keyRing(key), sealed, context);
