import type { KeyObject } from 'node:crypto';
import type { JSONWebKeySet } from 'jose';
import { invalidClient } from '../../../platform/index.ts';
import type { Client } from '../client.ts';
import { type AuthenticationKeys, type ClientKey, keysFor, readKeys } from '../client-keys.ts';
import type { AssertionAlgorithm } from './assertion-algorithms.ts';

export interface AssertionVerificationPorts {
  /** Returns the key set at a URI; `refresh` requests a newer one than before. @throws ServiceUnavailable */
  keysAt: (uri: string, refresh: boolean) => Promise<JSONWebKeySet>;
  /** Marks an assertion as used, atomically. Returns false when it was used before. */
  use: (client: Client, jti: string, milliseconds: number) => Promise<boolean>;
}

/** Verifies client assertions with the clients' keys and a store of used ids that all processes share. */
export class AssertionVerification {
  readonly #o: AssertionVerificationPorts;
  readonly #read = new WeakMap<JSONWebKeySet, ClientKey[]>();

  constructor(o: AssertionVerificationPorts) {
    this.#o = o;
  }

  /**
   * Returns the keys that may have made this signature.
   * @throws OAuthError invalid_client when they are not available
   */
  async keysOf(
    client: Client,
    header: { alg: AssertionAlgorithm; kid?: string },
  ): Promise<readonly KeyObject[]> {
    const { jwks, jwks_uri: uri } = client.metadata as AuthenticationKeys;
    if (jwks) return keysFor(jwks.keys, header);
    if (uri === undefined) throw invalidClient('no keys registered');
    const keys = keysFor(await this.#remoteKeys(uri, false), header);
    return keys.length > 0 ? keys : keysFor(await this.#remoteKeys(uri, true), header);
  }

  /**
   * Stores the id of an assertion atomically. Returns false when it was stored before.
   * @param milliseconds remaining lifetime of the assertion
   */
  remember(client: Client, jti: string, milliseconds: number): Promise<boolean> {
    return this.#o.use(client, jti, milliseconds);
  }

  async #remoteKeys(uri: string, refresh: boolean): Promise<ClientKey[]> {
    const set = await this.#o.keysAt(uri, refresh);
    const known = this.#read.get(set) ?? readKeys(set);
    this.#read.set(set, known);
    return known;
  }
}
