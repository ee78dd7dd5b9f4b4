import type { Key } from '@ostiary/service';
import { equalDigests, keyedMac } from '../../../tenancy/index.ts';

/** Content of a refresh token: its family, its generation, and the family's salt. */
export interface RefreshTokenParts {
  familyId: string;
  generation: number;
  /** 16 bytes. */
  salt: Buffer;
}

const prefix = 'ort_';
const bodyLength = 16 + 4 + 16;
const macLength = 32;

/**
 * Derives and parses refresh tokens, which are not stored: body ‖ HMAC(body). The database contains the salt and the
 * sealed key; the sealing key is in the environment, so neither suffices to make a token. A retry gets the same
 * successor, because the token is derived again (generation + 1).
 */
export class RefreshTokenCodec {
  readonly #key: Key;

  constructor(key: Key) {
    this.#key = key;
  }

  format(tenant: string, parts: RefreshTokenParts): string {
    const body = Buffer.alloc(bodyLength);
    body.write(parts.familyId.replaceAll('-', ''), 0, 'hex');
    body.writeUInt32BE(parts.generation, 16);
    parts.salt.copy(body, 20);
    return prefix + Buffer.concat([body, this.#mac(tenant, body)]).toString('base64url');
  }

  /** Returns the parts of a token of this tenant; undefined for anything else. */
  parse(tenant: string, token: string): RefreshTokenParts | undefined {
    if (!token.startsWith(prefix) || token.length > 200) return undefined;
    const encoded = token.slice(prefix.length);
    const bytes = Buffer.from(encoded, 'base64url');
    // Each token has one encoding: base64url decoding ignores trailing bits and foreign characters.
    if (bytes.length !== bodyLength + macLength || bytes.toString('base64url') !== encoded) return undefined;
    const body = bytes.subarray(0, bodyLength);
    if (!equalDigests(bytes.subarray(bodyLength), this.#mac(tenant, body))) return undefined;
    return {
      familyId: uuidOf(body.subarray(0, 16)),
      generation: body.readUInt32BE(16),
      salt: Buffer.from(body.subarray(20)),
    };
  }

  #mac(tenant: string, body: Buffer): Buffer {
    return keyedMac(this.#key(), `${tenant}\0`, body);
  }
}

function uuidOf(bytes: Buffer): string {
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
