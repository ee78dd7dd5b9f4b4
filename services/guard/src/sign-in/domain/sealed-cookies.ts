import { hkdfSync } from 'node:crypto';
import { type KeyRing, keyRing, NotOurs, openBytes, sealBytes } from '@ostiary/service';

/** Encrypts the content of cookies (AES-256-GCM). All guards with the same key can read it. */
export class SealedCookies {
  readonly #keys: KeyRing;

  /** @param second opens cookies, but seals none */
  constructor(key: Buffer, second?: Buffer) {
    this.#keys = keyRing(cookieKey(key), second && cookieKey(second));
  }

  /** @param place host and purpose of the cookie */
  seal(content: object, place: string): string {
    return sealBytes(this.#keys, Buffer.from(JSON.stringify(content)), place).toString('base64url');
  }

  /** Returns the content of a cookie; undefined for a text that was not sealed for this place. */
  open(text: string, place: string): unknown {
    const sealed = Buffer.from(text, 'base64url');
    // Other texts can decode to the same bytes.
    if (sealed.toString('base64url') !== text) return undefined;
    try {
      return JSON.parse(openBytes(this.#keys, sealed, place).toString());
    } catch (error) {
      if (error instanceof NotOurs) return undefined;
      throw error;
    }
  }
}

const cookieKey = (key: Buffer): Buffer =>
  Buffer.from(hkdfSync('sha256', key, '', 'ostiary/guard/cookie', 32));
