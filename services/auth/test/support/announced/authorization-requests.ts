import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from '@jest/globals';
import { exportJWK, generateKeyPair, SignJWT, UnsecuredJWT } from 'jose';
import { register, verifier } from '../running-auth.ts';
import { auth, list } from './server.ts';

/** Returns the response to an authorization request without a session. */
export async function ask(changes: Record<string, string>): Promise<Response> {
  const { client } = await register(auth, { scope: 'openid email' });
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: client.clientId,
    redirect_uri: 'https://app.example/cb',
    code_challenge: createHash('sha256').update(verifier()).digest('base64url'),
    code_challenge_method: 'S256',
    ...changes,
  });
  return fetch(`${auth.issuer('demo')}/authorize?${query}`, { redirect: 'manual' });
}

/** Returns the address of its redirect. */
export async function authorize(changes: Record<string, string>): Promise<URL> {
  const { status, headers } = await ask(changes);
  expect(status).toBe(303);
  return new URL(headers.get('location') ?? '', auth.origin);
}

export async function eachAuthorizes(member: string, parameter: string): Promise<void> {
  for (const value of list(member)) {
    expect([value, (await authorize({ [parameter]: value })).pathname]).toEqual([value, '/t/demo/login']);
  }
}

/** Returns the result of a request object by value or by reference; undefined if there is no redirect. */
export async function requestsWith(
  alg: string,
  { at }: { at?: 'its own address' | 'another address' },
): Promise<string | undefined> {
  const key = alg === 'none' ? undefined : await generateKeyPair(alg, { extractable: true });
  const publicJwk = key && (await exportJWK(key.publicKey));
  let document = '';
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'application/oauth-authz-req+jwt').end(document);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  try {
    const { client } = await register(auth, {
      scope: 'openid',
      request_object_signing_alg: alg,
      request_uris: [`${address}/request`],
      ...(publicJwk ? { jwks: { keys: [publicJwk] } } : {}),
    });
    const claims = {
      iss: client.clientId,
      aud: auth.issuer('demo'),
      response_type: 'code',
      redirect_uri: 'https://app.example/cb',
      scope: 'openid',
      code_challenge: createHash('sha256').update(verifier()).digest('base64url'),
      code_challenge_method: 'S256',
    };
    document = key
      ? await new SignJWT(claims).setProtectedHeader({ alg }).sign(key.privateKey)
      : new UnsecuredJWT(claims).encode();
    const query = new URLSearchParams({
      client_id: client.clientId,
      ...(at
        ? { request_uri: `${address}/${at === 'its own address' ? 'request' : 'other'}` }
        : { request: document }),
    });
    const { headers } = await fetch(`${auth.issuer('demo')}/authorize?${query}`, { redirect: 'manual' });
    const location = headers.get('location');
    return location === null ? undefined : new URL(location, auth.origin).pathname;
  } finally {
    await new Promise((resolve) => server.close(resolve));
  }
}
