import { createCipheriv, createDecipheriv } from 'node:crypto';
import { isUuid, type Key } from '@ostiary/service';
import { keyedMac } from '../../../tenancy/index.ts';

/** A client for which identifiers are derived. */
export interface NamedFor {
  readonly tenant: string;
  readonly clientId: string;
  /** RFC 7591 names. */
  readonly metadata: Readonly<Record<string, unknown>>;
}

/**
 * Length of a session id and of an AES block, so that a block permutation gives each client its own id of a session.
 */
const blockBytes = 16;
const permuted = /^[A-Za-z0-9_-]{22}$/;

/**
 * Session identifiers of clients: `sid` of ID tokens, access tokens, logout tokens and introspection. A pairwise
 * client gets the session's id under its own permutation, which is derived from a kept key. Nothing is stored; the
 * inverse permutation finds the session.
 */
export class SessionIdentifiers {
  readonly #key: Key;

  /** @param key key of pairwise session identifiers */
  constructor(key: Key) {
    this.#key = key;
  }

  /**
   * Returns the client's identifier of a session. Two pairwise clients cannot correlate a user by it (OpenID Connect
   * Core §8.1 and §17.3).
   */
  tell(client: NamedFor, sessionId: string): string {
    if (client.metadata.subject_type !== 'pairwise') return sessionId;
    const key = this.#keyOf(client.tenant, client.clientId);
    const cipher = createCipheriv('aes-256-ecb', key, null).setAutoPadding(false);
    return cipher.update(Buffer.from(sessionId.replaceAll('-', ''), 'hex')).toString('base64url');
  }

  /** Returns the session of a client's identifier; undefined if it was never issued. */
  read(tenant: string, clientId: string, sid: string): string | undefined {
    if (isUuid(sid)) return sid;
    if (!permuted.test(sid)) return undefined;
    const block = Buffer.from(sid, 'base64url');
    if (block.length !== blockBytes) return undefined;
    const decipher = createDecipheriv('aes-256-ecb', this.#keyOf(tenant, clientId), null).setAutoPadding(
      false,
    );
    const id = uuidOf(decipher.update(block).toString('hex'));
    // The result is arbitrary for a value of another key; session ids have version 7 (RFC 9562 §5.7).
    return /^.{14}7.{4}[89ab]/.test(id) ? id : undefined;
  }

  #keyOf(tenant: string, clientId: string): Buffer {
    return keyedMac(this.#key(), JSON.stringify([tenant, clientId]));
  }
}

const uuidOf = (hex: string): string =>
  [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
