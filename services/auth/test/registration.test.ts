import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { exportJWK, generateKeyPair } from 'jose';
import * as oauth4webapi from 'oauth4webapi';
import * as oauth from 'openid-client';
import { pruneExpired } from '../src/data/retention.ts';
import { usualScopes } from '../src/domain/dynamic-registration.ts';
import {
  type Answer,
  type Backend,
  basicHeader,
  createBackend,
  issueCode,
  type RunningAuth,
  register,
  startAuth,
} from './running-auth.ts';

let backend: Backend;
let auth: RunningAuth;
let twin: RunningAuth;

beforeAll(async () => {
  backend = await createBackend();
  auth = await startAuth(backend);
  twin = await startAuth(backend, { publicOrigin: auth.origin });
});

afterAll(async () => {
  await twin?.stop();
  await auth?.stop();
  await backend?.drop();
});

const initialToken = async (
  o: { uses?: number; scopes?: readonly string[]; lifetimeSeconds?: number; tenant?: string } = {},
): Promise<string> => {
  const { token } = await auth.deps.registrations.createToken(o.tenant ?? 'demo', {
    name: 'tests',
    scopes: o.scopes ?? usualScopes,
    uses: o.uses ?? 1,
    lifetimeSeconds: o.lifetimeSeconds ?? 60,
  });
  return token;
};

/** Sends JSON with a bearer token. */
async function send(
  method: string,
  address: string,
  token: string | undefined,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const response = await fetch(new URL(address, auth.origin), {
    method,
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text === '' ? {} : JSON.parse(text) };
}

const metadata = { client_name: 'Notes', redirect_uris: ['https://notes.example/cb'] };
const post = async (body: unknown, token?: string): Promise<Answer> =>
  send('POST', '/t/demo/register', token ?? (await initialToken()), body);

/** A client that registered itself. */
async function itself(change: object = {}, o: { scopes?: readonly string[] } = {}) {
  const { status, body } = await post({ ...metadata, ...change }, await initialToken(o));
  expect([status, body.error_description]).toEqual([201, undefined]);
  const { client_id: id, registration_client_uri: uri, registration_access_token: token } = body;
  return { id: String(id), uri: String(uri), token: String(token), secret: String(body.client_secret), body };
}

describe('POST /register (RFC 7591)', () => {
  test('answers what was registered, defaults included, with the token for its management', async () => {
    const { status, headers, body } = await post(metadata);
    expect(status).toBe(201);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(body).toEqual({
      client_id: expect.any(String),
      client_secret: expect.stringMatching(/^ocs_/),
      client_secret_expires_at: 0,
      client_id_issued_at: expect.any(Number),
      client_name: 'Notes',
      token_endpoint_auth_method: 'client_secret_basic',
      redirect_uris: ['https://notes.example/cb'],
      post_logout_redirect_uris: [],
      grant_types: ['authorization_code'],
      response_types: ['code'],
      scope: 'openid profile email offline_access',
      resources: [],
      application_type: 'web',
      id_token_signed_response_alg: 'RS256',
      require_consent: true,
      registration_access_token: expect.any(String),
      registration_client_uri: `${auth.issuer('demo')}/register/${body.client_id}`,
    });
  });

  test('openid-client registers itself and signs somebody in', async () => {
    const config = await oauth.dynamicClientRegistration(
      new URL(auth.issuer('demo')),
      {
        ...metadata,
        grant_types: ['authorization_code', 'refresh_token'],
        token_endpoint_auth_method: 'client_secret_post',
      },
      undefined,
      { initialAccessToken: await initialToken(), execute: [oauth.allowInsecureRequests] },
    );
    const { client_id: id } = config.clientMetadata();
    const { code, codeVerifier } = await issueCode(auth, id, { redirectUri: 'https://notes.example/cb' });
    const answer = new URL(
      `https://notes.example/cb?code=${code}&iss=${encodeURIComponent(auth.issuer('demo'))}`,
    );
    const tokens = await oauth.authorizationCodeGrant(config, answer, {
      pkceCodeVerifier: codeVerifier,
      expectedNonce: 'n-1',
    });
    expect(tokens.claims()?.aud).toBe(id);
  });

  test('oauth4webapi registers a client with a private key', async () => {
    const { publicKey, privateKey } = await generateKeyPair('ES256');
    const insecure = { [oauth4webapi.allowInsecureRequests]: true };
    const issuer = new URL(auth.issuer('demo'));
    const server = await oauth4webapi.processDiscoveryResponse(
      issuer,
      await oauth4webapi.discoveryRequest(issuer, insecure),
    );
    const client = await oauth4webapi.processDynamicClientRegistrationResponse(
      await oauth4webapi.dynamicClientRegistrationRequest(
        server,
        {
          client_name: 'Machine',
          grant_types: ['client_credentials'],
          token_endpoint_auth_method: 'private_key_jwt',
          jwks: { keys: [{ ...(await exportJWK(publicKey)), kid: 'k' } as never] },
        },
        { initialAccessToken: await initialToken(), ...insecure },
      ),
    );
    expect(client.client_secret).toBeUndefined();
    const answer = await oauth4webapi.processClientCredentialsResponse(
      server,
      client,
      await oauth4webapi.clientCredentialsGrantRequest(
        server,
        client,
        oauth4webapi.PrivateKeyJwt({ key: privateKey, kid: 'k' }),
        {},
        insecure,
      ),
    );
    expect(answer.access_token).toEqual(expect.any(String));
  });

  test('a native app with a scheme of its own, and without a name', async () => {
    const { body } = await itself({
      client_name: undefined,
      application_type: 'native',
      token_endpoint_auth_method: 'none',
      redirect_uris: ['com.example.notes:/callback', 'http://127.0.0.1/callback'],
    });
    expect(body).toMatchObject({ application_type: 'native', client_name: 'com.example.notes' });
    expect(body).not.toHaveProperty('client_secret');
  });

  test('what a client must not decide is passed over, like what nobody knows', async () => {
    const { body } = await itself({
      require_consent: false,
      require_pkce: false,
      resources: ['https://api.example'],
      client_id: 'chosen',
      client_secret: 'chosen',
      tenant: 'rival',
      epoch: 99,
      disabled: false,
      nonsense: { deep: [1] },
      constructor: { prototype: { polluted: true } },
    });
    expect(body).toMatchObject({ require_consent: true, resources: [] });
    expect(body).not.toHaveProperty('require_pkce');
    expect(body.client_id).not.toBe('chosen');
    expect(body.client_secret).not.toBe('chosen');
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  const bad: [string, object, string?][] = [
    [
      'a redirect URI over plain http',
      { redirect_uris: ['http://notes.example/cb'] },
      'invalid_redirect_uri',
    ],
    [
      'a redirect URI with a fragment',
      { redirect_uris: ['https://notes.example/cb#x'] },
      'invalid_redirect_uri',
    ],
    ['a wildcard', { redirect_uris: ['https://*.example/cb'] }, 'invalid_redirect_uri'],
    ['no redirect URI', { redirect_uris: [] }, 'invalid_redirect_uri'],
    ['a script', { redirect_uris: ['javascript:alert(1)'] }, 'invalid_redirect_uri'],
    [
      'a scheme without a domain',
      { redirect_uris: ['notes:/cb'], application_type: 'native' },
      'invalid_redirect_uri',
    ],
    [
      'a scheme of its own for a website',
      { redirect_uris: ['com.example.notes:/cb'] },
      'invalid_redirect_uri',
    ],
    ['a software statement', { software_statement: 'a.b.c' }, 'unapproved_software_statement'],
    ['a scope the token doesn’t allow', { scope: 'openid users:write' }],
    ['a scope that doesn’t exist', { scope: 'openid everything' }],
    ['the password grant', { grant_types: ['password'] }],
    ['the implicit grant', { grant_types: ['implicit'], response_types: ['token'] }],
    ['another response type', { response_types: ['code', 'token'] }],
    ['token exchange', { grant_types: ['urn:ietf:params:oauth:grant-type:token-exchange'] }],
    ['assertions for people', { grant_types: ['urn:ietf:params:oauth:grant-type:jwt-bearer'] }],
    ['an unknown method', { token_endpoint_auth_method: 'tls_client_auth' }],
    ['a private key method without keys', { token_endpoint_auth_method: 'private_key_jwt' }],
    ['keys twice', { jwks: { keys: [] }, jwks_uri: 'https://notes.example/jwks' }],
    ['no key', { jwks: { keys: [] } }],
    ['a symmetric key', { jwks: { keys: [{ kty: 'oct', k: 'AQAB' }] } }],
    ['keys that are a list', { jwks: [] }],
    ['keys that are text', { jwks: 'x' }],
    ['an address of keys that runs', { jwks_uri: 'javascript:alert(1)' }],
    ['an address of keys with credentials', { jwks_uri: 'https://a:b@notes.example/jwks' }],
    ['an algorithm without assertions', { token_endpoint_auth_signing_alg: 'ES256' }],
    ['an unsigned introspection', { introspection_signed_response_alg: 'none' }],
    ['a name with control characters', { client_name: 'a\u0000b' }],
    ['a name with a lone surrogate', { client_name: 'a\ud800b' }],
    ['a home page with a NUL', { client_uri: 'https://notes.example/\u0000' }],
    ['a home page with a lone surrogate', { client_uri: 'https://notes.example/\ud800' }],
    ['a name that is a number', { client_name: 7 }],
    ['redirect URIs that are text', { redirect_uris: 'https://notes.example/cb' }],
    ['redirect URIs that are numbers', { redirect_uris: [7] }],
    [
      'too many redirect URIs',
      { redirect_uris: Array.from({ length: 51 }, (_, n) => `https://n.example/${n}`) },
    ],
    ['an endless scope', { scope: 'openid '.repeat(10_000) }],
  ];
  test.each(bad)('refuses %s', async (_, change, error = 'invalid_client_metadata') => {
    const token = await initialToken();
    const answer = await post({ ...metadata, ...change }, token);
    expect([answer.status, answer.body.error]).toEqual([400, error]);
    expect(answer.body.error_description).toEqual(expect.any(String));
    // A refused registration doesn't use the token up.
    expect((await post(metadata, token)).status).toBe(201);
  });

  test.each([
    [
      'a private key',
      async () => exportJWK((await generateKeyPair('ES256', { extractable: true })).privateKey),
    ],
    ['a curve nobody has', async () => ({ kty: 'EC', crv: 'secp256k1', x: 'AQAB', y: 'AQAB' })],
    ['a point off its curve', async () => ({ kty: 'EC', crv: 'P-256', x: 'AQAB', y: 'AQAB' })],
    [
      'a short RSA key',
      async () => ({ kty: 'RSA', n: Buffer.alloc(128, 0xab).toString('base64url'), e: 'AQAB' }),
    ],
    [
      'an endless RSA key',
      async () => ({ kty: 'RSA', n: Buffer.alloc(2_048, 0xab).toString('base64url'), e: 'AQAB' }),
    ],
    [
      'an endless RSA exponent',
      async () => ({
        kty: 'RSA',
        n: Buffer.alloc(256, 0xab).toString('base64url'),
        e: Buffer.alloc(200, 0xab).toString('base64url'),
      }),
    ],
    [
      'a key for encryption',
      async () => ({ ...(await exportJWK((await generateKeyPair('ES256')).publicKey)), use: 'enc' }),
    ],
    [
      'a kid with control characters',
      async () => ({ ...(await exportJWK((await generateKeyPair('ES256')).publicKey)), kid: '\u0000' }),
    ],
  ])('refuses %s', async (_, make) => {
    const answer = await post({
      ...metadata,
      token_endpoint_auth_method: 'private_key_jwt',
      jwks: { keys: [await make()] },
    });
    expect([answer.status, answer.body.error]).toEqual([400, 'invalid_client_metadata']);
  });

  test('only the public members of a key are kept', async () => {
    const jwk = await exportJWK((await generateKeyPair('ES256')).publicKey);
    const { body } = await itself({
      token_endpoint_auth_method: 'private_key_jwt',
      jwks: { keys: [{ ...jwk, kid: 'k', note: 'x'.repeat(1_000), x5u: 'http://10.0.0.1/' }] },
    });
    expect(body.jwks).toEqual({ keys: [{ kty: 'EC', crv: 'P-256', x: jwk.x, y: jwk.y, kid: 'k' }] });
  });

  test.each([
    ['not JSON', 'client_name=Notes', 'application/x-www-form-urlencoded'],
    ['broken JSON', '{"client_name":', 'application/json'],
    ['a list', '[]', 'application/json'],
    ['null', 'null', 'application/json'],
    ['text', '"x"', 'application/json'],
    ['not UTF-8', Buffer.from([0x7b, 0xff, 0x7d]).toString('latin1'), 'application/json'],
    ['of no type', '{}', 'nonsense'],
    ['a deep nest', `${'['.repeat(100_000)}${']'.repeat(100_000)}`, 'application/json'],
    ['a megabyte', JSON.stringify({ ...metadata, x: 'x'.repeat(1_048_576) }), 'application/json'],
  ])('a body that is %s is a 400', async (_, body, type) => {
    const answer = await send('POST', '/t/demo/register', await initialToken(), body, {
      'content-type': type,
    });
    expect(answer.status).toBe(400);
    expect(answer.body.error).toMatch(/^invalid_(client_metadata|request|redirect_uri)$/);
  });

  test('no body at all is a 400', async () => {
    expect((await send('POST', '/t/demo/register', await initialToken())).status).toBe(400);
  });
});

describe('the initial access token', () => {
  const unauthorized = { status: 401, body: { error: 'invalid_token' } };

  test('is needed', async () => {
    const answer = await send('POST', '/t/demo/register', undefined, metadata);
    expect(answer).toMatchObject(unauthorized);
    expect(answer.headers.get('www-authenticate')).toBe(`Bearer realm="${auth.issuer('demo')}"`);
  });

  test.each([
    ['unknown', async () => 'oit_unknown'],
    ['truncated', async () => (await initialToken()).slice(0, -1)],
    ['another tenant’s', async () => initialToken({ tenant: 'rival' })],
    ['expired', async () => initialToken({ lifetimeSeconds: -1 })],
    [
      'an access token of the tenant',
      async () => {
        const { client, clientSecret } = await register(auth, {
          grant_types: ['client_credentials'],
          redirect_uris: [],
          scope: 'clients:write',
        });
        const { body } = await auth.post(
          '/t/demo/token',
          { grant_type: 'client_credentials' },
          { basic: [client.clientId, clientSecret ?? ''] },
        );
        return String(body.access_token);
      },
    ],
    ['a registration access token', async () => (await itself()).token],
    [
      'revoked',
      async () => {
        const { token, initialAccessToken } = await auth.deps.registrations.createToken('demo', {
          name: 'x',
          scopes: [],
          uses: 1,
          lifetimeSeconds: 60,
        });
        expect(await auth.deps.registrations.revokeToken('rival', initialAccessToken.id)).toBe(false);
        expect(await auth.deps.registrations.revokeToken('demo', initialAccessToken.id)).toBe(true);
        return token;
      },
    ],
  ])('%s is refused', async (_, make) => {
    const answer = await post(metadata, await make());
    expect(answer).toMatchObject(unauthorized);
    expect(answer.headers.get('www-authenticate')).toContain('error="invalid_token"');
  });

  test('in the query, in two headers or in another scheme is refused', async () => {
    const token = await initialToken();
    expect(await send('POST', `/t/demo/register?access_token=${token}`, undefined, metadata)).toMatchObject({
      status: 400,
      body: { error: 'invalid_request' },
    });
    const basic = { authorization: basicHeader('a', token) };
    expect(await send('POST', '/t/demo/register', undefined, metadata, basic)).toMatchObject(unauthorized);
    expect((await post(metadata, token)).status).toBe(201);
  });

  test('of 20 registrations at once at two processes, as many succeed as it has uses', async () => {
    const token = await initialToken({ uses: 3 });
    const answers = await Promise.all(
      Array.from({ length: 20 }, async (_, index) => {
        const response = await fetch(`${(index % 2 ? auth : twin).origin}/t/demo/register`, {
          method: 'POST',
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
          body: JSON.stringify(metadata),
        });
        await response.text();
        return response.status;
      }),
    );
    expect(answers.filter((status) => status === 201)).toHaveLength(3);
    expect(answers.filter((status) => status === 401)).toHaveLength(17);
  });

  test('allows the scopes it was made with', async () => {
    const machine = { grant_types: ['client_credentials'], redirect_uris: [] };
    const { body } = await itself({ ...machine, scope: 'users:read' }, { scopes: ['users:read'] });
    expect(body.scope).toBe('users:read');
    const none = await itself(machine, { scopes: ['users:read'] });
    expect(none.body.scope).toBe('');
  });

  test('is kept as a digest, and deleted once it has expired', async () => {
    const token = await initialToken({ lifetimeSeconds: -1 });
    const { rows } = await auth.database.sql.query<{ row: string }>(
      'SELECT t::text AS row FROM auth.initial_access_tokens t',
    );
    expect(rows.length).toBeGreaterThan(0);
    expect(JSON.stringify(rows)).not.toContain(token.slice(4));
    await pruneExpired(auth.database.sql);
    const left = await auth.database.sql.query(
      'SELECT 1 FROM auth.initial_access_tokens WHERE expires_at < now()',
    );
    expect(left.rows).toHaveLength(0);
  });
});

describe('/register/{client_id} (RFC 7592)', () => {
  const unauthorized = { status: 401, body: { error: 'invalid_token' } };

  test('GET reads the registration, without the secret', async () => {
    const { uri, token, body } = await itself();
    const { client_secret: _, client_secret_expires_at: __, ...rest } = body;
    const answer = await send('GET', uri, token);
    expect(answer).toMatchObject({ status: 200, body: rest });
    expect(answer.body).not.toHaveProperty('client_secret');
    expect(answer.headers.get('cache-control')).toBe('no-store');
  });

  test('PUT replaces it: what is left out goes back to its default', async () => {
    const { id, uri, token, secret } = await itself({
      client_uri: 'https://notes.example',
      scope: 'openid email',
    });
    const answer = await send('PUT', uri, token, {
      client_id: id,
      client_secret: secret,
      client_name: 'Better Notes',
      redirect_uris: ['https://better.example/cb'],
    });
    expect(answer).toMatchObject({
      status: 200,
      body: {
        client_id: id,
        client_name: 'Better Notes',
        redirect_uris: ['https://better.example/cb'],
        scope: 'openid profile email offline_access',
        registration_access_token: token,
      },
    });
    expect(answer.body).not.toHaveProperty('client_uri');
    const { rows } = await auth.database.sql.query('SELECT name FROM auth.clients WHERE client_id = $1', [
      id,
    ]);
    expect(rows).toEqual([{ name: 'Better Notes' }]);
  });

  test('PUT can’t go beyond what the initial access token allowed, nor undo what an administrator decided', async () => {
    const { id, uri, token } = await itself();
    await auth.deps.clientRegistry.update('demo', id, (current) => ({
      ...current,
      require_pkce: false,
      resources: ['https://api.example'],
    }));
    const refused = await send('PUT', uri, token, {
      ...metadata,
      client_id: id,
      scope: 'openid clients:write',
    });
    expect(refused).toMatchObject({ status: 400, body: { error: 'invalid_client_metadata' } });
    const answer = await send('PUT', uri, token, {
      ...metadata,
      client_id: id,
      resources: [],
      require_consent: false,
    });
    expect(answer).toMatchObject({
      status: 200,
      body: { resources: ['https://api.example'], require_consent: true, require_pkce: false },
    });
  });

  test.each([
    ['no client_id', { client_id: undefined }],
    ['another client_id', { client_id: 'another' }],
    ['a wrong secret', { client_secret: 'ocs_wrong' }],
    ['a secret of its choosing', { client_secret: 7 }],
    ['a software statement', { software_statement: 'a.b.c' }],
    ['a wrong redirect URI', { redirect_uris: ['http://evil.example'] }],
  ])('PUT with %s changes nothing', async (_, change) => {
    const { id, uri, token } = await itself();
    const answer = await send('PUT', uri, token, { ...metadata, client_name: 'X', client_id: id, ...change });
    expect(answer.status).toBe(400);
    expect((await send('GET', uri, token)).body.client_name).toBe('Notes');
  });

  test('a new way of authenticating brings a new secret, and ends the old', async () => {
    const { id, uri, token, secret } = await itself({
      grant_types: ['client_credentials'],
      redirect_uris: [],
    });
    const put = (method: string, more: object = {}) =>
      send('PUT', uri, token, {
        client_id: id,
        client_name: 'Machine',
        grant_types: ['client_credentials'],
        redirect_uris: [],
        token_endpoint_auth_method: method,
        ...more,
      });
    const use = async (clientSecret: string, method = 'basic') =>
      (
        await auth.post(
          '/t/demo/token',
          method === 'basic'
            ? { grant_type: 'client_credentials' }
            : { grant_type: 'client_credentials', client_id: id, client_secret: clientSecret },
          method === 'basic' ? { basic: [id, clientSecret] } : {},
        )
      ).status;
    expect(await use(secret)).toBe(200);
    // The same secret in another place.
    const posted = await put('client_secret_post');
    expect(posted.body).not.toHaveProperty('client_secret');
    expect([await use(secret), await use(secret, 'post')]).toEqual([401, 200]);
    const hmac = await put('client_secret_jwt');
    expect(hmac.body.client_secret).toEqual(expect.any(String));
    const back = await put('client_secret_basic');
    expect(back.body).not.toHaveProperty('client_secret');
    expect([await use(secret), await use(String(hmac.body.client_secret))]).toEqual([401, 200]);
    const { rows } = await auth.database.sql.query(
      'SELECT sealed FROM auth.client_secrets WHERE client_id = $1',
      [id],
    );
    expect(rows).toEqual([{ sealed: null }]);
  });

  test('DELETE forgets the client, and its tokens with it', async () => {
    const { id, uri, token, secret } = await itself({
      grant_types: ['client_credentials'],
      redirect_uris: [],
    });
    const { body } = await auth.post(
      '/t/demo/token',
      { grant_type: 'client_credentials' },
      { basic: [id, secret] },
    );
    const introspect = await register(auth);
    const active = async () =>
      (
        await auth.post(
          '/t/demo/introspect',
          { token: String(body.access_token) },
          { basic: [introspect.client.clientId, introspect.clientSecret ?? ''] },
        )
      ).body.active;
    expect(await active()).toBe(true);
    expect((await send('DELETE', uri, token)).status).toBe(204);
    expect(await active()).toBe(false);
    for (const method of ['GET', 'PUT', 'DELETE']) {
      const answer = await send(
        method,
        uri,
        token,
        method === 'PUT' ? { ...metadata, client_id: id } : undefined,
      );
      expect(answer).toMatchObject(unauthorized);
    }
    const again = await auth.post(
      '/t/demo/token',
      { grant_type: 'client_credentials' },
      { basic: [id, secret] },
    );
    expect(again.body.error).toBe('invalid_client');
  });

  test('every token but the client’s own is refused, whatever the method', async () => {
    const [mine, other] = [await itself(), await itself()];
    const admin = await register(auth);
    for (const token of [other.token, await initialToken(), mine.secret, 'nonsense', undefined]) {
      for (const method of ['GET', 'PUT', 'DELETE']) {
        const answer = await send(
          method,
          mine.uri,
          token,
          method === 'PUT' ? { ...metadata, client_id: mine.id } : undefined,
        );
        expect(answer).toMatchObject(unauthorized);
      }
    }
    // At another tenant, for a client that never registered itself, and for ids that are none.
    for (const path of [
      `/t/rival/register/${mine.id}`,
      `/t/demo/register/${admin.client.clientId}`,
      '/t/demo/register/nobody',
      '/t/demo/register/%00',
      `/t/demo/register/${'a'.repeat(90)}`,
    ]) {
      expect((await send('GET', path, mine.token)).status).toBe(401);
    }
    expect((await send('GET', mine.uri, mine.token)).status).toBe(200);
  });

  test('a scope that an administrator took away is not the client’s to take back, however close its update follows', async () => {
    const scopes = ['openid', 'profile', 'users:read'];
    const { id, uri, token } = await itself({ scope: scopes.join(' ') }, { scopes });
    const update = (scope: string) => send('PUT', uri, token, { ...metadata, client_id: id, scope });
    // Less by its own choice is no decision against it.
    expect((await update('openid')).status).toBe(200);
    expect((await update('openid users:read')).status).toBe(200);
    const narrow = auth.deps.clientRegistry.update('demo', id, (current) => ({
      ...current,
      scope: 'openid',
    }));
    const [, ...updates] = await Promise.all([
      narrow,
      ...Array.from({ length: 5 }, () => update('openid users:read')),
    ]);
    for (const { status } of updates) expect([200, 400]).toContain(status);
    expect((await auth.deps.clients.find('demo', id))?.scopes).toEqual(['openid']);
    expect(await update('openid users:read')).toMatchObject({
      status: 400,
      body: { error: 'invalid_client_metadata' },
    });
    expect((await update('openid profile')).body.scope).toBe('openid profile');
  });

  test('a client that an administrator gave another grant may send back what it read, or do without', async () => {
    const exchange = 'urn:ietf:params:oauth:grant-type:token-exchange';
    const { id, uri, token } = await itself();
    await auth.deps.clientRegistry.update('demo', id, (current) => ({
      ...current,
      grant_types: ['authorization_code', exchange],
      token_exchange_subject_clients: ['other'],
    }));
    const { body } = await send('GET', uri, token);
    for (const issued of ['registration_access_token', 'registration_client_uri', 'client_id_issued_at']) {
      delete body[issued];
    }
    const same = await send('PUT', uri, token, body);
    expect(same).toMatchObject({ status: 200, body: { grant_types: ['authorization_code', exchange] } });
    const without = await send('PUT', uri, token, { ...metadata, client_id: id });
    expect(without).toMatchObject({ status: 200, body: { grant_types: ['authorization_code'] } });
    const again = await send('PUT', uri, token, body);
    expect(again).toMatchObject({ status: 400, body: { error: 'invalid_client_metadata' } });
  });

  test('a disabled client can’t change itself', async () => {
    const { id, uri, token } = await itself();
    await auth.deps.clientRegistry.disable('demo', id);
    expect(await send('GET', uri, token)).toMatchObject(unauthorized);
  });

  test('other methods are not there', async () => {
    const { uri, token } = await itself();
    expect((await send('PATCH', uri, token, {})).status).toBe(405);
    expect((await send('GET', '/t/demo/register', token)).status).toBe(405);
  });
});
