import { randomBytes } from 'node:crypto';
import type { KeyRing } from '@ostiary/service';
import { equalDigests, keyedDigest } from '../../../tenancy/index.ts';

/** Lifetime of a challenge, in seconds. */
export const challengeSeconds = 900;

const timeBytes = 6;
const nonceBytes = 16;
const macBytes = 16;

/**
 * Returns a stateless WebAuthn challenge: time ‖ nonce ‖ MAC over both and the binding. A flood of page views stores
 * nothing; single use is ensured at the verification.
 * @param binding the only purpose for which the response is valid
 * @param now milliseconds since the epoch
 */
export function makeChallenge(keys: KeyRing, binding: string, now: number): Buffer {
  const head = Buffer.alloc(timeBytes + nonceBytes);
  head.writeUIntBE(Math.floor(now / 1000), 0, timeBytes);
  randomBytes(nonceBytes).copy(head, timeBytes);
  return Buffer.concat([head, mac(keys.current.bytes, binding, head)]);
}

/** Reports whether a challenge was created for this binding and has not expired. */
export function isOurChallenge(keys: KeyRing, binding: string, challenge: string, now: number): boolean {
  const bytes = Buffer.from(challenge, 'base64url');
  if (bytes.length !== timeBytes + nonceBytes + macBytes) return false;
  const head = bytes.subarray(0, timeBytes + nonceBytes);
  const age = Math.floor(now / 1000) - head.readUIntBE(0, timeBytes);
  const given = bytes.subarray(timeBytes + nonceBytes);
  return age < challengeSeconds && keys.all.some((key) => equalDigests(given, mac(key.bytes, binding, head)));
}

const mac = (key: Buffer, binding: string, head: Buffer): Buffer =>
  keyedDigest(key, Buffer.concat([head, Buffer.from(binding)])).subarray(0, macBytes);
