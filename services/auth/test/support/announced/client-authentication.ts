import { expect } from '@jest/globals';
import { type CryptoKey, exportJWK, generateKeyPair, SignJWT } from 'jose';
import { type Fields, publicClient, register } from '../running-auth.ts';
import { auth, list, machine } from './server.ts';

type Authenticated = 'token' | 'introspection' | 'revocation' | 'revocation_feed';

const requests: Record<Authenticated, [path: string, fields: Fields]> = {
  token: ['token', { grant_type: 'client_credentials' }],
  introspection: ['introspect', { token: 'anything' }],
  revocation: ['revoke', { token: 'anything' }],
  revocation_feed: ['revocations', {}],
};

/** Reports whether a client authenticates at an endpoint with these parameters. */
async function getsIn(
  at: Authenticated,
  fields: Fields,
  basic?: readonly [string, string],
): Promise<boolean> {
  const [path, more] = requests[at];
  const { status, body } = await auth.post(
    `/t/demo/${path}`,
    { ...more, ...fields },
    basic === undefined ? {} : { basic },
  );
  // A public client may not use client_credentials, and a client without a protected resource may not follow the feed;
  // these errors follow successful authentication.
  return status === 200 || body.error === 'unauthorized_client' || body.error === 'invalid_target';
}

const assertion = async (clientId: string, alg: string, key: CryptoKey | Uint8Array): Promise<Fields> => ({
  client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
  client_assertion: await new SignJWT({ jti: crypto.randomUUID() })
    .setProtectedHeader({ alg })
    .setIssuer(clientId)
    .setSubject(clientId)
    .setAudience(auth.issuer('demo'))
    .setExpirationTime('1m')
    .sign(key),
});

async function signsIn(at: Authenticated, alg: string): Promise<boolean> {
  if (alg.startsWith('HS')) {
    const { client, clientSecret } = await register(auth, {
      ...machine,
      token_endpoint_auth_method: 'client_secret_jwt',
    });
    return getsIn(at, await assertion(client.clientId, alg, Buffer.from(clientSecret ?? '')));
  }
  const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true });
  const { client } = await register(auth, {
    ...machine,
    token_endpoint_auth_method: 'private_key_jwt',
    jwks: { keys: [await exportJWK(publicKey)] },
  });
  return getsIn(at, await assertion(client.clientId, alg, privateKey));
}

export async function eachAlgorithm(at: Authenticated): Promise<void> {
  const outcomes = await Promise.all(
    list(`${at}_endpoint_auth_signing_alg_values_supported`).map(async (alg) => [
      alg,
      await signsIn(at, alg),
    ]),
  );
  expect(outcomes.filter(([, isIn]) => !isIn)).toEqual([]);
}

export async function eachMethod(at: Authenticated): Promise<void> {
  for (const method of list(`${at}_endpoint_auth_methods_supported`)) {
    expect([method, await isMethodGood(at, method)]).toEqual([method, true]);
  }
}

async function isMethodGood(at: Authenticated, method: string): Promise<boolean> {
  if (method === 'private_key_jwt') return signsIn(at, 'ES256');
  if (method === 'client_secret_jwt') return signsIn(at, 'HS256');
  const isPublic = method === 'none';
  const { client, clientSecret = '' } = await register(auth, {
    ...(isPublic ? publicClient : machine),
    token_endpoint_auth_method: method,
  });
  const { clientId: id } = client;
  if (method === 'client_secret_basic') return getsIn(at, {}, [id, clientSecret]);
  return getsIn(at, { client_id: id, ...(isPublic ? {} : { client_secret: clientSecret }) });
}
