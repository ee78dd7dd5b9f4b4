import { randomBytes } from 'node:crypto';
import type { KeyRing } from '@ostiary/service';
import { equalDigests, keyedDigest } from '../../keys/index.ts';

/** Seconds a person has for a passkey. */
export const challengeSeconds = 900;

const timeBytes = 6;
const nonceBytes = 16;
const macBytes = 16;

/**
 * A WebAuthn challenge that needs no memory until it is used: time ‖ nonce ‖ MAC over both and what it is for. So a flood
 * of page views stores nothing; that it counts once is seen to when it comes back.
 * @param binding what the answer may be used for, and nothing else
 * @param now milliseconds since the epoch
 */
export function makeChallenge(keys: KeyRing, binding: string, now: number): Buffer {
  const head = Buffer.alloc(timeBytes + nonceBytes);
  head.writeUIntBE(Math.floor(now / 1000), 0, timeBytes);
  randomBytes(nonceBytes).copy(head, timeBytes);
  return Buffer.concat([head, mac(keys.current.bytes, binding, head)]);
}

/** Whether a challenge was made for this, not long ago. */
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
