import { createHmac, hkdfSync, type KeyObject } from 'node:crypto';
import { type KeyRing, keyObjectOf, keyRing } from '@ostiary/service';

const digestLength = 16;

/** Keys of the feed for one audience, derived from a kept key of the server (HKDF-SHA-256, RFC 5869). */
export class FeedKeys {
  /** Key that the follower receives. */
  readonly digestKey: Buffer;
  /** Key of cursors, which only this server opens. */
  readonly cursors: KeyRing;
  readonly #mac: KeyObject;

  constructor(key: Buffer, tenant: string, audience: string) {
    const derived = (purpose: string): Buffer =>
      Buffer.from(hkdfSync('sha256', key, '', JSON.stringify([purpose, tenant, audience]), 32));
    this.digestKey = derived('digest');
    this.cursors = keyRing(derived('cursor'));
    this.#mac = keyObjectOf(this.digestKey);
  }

  /** Returns the pseudonym of a claim's value; other audiences have other ones. */
  digest(kind: string, value: string): string {
    return digestOf(this.#mac, kind, value);
  }
}

/** Returns the digest of a value: a pseudonym that a verifier recognises if it has received the value in a token. */
export const digestOf = (key: KeyObject, kind: string, value: string): string =>
  createHmac('sha256', key).update(`${kind}:${value}`).digest().toString('base64url', 0, digestLength);
