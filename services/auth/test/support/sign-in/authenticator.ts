import { createHash, createSign, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto';
import type { Answer } from './browser.ts';

type Cbor = number | string | Buffer | Map<number | string, Cbor>;

/** Encodes the part of CBOR (RFC 8949) that attestation objects and COSE keys use. */
function cbor(value: Cbor): Buffer {
  if (typeof value === 'number') return value >= 0 ? head(0, value) : head(1, -1 - value);
  if (typeof value === 'string')
    return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  return Buffer.concat([head(5, value.size), ...[...value].flatMap(([k, v]) => [cbor(k), cbor(v)])]);
}

function head(major: number, value: number): Buffer {
  if (value < 24) return Buffer.of((major << 5) | value);
  if (value < 256) return Buffer.of((major << 5) | 24, value);
  return Buffer.of((major << 5) | 25, value >> 8, value & 255);
}

const sha256 = (data: Buffer | string): Buffer => createHash('sha256').update(data).digest();

export interface Options {
  challenge: string;
  rp?: { id: string };
  rpId?: string;
  user?: { id: string };
}

/** Reads the WebAuthn options of a page. */
export function passkeyOptions(page: Answer): Options {
  const text = /data-options="([^"]+)"/.exec(page.text)?.[1];
  if (text === undefined) throw new Error(`no passkey is asked for: ${page.status} ${page.url}`);
  return JSON.parse(text.replace(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code))));
}

/** Software authenticator with a browser: ES256, one passkey. */
export class Authenticator {
  readonly id = randomBytes(32);
  readonly #key: KeyObject;
  readonly #publicKey: KeyObject;
  #userHandle = '';
  counter = 0;
  /** Properties that a test changes to simulate an attacker or a weaker authenticator. */
  origin = 'http://localhost:4000';
  userVerified = true;

  constructor() {
    const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    this.#key = pair.privateKey;
    this.#publicKey = pair.publicKey;
  }

  #authData(rpId: string, attested: boolean): Buffer {
    const flags = 1 | (this.userVerified ? 4 : 0) | (attested ? 64 : 0);
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(this.counter);
    const common = Buffer.concat([sha256(rpId), Buffer.of(flags), counter]);
    if (!attested) return common;
    const jwk = this.#publicKey.export({ format: 'jwk' });
    const cose = new Map<number, Cbor>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, Buffer.from(jwk.x ?? '', 'base64url')],
      [-3, Buffer.from(jwk.y ?? '', 'base64url')],
    ]);
    const length = Buffer.of(0, this.id.length);
    return Buffer.concat([common, Buffer.alloc(16), length, this.id, cbor(cose)]);
  }

  #clientData(type: string, challenge: string): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge, origin: this.origin, crossOrigin: false }));
  }

  /** Returns the result of `navigator.credentials.create`. */
  create(options: Options): string {
    this.#userHandle = options.user?.id ?? '';
    const authData = this.#authData(options.rp?.id ?? '', true);
    const attestation = cbor(
      new Map<string, Cbor>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', authData],
      ]),
    );
    return this.#answer({
      clientDataJSON: this.#clientData('webauthn.create', options.challenge).toString('base64url'),
      attestationObject: attestation.toString('base64url'),
      transports: ['internal'],
    });
  }

  /** Returns the result of `navigator.credentials.get`. */
  get(options: Options): string {
    const authData = this.#authData(options.rpId ?? '', false);
    const clientData = this.#clientData('webauthn.get', options.challenge);
    const signature = createSign('sha256')
      .update(Buffer.concat([authData, sha256(clientData)]))
      .sign(this.#key);
    return this.#answer({
      clientDataJSON: clientData.toString('base64url'),
      authenticatorData: authData.toString('base64url'),
      signature: signature.toString('base64url'),
      userHandle: this.#userHandle,
    });
  }

  #answer(response: Record<string, unknown>): string {
    const id = this.id.toString('base64url');
    return JSON.stringify({ id, rawId: id, type: 'public-key', clientExtensionResults: {}, response });
  }
}
