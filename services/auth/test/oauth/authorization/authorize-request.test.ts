import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Client } from '../../../src/clients/domain/client.ts';
import {
  authorizeUrl,
  callback,
  signInAndAllow,
  startTestService,
  type TestService,
  tenant,
} from '../../support/sign-in/service.ts';

let service: TestService;
let client: Client;

beforeAll(async () => {
  service = await startTestService();
  client = await service.client();
});
afterAll(() => service.stop());

const open = (path: string) => service.browser().get(path);

describe('no redirect before client and redirect URI are verified', () => {
  const cases: [string, Record<string, string | undefined>][] = [
    ['an unknown client', { client_id: 'nobody' }],
    ['no client', { client_id: undefined }],
    ['an unregistered redirect URI', { redirect_uri: 'https://evil.example/callback' }],
    ['another path', { redirect_uri: `${callback}/` }],
    ['a longer path', { redirect_uri: `${callback}/../callback` }],
    ['other case', { redirect_uri: 'https://APP.example/callback' }],
    ['an added query', { redirect_uri: `${callback}?x=1` }],
    ['an added fragment', { redirect_uri: `${callback}#x` }],
    ['credentials in front', { redirect_uri: 'https://app.example@evil.example/callback' }],
    ['a subdomain', { redirect_uri: 'https://app.example.evil.example/callback' }],
    ['http instead of https', { redirect_uri: 'http://app.example/callback' }],
    ['a backslash', { redirect_uri: 'https://app.example\\@evil.example/callback' }],
    ['a script', { redirect_uri: 'javascript:alert(1)' }],
    ['a line break', { redirect_uri: `${callback}\r\nlocation: https://evil.example` }],
  ];
  test.each(cases)('A request with %s is rejected without a redirect.', async (_name, fields) => {
    const answer = await open(authorizeUrl(client, fields));
    expect(answer.status).toBe(400);
    expect(answer.location).toBeUndefined();
    expect(answer.headers.get('content-type')).toContain('text/html');
    expect(answer.text).not.toContain('evil.example');
  });

  test('A request with a repeated client_id or redirect_uri is rejected without a redirect.', async () => {
    for (const extra of [`client_id=${client.clientId}`, `redirect_uri=${encodeURIComponent(callback)}`]) {
      const answer = await open(`${authorizeUrl(client)}&${extra}`);
      expect([answer.status, answer.location]).toEqual([400, undefined]);
    }
  });

  test('A request of a disabled client is rejected without a redirect.', async () => {
    const disabled = await service.client();
    await service.deps.clientRegistry.disable(tenant, disabled.clientId);
    expect((await open(authorizeUrl(disabled))).status).toBe(400);
  });

  test('A request with bytes that are not valid text is rejected without a redirect.', async () => {
    for (const tail of ['&state=%00', '&state=%ff', '&state=%ed%a0%80', '&state=%', '&%00=1']) {
      const answer = await open(authorizeUrl(client, { state: undefined }) + tail);
      expect([tail, answer.status, answer.location]).toEqual([tail, 400, undefined]);
    }
  });

  test('A request to an unknown tenant, or to one with an invalid slug, returns 404.', async () => {
    expect((await open(authorizeUrl({ ...client, tenant: 'nowhere' }))).status).toBe(404);
    expect((await open('/t/..%2f..%2fdemo/authorize')).status).toBe(404);
  });
});

describe('errors go to the client, with state and issuer', () => {
  const cases: [string, string, Record<string, string | undefined>][] = [
    ['response_type missing', 'invalid_request', { response_type: undefined }],
    ['response_type=token', 'unsupported_response_type', { response_type: 'token' }],
    ['a hybrid type', 'unsupported_response_type', { response_type: 'code id_token' }],
    ['no PKCE', 'invalid_request', { code_challenge: undefined, code_challenge_method: undefined }],
    ['PKCE plain', 'invalid_request', { code_challenge_method: 'plain' }],
    ['PKCE without a method, which means plain', 'invalid_request', { code_challenge_method: undefined }],
    ['a short challenge', 'invalid_request', { code_challenge: 'short' }],
    ['an unknown scope', 'invalid_scope', { scope: 'openid root' }],
    ["a scope the client isn't registered for", 'invalid_scope', { scope: 'openid users:write' }],
    ['a malformed scope', 'invalid_scope', { scope: 'open"id' }],
    ['prompt=none with another', 'invalid_request', { prompt: 'none login' }],
    ['an unknown prompt', 'invalid_request', { prompt: 'dance' }],
    ['a max_age that is no number', 'invalid_request', { max_age: '-1' }],
    ['a foreign resource', 'invalid_target', { resource: 'https://api.example' }],
    ['a resource with a fragment', 'invalid_target', { resource: `http://localhost:4000/t/${tenant}#x` }],
    ['a registration', 'registration_not_supported', { registration: '{}' }],
    ['response_mode=web_message', 'invalid_request', { response_mode: 'web_message' }],
    ['response_mode=fragment', 'invalid_request', { response_mode: 'fragment' }],
    ['an ID token hint that is none', 'invalid_request', { id_token_hint: 'eyJ.e30.x' }],
    ['an oversized nonce', 'invalid_request', { nonce: 'n'.repeat(2_049) }],
  ];
  test.each(cases)(
    'A request with %s is rejected at the redirect URI with %s.',
    async (_name, error, fields) => {
      const answer = await open(authorizeUrl(client, fields));
      expect(answer.status).toBe(303);
      const location = new URL(answer.location ?? '');
      expect(location.origin + location.pathname).toBe(callback);
      expect(Object.fromEntries(location.searchParams)).toEqual({
        error,
        error_description: expect.stringMatching(/^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/),
        state: 'the state',
        iss: `http://localhost:4000/t/${tenant}`,
      });
    },
  );

  test('A request with a repeated parameter, state included, is rejected at the redirect URI.', async () => {
    for (const name of ['scope', 'nonce', 'response_type', 'state']) {
      const location = new URL(
        (await open(`${authorizeUrl(client, { nonce: 'n' })}&${name}=x`)).location ?? '',
      );
      expect([name, location.searchParams.get('error')]).toEqual([name, 'invalid_request']);
      expect(location.searchParams.get('state')).toBe(name === 'state' ? null : 'the state');
    }
  });

  test('A request of a client without the grant type is rejected at the redirect URI.', async () => {
    const machine = await service.client({
      token_endpoint_auth_method: 'client_secret_basic',
      grant_types: ['authorization_code'],
    });
    await service.deps.database.sql.query(
      `UPDATE auth.clients SET grant_types = '{client_credentials}' WHERE client_id = $1`,
      [machine.clientId],
    );
    await service.deps.clients.changed(tenant, machine.clientId);
    const location = new URL((await open(authorizeUrl(machine))).location ?? '');
    expect(location.searchParams.get('error')).toBe('unauthorized_client');
  });

  test('A request with a megabyte of scope is rejected with 413 before it is parsed.', async () => {
    const { status } = await service
      .browser()
      .post(`/t/${tenant}/authorize`, `client_id=${client.clientId}&scope=${'a'.repeat(1_000_000)}`);
    expect(status).toBe(413);
  });

  test('The error response keeps the query of a registered redirect URI.', async () => {
    const other = await service.client({ redirect_uris: [`${callback}?app=1`] });
    const answer = await open(
      authorizeUrl(other, { redirect_uri: `${callback}?app=1`, response_type: 'token' }),
    );
    expect(answer.location).toMatch(
      /^https:\/\/app\.example\/callback\?app=1&error=unsupported_response_type&/,
    );
  });
});

describe('accepted requests', () => {
  const loopback = ['http://127.0.0.1/cb', 'http://[::1]/cb'];

  test('A loopback redirect URI of a native app is accepted on any port, and with no other difference.', async () => {
    const native = await service.client({ redirect_uris: loopback, application_type: 'native' });
    for (const redirect_uri of ['http://127.0.0.1:51004/cb', 'http://[::1]:8/cb', 'http://127.0.0.1/cb']) {
      expect([redirect_uri, (await open(authorizeUrl(native, { redirect_uri }))).status]).toEqual([
        redirect_uri,
        303,
      ]);
    }
    for (const redirect_uri of [
      'http://127.0.0.1:51004/other',
      'http://127.0.0.1:99999/cb',
      'http://127.0.0.1:80@evil.example/cb',
      'http://127.0.0.1.evil.example/cb',
      'http://localhost:51004/cb',
      'https://127.0.0.1:51004/cb',
    ]) {
      expect([redirect_uri, (await open(authorizeUrl(native, { redirect_uri }))).status]).toEqual([
        redirect_uri,
        400,
      ]);
    }
  });

  test('http://localhost of a native app is accepted on any port where it is registered, and is no other loopback address.', async () => {
    const native = await service.client({
      redirect_uris: ['http://localhost/callback'],
      application_type: 'native',
    });
    const status = async (redirect_uri: string) =>
      (await open(authorizeUrl(native, { redirect_uri }))).status;
    expect(await status('http://localhost:51004/callback')).toBe(303);
    for (const other of [
      'http://127.0.0.1:51004/callback',
      'http://localhost:51004/other',
      'http://localhost.evil.example:51004/callback',
      'http://localhost:80@evil.example/callback',
      'http://LOCALHOST:51004/callback',
      'https://localhost:51004/callback',
    ]) {
      expect([other, await status(other)]).toEqual([other, 400]);
    }
    const web = await service.client({
      redirect_uris: ['http://localhost/callback'],
      application_type: 'web',
    });
    const elsewhere = { redirect_uri: 'http://localhost:51004/callback' };
    expect((await open(authorizeUrl(web, elsewhere))).status).toBe(400);
  });

  test('The loopback redirect URI of a confidential client is accepted on its registered port only.', async () => {
    const web = await service.client({
      token_endpoint_auth_method: 'client_secret_basic',
      redirect_uris: ['http://127.0.0.1:8400/callback'],
    });
    const at = (port: number) => authorizeUrl(web, { redirect_uri: `http://127.0.0.1:${port}/callback` });
    expect((await open(at(8400))).status).toBe(303);
    expect((await open(at(8401))).status).toBe(400);
  });

  test('A missing redirect URI is accepted when one is registered, and rejected when several are.', async () => {
    expect((await open(authorizeUrl(client, { redirect_uri: undefined }))).location).toMatch(
      /^\/t\/demo\/login/,
    );
    const two = await service.client({ redirect_uris: [callback, `${callback}/two`] });
    expect((await open(authorizeUrl(two, { redirect_uri: undefined }))).status).toBe(400);
  });

  test('The API of the tenant and registered resources are accepted, also several of them.', async () => {
    const reader = await service.client({ resources: ['https://api.example'] });
    const url = `${authorizeUrl(reader)}&resource=${encodeURIComponent('https://api.example')}&resource=${encodeURIComponent(`http://localhost:4000/t/${tenant}`)}`;
    expect((await open(url)).location).toMatch(/^\/t\/demo\/login/);
  });

  test.each([
    ['https://api.example', 'https://api.example/'],
    ['https://api.example/', 'https://api.example'],
    ['https://api.example', 'https://api.example'],
  ])('Where the resource %s is registered, %s is the same resource.', async (registered, resource) => {
    const reader = await service.client({ resources: [registered] });
    expect((await open(authorizeUrl(reader, { resource }))).location).toMatch(/^\/t\/demo\/login/);
    for (const other of [
      `${resource}x`,
      'https://api.example//',
      'https://api.example.evil/',
      'http://api.example',
    ]) {
      const { location } = await open(authorizeUrl(reader, { resource: other }));
      expect(new URL(location ?? '').searchParams.get('error')).toBe('invalid_target');
    }
  });

  const longest = 's'.repeat(8_192);

  test('A state of 8,192 bytes is returned with the code and with every error.', async () => {
    await service.person('alice');
    const answer = await signInAndAllow(service.browser(), client, 'alice', { state: longest });
    expect([answer.searchParams.get('state'), answer.searchParams.has('code')]).toEqual([longest, true]);
    for (const wrong of [
      { scope: 'nonsense' },
      { response_type: 'token' },
      { code_challenge: 'short' },
      { prompt: 'none login' },
      { resource: 'https://nowhere.example' },
      { response_mode: 'fragment' },
      { claims: '{' },
      { max_age: 'never' },
      { nonce: 'n'.repeat(2_049) },
    ]) {
      const { location } = await open(authorizeUrl(client, { state: longest, ...wrong }));
      const { searchParams } = new URL(location ?? '');
      expect([searchParams.has('error'), searchParams.get('state')]).toEqual([true, longest]);
    }
  });

  test('A state of more than 8,192 bytes is rejected with a redirect.', async () => {
    const { location } = await open(authorizeUrl(client, { state: `${longest}s` }));
    expect(new URL(location ?? '').searchParams.get('error')).toBe('invalid_request');
  });
});
