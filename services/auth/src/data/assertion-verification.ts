import type { ServiceKit } from '@ostiary/service';
import { ServiceUnavailable } from '@ostiary/service';
import type { Redis } from 'ioredis';
import type { JSONWebKeySet } from 'jose';
import type { AssertionVerification } from '../domain/client-assertion.ts';
import { type AuthenticationKeys, type ClientKey, keysFor, readKeys } from '../domain/client-keys.ts';
import { invalidClient } from '../domain/errors.ts';
import { deriveKey, keyedDigest } from '../domain/secret.ts';
import type { RemoteJwks } from './remote-jwks.ts';

/** What checking client assertions needs from outside: the clients' keys, and a memory shared by all processes. */
export function createAssertionVerification(o: {
  redis: Redis;
  prefix: string;
  encryptionKey: Buffer;
  remoteJwks: Pick<RemoteJwks, 'get'>;
  clock: ServiceKit['clock'];
}): AssertionVerification {
  const digestKey = deriveKey(o.encryptionKey, 'client-assertion');
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
    async remember(client, jti, untilMs) {
      const digest = keyedDigest(digestKey, JSON.stringify([client.tenant, client.clientId, jti]));
      const life = Math.max(Math.ceil(untilMs - o.clock()), 1);
      try {
        const name = `${o.prefix}:client_assertion:${digest.toString('base64url')}`;
        return (await o.redis.set(name, '', 'PX', life, 'NX')) === 'OK';
      } catch (error) {
        throw new ServiceUnavailable('redis', { cause: error });
      }
    },
  };
}
