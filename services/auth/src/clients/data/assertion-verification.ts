import type { KeyObject } from 'node:crypto';
import type { JSONWebKeySet } from 'jose';
import { invalidClient } from '../../platform/index.ts';
import type { UsedValues } from '../../tenancy/keys/data/used-values.ts';
import type { AssertionAlgorithm } from '../domain/assertions/assertion-algorithms.ts';
import type { AssertionVerification } from '../domain/assertions/client-assertion.ts';
import type { Client } from '../domain/client.ts';
import { type AuthenticationKeys, type ClientKey, keysFor, readKeys } from '../domain/client-keys.ts';
import type { RemoteJwks } from './remote-jwks.ts';

/** Verifies client assertions with the clients' keys and a store of used ids that all processes share. */
export class StoredAssertionVerification implements AssertionVerification {
  readonly #remoteJwks: RemoteJwks;
  readonly #used: UsedValues;
  readonly #read = new WeakMap<JSONWebKeySet, ClientKey[]>();

  constructor(o: { remoteJwks: RemoteJwks; used: UsedValues }) {
    this.#remoteJwks = o.remoteJwks;
    this.#used = o.used;
  }

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

  remember(client: Client, jti: string, milliseconds: number): Promise<boolean> {
    return this.#used.use('client_assertion', [client.tenant, client.clientId, jti], milliseconds);
  }

  async #remoteKeys(uri: string, refresh: boolean): Promise<ClientKey[]> {
    const set = await this.#remoteJwks.get(uri, refresh);
    const known = this.#read.get(set) ?? readKeys(set);
    this.#read.set(set, known);
    return known;
  }
}
