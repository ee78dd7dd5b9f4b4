import { randomBytes } from 'node:crypto';
import { expect, test } from '@jest/globals';
import type { Principal } from '@ostiary/verifier';
import {
  calculateJwkThumbprint,
  createLocalJWKSet,
  decodeProtectedHeader,
  type JSONWebKeySet,
  jwtVerify,
} from 'jose';
import { Assertions, signingKey } from '../../src/assertions/index.ts';

const now = Date.parse('2026-11-30T12:00:00Z');
const seconds = now / 1_000;

const user = (claims: object = {}, expiresAt = seconds + 600): Principal => ({
  kind: 'user',
  subject: 'user-1',
  clientId: 'shop',
  scopes: new Set(['openid', 'profile']),
  roles: new Set(),
  issuer: 'https://id.example/t/acme',
  audience: ['https://orders.example'],
  jti: 'token-1',
  expiresAt,
  claims: { acr: 'urn:ostiary:acr:2fa', auth_time: seconds - 60, sid: 'session-1', ...claims },
});

const keysOf = (assertions: Assertions) => createLocalJWKSet(assertions.keySet as unknown as JSONWebKeySet);
const options = {
  typ: 'guard+jwt',
  issuer: 'ostiary-guard',
  audience: 'orders.example',
  currentDate: new Date(now),
};

test('An assertion states the caller for one host, and is valid by the published keys.', async () => {
  const assertions = new Assertions(signingKey(randomBytes(32)));
  const { payload } = await jwtVerify(
    assertions.assert(user({ act: { sub: 'agent-1' } }), 'orders.example', now),
    keysOf(assertions),
    options,
  );
  expect(payload).toEqual({
    iss: 'ostiary-guard',
    aud: 'orders.example',
    sub: 'user-1',
    kind: 'user',
    client_id: 'shop',
    scope: 'openid profile',
    acr: 'urn:ostiary:acr:2fa',
    auth_time: seconds - 60,
    sid: 'session-1',
    act: { sub: 'agent-1' },
    iat: seconds,
    exp: seconds + 60,
  });
});

test('An assertion does not outlive the access token.', async () => {
  const assertions = new Assertions(signingKey(randomBytes(32)));
  const text = assertions.assert(user({}, seconds + 7), 'orders.example', now);
  expect((await jwtVerify(text, keysOf(assertions), options)).payload.exp).toBe(seconds + 7);
});

test('An assertion is invalid for another host.', async () => {
  const assertions = new Assertions(signingKey(randomBytes(32)));
  const text = assertions.assert(user(), 'other.example', now);
  await expect(jwtVerify(text, keysOf(assertions), options)).rejects.toThrow('aud');
});

test('Replicas derive the same key from the same secret, and another key from another one.', async () => {
  const secret = randomBytes(32);
  const [one, same, other] = [signingKey(secret), signingKey(secret), signingKey(randomBytes(32))];
  expect(same.jwk).toEqual(one.jwk);
  expect(other.kid).not.toBe(one.kid);
  expect(one.kid).toBe(await calculateJwkThumbprint(one.jwk as { kty: string }));
  expect(Object.keys(one.jwk).sort()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y']);
});

test('During a rotation, each replica signs with its own key and publishes both.', async () => {
  const [former, next] = [signingKey(randomBytes(32)), signingKey(randomBytes(32))];
  const before = new Assertions(former, next);
  const after = new Assertions(next, former);
  for (const [signer, kid] of [
    [before, former.kid],
    [after, next.kid],
  ] as const) {
    const text = signer.assert(user(), 'orders.example', now);
    expect(decodeProtectedHeader(text)).toEqual({ alg: 'ES256', typ: 'guard+jwt', kid });
    for (const verifier of [before, after]) await jwtVerify(text, keysOf(verifier), options);
  }
});
