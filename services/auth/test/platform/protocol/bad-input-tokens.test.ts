/**
 * Malformed and forged input, one kind per test, at every endpoint that accepts it. The response is the specified
 * error, never a 500, and never a redirect to an unregistered address.
 */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { exportJWK, generateKeyPair, SignJWT, UnsecuredJWT } from 'jose';
import { accessTokenType, exchangeGrant } from '../../support/assertions.ts';
import { auth, basic, initialAccessToken, setUpCapableClient } from '../../support/capable-client.ts';
import { claimsOf, issueCode, register } from '../../support/running-auth.ts';

setUpCapableClient();

describe('a token that is', () => {
  interface Tokens {
    access: string;
    id: string;
    refresh: string;
    foreign: string;
  }
  let given: Tokens;

  /** Returns the tokens of a user's sign-in to a client of a tenant. */
  const signIn = async (tenant: string) => {
    const { client } = await register(
      auth,
      {
        token_endpoint_auth_method: 'none',
        redirect_uris: ['http://127.0.0.1/callback'],
        grant_types: ['authorization_code', 'refresh_token'],
      },
      tenant,
    );
    const { form } = await issueCode(auth, client.clientId, { tenant });
    return (await auth.post(`/t/${tenant}/token`, form)).body;
  };

  beforeAll(async () => {
    const [own, other] = [await signIn('demo'), await signIn('rival')];
    given = {
      access: String(own.access_token),
      id: String(own.id_token),
      refresh: String(own.refresh_token),
      foreign: String(other.access_token),
    };
  });

  /** Returns the response of each endpoint to a token. */
  async function atEveryAccessPath(token: string): Promise<Record<string, unknown>> {
    const bearer = { authorization: `Bearer ${token}` };
    const userinfo = await auth.get('/t/demo/userinfo', bearer);
    const inForm = await auth.post('/t/demo/userinfo', { access_token: token });
    const introspected = await auth.post(
      '/t/demo/introspect',
      { token },
      { headers: { authorization: basic } },
    );
    const exchanged = await auth.post(
      '/t/demo/token',
      { grant_type: exchangeGrant, subject_token: token, subject_token_type: accessTokenType },
      { headers: { authorization: basic } },
    );
    const graph = await fetch(`${auth.origin}/graphql`, {
      method: 'POST',
      headers: { ...bearer, 'content-type': 'application/json' },
      body: JSON.stringify({ query: '{ clients(first: 1) { totalCount } }' }),
    });
    const rest = await auth.get('/internal/v1/revocations', bearer);
    return {
      userinfo: [userinfo.status, /error="(\w+)"/.exec(userinfo.headers.get('www-authenticate') ?? '')?.[1]],
      'userinfo by form': inForm.status,
      introspection: introspected.body,
      'token exchange': [exchanged.status, exchanged.body.error],
      graph: graph.status,
      'internal REST': rest.status,
    };
  }

  const refused = {
    userinfo: [401, 'invalid_token'],
    'userinfo by form': 401,
    introspection: { active: false },
    'token exchange': [400, 'invalid_request'],
    graph: 401,
    'internal REST': 401,
  };

  const header = () => JSON.parse(Buffer.from(given.access.split('.')[0] ?? '', 'base64url').toString());

  test('A valid token is accepted at userinfo, as the control for the other cases.', async () => {
    expect(await atEveryAccessPath(given.access)).toMatchObject({
      userinfo: [200, undefined],
      introspection: { active: true },
    });
  });

  test('A token signed by a foreign key under a known key id is rejected.', async () => {
    const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true });
    const forged = (more: object) =>
      new SignJWT(claimsOf(given.access))
        .setProtectedHeader({ ...header(), alg: 'ES256', ...more })
        .sign(privateKey);
    expect(await atEveryAccessPath(await forged({}))).toEqual(refused);
    // A key or its address in the header has no effect.
    expect(await atEveryAccessPath(await forged({ jwk: await exportJWK(publicKey) }))).toEqual(refused);
    expect(await atEveryAccessPath(await forged({ jku: 'https://evil.example/jwks' }))).toEqual(refused);
    expect(await atEveryAccessPath(await forged({ kid: '../../../dev/null' }))).toEqual(refused);
  });

  test('A token with changed claims under the original signature is rejected.', async () => {
    const [head, , signature] = given.access.split('.');
    const claims = { ...claimsOf(given.access), scope: 'openid users:write', exp: 4_000_000_000 };
    const payload = Buffer.from(JSON.stringify(claims)).toString('base64url');
    expect(await atEveryAccessPath(`${head}.${payload}.${signature}`)).toEqual(refused);
  });

  test('A truncated token is rejected.', async () => {
    const [head, payload] = given.access.split('.');
    for (const token of [
      given.access.slice(0, -1),
      given.access.slice(0, -20),
      given.access.slice(0, 40),
      `${head}.${payload}.`,
      `${head}.${payload}`,
      `${head}`,
    ]) {
      expect(await atEveryAccessPath(token)).toEqual(refused);
    }
  });

  test('A token of another tenant is rejected.', async () => {
    const answers = await atEveryAccessPath(given.foreign);
    // The graph serves all tenants and accepts the token, but without these scopes.
    expect(answers).toEqual({ ...refused, graph: expect.any(Number) });
    expect((await auth.get('/t/rival/userinfo', { authorization: `Bearer ${given.foreign}` })).status).toBe(
      200,
    );
  });

  test('A token of the wrong typ is rejected: an ID token, a refresh token or an initial access token.', async () => {
    for (const token of [given.id, initialAccessToken])
      expect(await atEveryAccessPath(token)).toEqual(refused);
    const answers = await atEveryAccessPath(given.refresh);
    // Introspection accepts a refresh token only from its own client.
    expect(answers).toEqual(refused);
  });

  test('A token of the wrong alg is rejected: none, a MAC with the public key, or the name of another algorithm.', async () => {
    const claims = claimsOf(given.access);
    const { keys } = (await auth.get('/t/demo/jwks')).body as { keys: { kid: string; n?: string }[] };
    const [head, payload, signature] = given.access.split('.');
    const secrets = [
      JSON.stringify(keys.find(({ kid }) => kid === header().kid)),
      keys.find(({ n }) => n)?.n ?? '',
    ];
    const relabelled = Buffer.from(JSON.stringify({ ...header(), alg: 'RS256' })).toString('base64url');
    const tokens = [
      new UnsecuredJWT(claims).encode(),
      `${Buffer.from(JSON.stringify({ ...header(), alg: 'none' })).toString('base64url')}.${payload}.${signature}`,
      `${relabelled}.${payload}.${signature}`,
      ...(await Promise.all(
        secrets.map((secret) =>
          new SignJWT(claims)
            .setProtectedHeader({ ...header(), alg: 'HS256' })
            .sign(Buffer.from(secret.padEnd(32, '='))),
        ),
      )),
    ];
    expect(head).toBeDefined();
    for (const token of tokens) expect(await atEveryAccessPath(token)).toEqual(refused);
  });

  test('A token in the query or in two places receives 400 invalid_request.', async () => {
    const doors: [string, RequestInit][] = [
      ['/t/demo/userinfo', {}],
      ['/t/demo/userinfo', { method: 'POST', body: new URLSearchParams() }],
      ['/t/demo/personal-access-tokens', {}],
      ['/t/demo/register/x', {}],
      [
        '/graphql',
        {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ query: '{ me { id } }' }),
        },
      ],
      ['/internal/v1/revocations', {}],
    ];
    for (const [path, init] of doors) {
      const url = `${auth.origin}${path}?access_token=${given.access}`;
      const both = { ...init, headers: { ...init.headers, authorization: `Bearer ${given.access}` } };
      for (const request of [init, both]) {
        const response = await fetch(url, request);
        expect([path, response.status]).toEqual([path, 400]);
        expect(response.headers.get('www-authenticate')).toContain('error="invalid_request"');
      }
    }
    const twice = await auth.post(
      '/t/demo/userinfo',
      { access_token: given.access },
      { headers: { authorization: `Bearer ${given.access}` } },
    );
    expect(twice.status).toBe(400);
    expect(twice.headers.get('www-authenticate')).toContain('error="invalid_request"');
  });

  test('A malformed token is rejected: NUL, lone surrogates or a megabyte.', async () => {
    for (const token of ['a.b.c', '..', 'é', '"', `${'a'.repeat(7_000)}.b.c`]) {
      const introspected = await auth.post(
        '/t/demo/introspect',
        { token },
        { headers: { authorization: basic } },
      );
      expect(introspected.body).toEqual({ active: false });
      const encoded = await auth.post('/t/demo/userinfo', { access_token: token });
      expect([400, 401]).toContain(encoded.status);
    }
    for (const raw of ['%00', '%ED%A0%80', 'a'.repeat(1_048_576)]) {
      const posted = await auth.post('/t/demo/introspect', `token=${raw}`, {
        headers: { authorization: basic },
      });
      expect([posted.status, posted.body.error]).toEqual([400, 'invalid_request']);
      const presented = await auth.post('/t/demo/userinfo', `access_token=${raw}`);
      expect(raw.length > 1_000 ? [413] : [400, 401]).toContain(presented.status);
    }
  });
});
