import { describe, expect, test } from '@jest/globals';
import { exportJWK, generateKeyPair } from 'jose';
import * as oauth4webapi from 'oauth4webapi';
import * as oauth from 'openid-client';
import { checkScopes } from '../../src/oauth/domain/authorize-request.ts';
import { initialToken, itself, metadata, post, send } from '../support/registering.ts';
import { issueCode } from '../support/running-auth.ts';
import { auth, setUpTwoProcesses } from '../support/two-processes.ts';

setUpTwoProcesses();

describe('POST /register (RFC 7591)', () => {
  test('A registration returns the registered metadata, defaults included, with a registration access token.', async () => {
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
      token_endpoint_auth_methods: ['client_secret_basic', 'client_secret_post'],
      redirect_uris: ['https://notes.example/cb'],
      post_logout_redirect_uris: [],
      grant_types: ['authorization_code'],
      response_types: ['code'],
      scope: 'openid profile email address phone',
      resources: [],
      application_type: 'web',
      id_token_signed_response_alg: 'RS256',
      require_consent: true,
      registration_access_token: expect.any(String),
      registration_client_uri: `${auth.issuer('demo')}/register/${body.client_id}`,
    });
  });

  test('A client registered without scope may request each standard scope, but address and phone only by name.', async () => {
    const { body } = await post(metadata);
    const client = await auth.deps.clients.find('demo', String(body.client_id));
    if (!client) throw new Error('It is not registered.');
    const asked = (scope?: string) =>
      checkScopes(new Map(scope === undefined ? [] : [['scope', [scope]]]), client);
    expect(asked('openid profile email address phone')).toHaveLength(5);
    expect(asked()).toEqual(['openid', 'profile', 'email']);
    const narrow = await post(metadata, await initialToken({ scopes: ['openid', 'phone'] }));
    expect(narrow.body.scope).toBe('openid phone');
  });

  test('openid-client registers itself and signs a user in.', async () => {
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

  test('oauth4webapi registers a client with a private key.', async () => {
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

  test('A client registers a back-channel logout URI and can remove it again.', async () => {
    const logout = {
      backchannel_logout_uri: 'https://notes.example/logout',
      backchannel_logout_session_required: true,
    };
    const { body, uri, token, id } = await itself(logout);
    expect(body).toMatchObject(logout);
    const changed = await send('PUT', uri, token, { client_id: id, ...metadata });
    expect(changed.status).toBe(200);
    for (const name of Object.keys(logout)) expect(changed.body).not.toHaveProperty(name);
  });

  test('A native app registers with a scheme of its own and without a name.', async () => {
    const { body } = await itself({
      client_name: undefined,
      application_type: 'native',
      token_endpoint_auth_method: 'none',
      redirect_uris: ['com.example.notes:/callback', 'http://127.0.0.1/callback'],
    });
    expect(body).toMatchObject({ application_type: 'native', client_name: 'com.example.notes' });
    expect(body).not.toHaveProperty('client_secret');
  });

  test('A registration ignores the members that only administrators may set, and unknown members.', async () => {
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
    ['a logout address with a fragment', { backchannel_logout_uri: 'https://notes.example/logout#top' }],
    ['a list of logout addresses', { backchannel_logout_uri: ['https://notes.example/logout'] }],
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
  test.each(bad)(
    'A registration with %s is rejected.',
    async (_, change, error = 'invalid_client_metadata') => {
      const token = await initialToken();
      const answer = await post({ ...metadata, ...change }, token);
      expect([answer.status, answer.body.error]).toEqual([400, error]);
      expect(answer.body.error_description).toEqual(expect.any(String));
      // A rejected registration does not use up the token.
      expect((await post(metadata, token)).status).toBe(201);
    },
  );

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
  ])('A registration whose key set contains %s is rejected.', async (_, make) => {
    const answer = await post({
      ...metadata,
      token_endpoint_auth_method: 'private_key_jwt',
      jwks: { keys: [await make()] },
    });
    expect([answer.status, answer.body.error]).toEqual([400, 'invalid_client_metadata']);
  });

  test('A registration keeps only the public members of a key.', async () => {
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
  ])('A registration whose body is %s is rejected with 400.', async (_, body, type) => {
    const answer = await send('POST', '/t/demo/register', await initialToken(), body, {
      'content-type': type,
    });
    expect(answer.status).toBe(400);
    expect(answer.body.error).toMatch(/^invalid_(client_metadata|request|redirect_uri)$/);
  });

  test('A registration whose body is a megabyte is rejected with 413.', async () => {
    const body = JSON.stringify({ ...metadata, x: 'x'.repeat(1_048_576) });
    const answer = await send('POST', '/t/demo/register', await initialToken(), body, {
      'content-type': 'application/json',
    });
    expect([answer.status, answer.body.error]).toEqual([413, 'invalid_request']);
  });

  test('A registration without a body is rejected with 400.', async () => {
    expect((await send('POST', '/t/demo/register', await initialToken())).status).toBe(400);
  });
});
