import { createCipheriv, createDecipheriv } from 'node:crypto';
import { isUuid, type Key } from '@ostiary/service';
import { keyedMac } from '../../keys/index.ts';

/** A client, as far as what it gets goes by it. */
export interface NamedFor {
  readonly tenant: string;
  readonly clientId: string;
  /** RFC 7591 names. */
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** A session's id is as long as one block of AES, so a permutation of blocks gives each client an id of its own for it. */
const blockBytes = 16;
const permuted = /^[A-Za-z0-9_-]{22}$/;

/**
 * What a client knows a session as: `sid` of ID tokens, access tokens, logout tokens and introspection. A pairwise client gets a
 * session's id under a permutation that is its own. It follows from a kept key alone: nothing is stored, and the session is found again by
 * turning it round.
 */
export class SessionIdentifiers {
  readonly #key: Key;

  /** @param key of pairwise sessions */
  constructor(key: Key) {
    this.#key = key;
  }

  /** Two pairwise clients can't tell by it that they serve the same person (OpenID Connect Core §8.1 and §17.3). */
  tell(client: NamedFor, sessionId: string): string {
    if (client.metadata.subject_type !== 'pairwise') return sessionId;
    const key = this.#keyOf(client.tenant, client.clientId);
    const cipher = createCipheriv('aes-256-ecb', key, null).setAutoPadding(false);
    return cipher.update(Buffer.from(sessionId.replaceAll('-', ''), 'hex')).toString('base64url');
  }

  /** The session that a client knows by this name; undefined for what no client ever got. */
  read(tenant: string, clientId: string, sid: string): string | undefined {
    if (isUuid(sid)) return sid;
    if (!permuted.test(sid)) return undefined;
    const block = Buffer.from(sid, 'base64url');
    if (block.length !== blockBytes) return undefined;
    const decipher = createDecipheriv('aes-256-ecb', this.#keyOf(tenant, clientId), null).setAutoPadding(
      false,
    );
    const id = uuidOf(decipher.update(block).toString('hex'));
    // What was made with another key comes out as anything at all; ours are of version 7 (RFC 9562 §5.7).
    return /^.{14}7.{4}[89ab]/.test(id) ? id : undefined;
  }

  #keyOf(tenant: string, clientId: string): Buffer {
    return keyedMac(this.#key(), JSON.stringify([tenant, clientId]));
  }
}

const uuidOf = (hex: string): string =>
  [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
