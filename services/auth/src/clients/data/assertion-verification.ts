import type { JSONWebKeySet } from 'jose';
import type { UsedValues } from '../../keys/data/index.ts';
import { invalidClient } from '../../protocol/index.ts';
import type { AssertionVerification } from '../domain/assertions/client-assertion.ts';
import { type AuthenticationKeys, type ClientKey, keysFor, readKeys } from '../domain/client-keys.ts';
import type { RemoteJwks } from './remote-jwks.ts';

/** What checking client assertions needs from outside: the clients' keys, and a memory shared by all processes. */
export function createAssertionVerification(o: {
  remoteJwks: Pick<RemoteJwks, 'get'>;
  used: UsedValues;
}): AssertionVerification {
  const read = new WeakMap<JSONWebKeySet, ClientKey[]>();
  const remoteKeys = async (uri: string, refresh: boolean): Promise<ClientKey[]> => {
    const set = await o.remoteJwks.get(uri, refresh);
    const known = read.get(set) ?? readKeys(set);
    read.set(set, known);
    return known;
  };
  return {
    async keysOf(client, header) {
      const { jwks, jwks_uri: uri } = client.metadata as AuthenticationKeys;
      if (jwks) return keysFor(jwks.keys, header);
      if (uri === undefined) throw invalidClient('no keys registered');
      const keys = keysFor(await remoteKeys(uri, false), header);
      return keys.length > 0 ? keys : keysFor(await remoteKeys(uri, true), header);
    },
    remember: (client, jti, milliseconds) =>
      o.used.use('client_assertion', [client.tenant, client.clientId, jti], milliseconds),
  };
}
