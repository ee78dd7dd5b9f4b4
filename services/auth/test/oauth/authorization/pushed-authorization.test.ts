import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeAll, describe, expect, test } from '@jest/globals';
import {
  type Answer,
  challenge,
  type Fields,
  publicClient,
  register,
  startAuth,
  verifier,
} from '../../support/running-auth.ts';
import { Browser } from '../../support/sign-in/browser.ts';
import { signedInBrowser } from '../../support/signed-in-browser.ts';
import { auth, backend, setUpTwoProcesses, twin } from '../../support/two-processes.ts';

const callback = 'http://127.0.0.1:8123/callback';
const unknownUri = `urn:ietf:params:oauth:request_uri:${'A'.repeat(43)}`;

setUpTwoProcesses();

let web: string;
let app: { id: string; secret: string };
const codeVerifier = verifier();

beforeAll(async () => {
  // A port that is registered: on any other the person would be asked (RFC 8252 §8.6).
  const firstParty = { ...publicClient, redirect_uris: [callback], require_consent: false };
  web = (await register(auth, firstParty)).client.clientId;
  const { client: confidential, clientSecret } = await register(auth, {
    ...firstParty,
    token_endpoint_auth_method: 'client_secret_post',
    application_type: 'native',
  });
  app = { id: confidential.clientId, secret: clientSecret ?? '' };
});

const request = (fields: Fields = {}): Fields => ({
  client_id: web,
  response_type: 'code',
  redirect_uri: callback,
  scope: 'openid profile',
  state: 'the state',
  code_challenge: challenge(codeVerifier),
  code_challenge_method: 'S256',
  ...fields,
});

const push = (fields: Fields = {}, at = auth, tenant = 'demo') =>
  at.post(`/t/${tenant}/par`, request(fields));

const pushed = async (fields: Fields = {}): Promise<string> => {
  const { status, body } = await push(fields);
  expect(status).toBe(201);
  return String(body.request_uri);
};

const error = (answer: Answer) => [answer.status, answer.body.error];

const authorize = (
  browser: Browser,
  requestUri: string,
  o: { client?: string; tenant?: string; more?: Record<string, string> } = {},
) =>
  browser.get(
    `/t/${o.tenant ?? 'demo'}/authorize?${new URLSearchParams({ client_id: o.client ?? web, request_uri: requestUri, ...o.more })}`,
  );

const redeem = (location: string | undefined) =>
  auth.post('/t/demo/token', {
    grant_type: 'authorization_code',
    client_id: web,
    code: new URL(location ?? '').searchParams.get('code') ?? '',
    redirect_uri: callback,
    code_verifier: codeVerifier,
  });

describe('pushing (RFC 9126 §2)', () => {
  test('gives a reference that lives a minute, and is announced', async () => {
    const { status, headers, body } = await push();
    expect(status).toBe(201);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(body).toEqual({
      request_uri: expect.stringMatching(/^urn:ietf:params:oauth:request_uri:[\w-]{43}$/),
      expires_in: 60,
    });
    expect((await auth.get('/t/demo/.well-known/openid-configuration')).body).toMatchObject({
      pushed_authorization_request_endpoint: `${auth.issuer('demo')}/par`,
      request_uri_parameter_supported: true,
    });
  });

  test('neither the reference nor the client’s secret is in Redis', async () => {
    const uri = await pushed({ client_id: app.id, client_secret: app.secret });
    for (const key of await auth.deps.redis.keys(`${backend.prefix}:auth:pushed_request:*`)) {
      expect(await auth.deps.redis.ttl(key)).toBeGreaterThan(0);
      expect(await auth.deps.redis.get(key)).not.toContain(app.secret);
      expect(key).not.toContain(uri.slice(-43));
    }
  });

  const refusals: [string, Fields, number, string][] = [
    ['no client', { client_id: undefined }, 401, 'invalid_client'],
    ['a confidential client without its secret', { client_id: 'APP' }, 401, 'invalid_client'],
    ['a wrong secret', { client_id: 'APP', client_secret: 'wrong' }, 401, 'invalid_client'],
    [
      'a redirect URI that is not registered',
      { redirect_uri: 'https://evil.example' },
      400,
      'invalid_request',
    ],
    ['a request_uri inside', { request_uri: unknownUri }, 400, 'invalid_request'],
    ['a request object', { request: 'e30.e30.' }, 400, 'invalid_request_object'],
    ['no response_type', { response_type: undefined }, 400, 'invalid_request'],
    ['the implicit grant', { response_type: 'token' }, 400, 'unsupported_response_type'],
    ['no PKCE', { code_challenge: undefined }, 400, 'invalid_request'],
    ['PKCE plain', { code_challenge_method: 'plain' }, 400, 'invalid_request'],
    ['an unknown scope', { scope: 'openid everything' }, 400, 'invalid_scope'],
    ['a scope it is not registered for', { scope: 'users:write' }, 400, 'invalid_scope'],
    ['a parameter sent twice', { state: ['a', 'b'] }, 400, 'invalid_request'],
    ['an oversized state', { state: 'x'.repeat(3_000) }, 400, 'invalid_request'],
    ['a foreign resource', { resource: 'https://elsewhere.example' }, 400, 'invalid_target'],
  ];
  test.each(refusals)('refuses %s', async (_, fields, status, code) => {
    const sent = fields.client_id === 'APP' ? { ...fields, client_id: app.id } : fields;
    expect(error(await push(sent))).toEqual([status, code]);
  });

  test('refuses a client without the code grant, one of another tenant, and JSON', async () => {
    const { client: machine, clientSecret } = await register(auth, {
      grant_types: ['client_credentials'],
      redirect_uris: [],
      scope: 'users:read',
    });
    const refused = await auth.post('/t/demo/par', request({ client_id: undefined }), {
      basic: [machine.clientId, clientSecret ?? ''],
    });
    expect(error(refused)).toEqual([400, 'invalid_request']);
    expect(error(await push({}, auth, 'rival'))).toEqual([401, 'invalid_client']);
    const json = await auth.post('/t/demo/par', '{}', { headers: { 'content-type': 'application/json' } });
    expect(error(json)).toEqual([400, 'invalid_request']);
    expect((await auth.get('/t/demo/par')).status).toBe(405);
  });

  test('a client_id beside other credentials must be the same', async () => {
    const answer = await auth.post('/t/demo/par', request({ client_id: web }), {
      basic: [app.id, app.secret],
    });
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.status).toBeLessThan(500);
  });
});

describe('following the reference (RFC 9126 §4)', () => {
  test('gives a code for the pushed request, once', async () => {
    const browser = await signedInBrowser(auth);
    const uri = await pushed();
    const answer = await authorize(browser, uri);
    expect(answer.location).toMatch(/^http:\/\/127\.0\.0\.1:8123\/callback\?code=/);
    expect(new URL(answer.location ?? '').searchParams.get('state')).toBe('the state');
    expect((await redeem(answer.location)).status).toBe(200);
    const again = await authorize(browser, uri);
    expect([again.status, again.location]).toEqual([400, undefined]);
  });

  test('only what was pushed counts: parameters the browser adds are ignored', async () => {
    const answer = await authorize(await signedInBrowser(auth), await pushed(), {
      more: {
        redirect_uri: 'http://127.0.0.1:6666/callback',
        scope: 'openid offline_access',
        state: 'forged',
        code_challenge: 'A'.repeat(43),
      },
    });
    const location = new URL(answer.location ?? '');
    expect(location.port).toBe('8123');
    expect(location.searchParams.get('state')).toBe('the state');
    expect((await redeem(answer.location)).body.scope).toBe('openid profile');
  });

  test('is kept through sign-in, and people may reload: only the code uses it up (FAPI 2.0 SP §5.3.2.2)', async () => {
    const [browser, uri] = [new Browser(auth.origin), await pushed()];
    for (let loads = 0; loads < 3; loads += 1) {
      expect((await authorize(browser, uri)).location).toMatch(/^\/t\/demo\/login\?i=/);
    }
    expect((await authorize(await signedInBrowser(auth), uri)).location).toContain('code=');
    expect((await authorize(browser, uri)).status).toBe(400);
  });

  test('an error sent to the client leaves it, so that the client may ask the person', async () => {
    const uri = await pushed({ prompt: 'none' });
    const silent = await authorize(new Browser(auth.origin), uri);
    expect(new URL(silent.location ?? '').searchParams.get('error')).toBe('login_required');
    expect((await authorize(await signedInBrowser(auth), uri)).location).toContain('code=');
  });

  test('many consent pages of one request: one of them leads to a code, whichever is answered first', async () => {
    const { client: asking } = await register(auth, { ...publicClient, require_consent: true });
    const browser = await signedInBrowser(auth);
    const uri = await pushed({ client_id: asking.clientId });
    const pages = [];
    for (let page = 0; page < 6; page += 1) {
      const { location } = await authorize(browser, uri, { client: asking.clientId });
      pages.push(await browser.get(location ?? ''));
    }
    const answers = await Promise.all(pages.map((page) => browser.submit(page, { action: 'allow' })));
    expect(answers.filter(({ location }) => location?.includes('code='))).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(5);
  });

  test('a page that was shown in time may be answered after the request’s own minute', async () => {
    const brief = await startAuth(backend, {
      publicOrigin: auth.origin,
      env: { PUSHED_REQUEST_TTL_SECONDS: '1' },
    });
    try {
      const { client: asking } = await register(auth, { ...publicClient, require_consent: true });
      const uri = String((await push({ client_id: asking.clientId }, brief)).body.request_uri);
      const browser = await signedInBrowser(auth);
      const { location } = await authorize(browser, uri, { client: asking.clientId });
      const page = await browser.get(location ?? '');
      await new Promise((resolve) => setTimeout(resolve, 1_100));
      const answer = await browser.submit(page, { action: 'allow' });
      expect(answer.location).toContain('code=');
    } finally {
      await brief.stop();
    }
  });

  test('50 parallel uses over two processes: one code', async () => {
    const [browser, uri] = [await signedInBrowser(auth), await pushed()];
    const other = new Browser(twin.origin);
    for (const [name, value] of browser.cookies) other.cookies.set(name, value);
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, i) => authorize(i % 2 ? browser : other, uri)),
    );
    expect(answers.filter((answer) => answer.location?.includes('code='))).toHaveLength(1);
    expect(answers.filter((answer) => answer.status === 400)).toHaveLength(49);
  });

  test('is bound to its client and tenant, and their trying does not use it up', async () => {
    const [browser, uri] = [await signedInBrowser(auth), await pushed()];
    const other = (await register(auth, publicClient)).client.clientId;
    await auth.deps.clientRegistry.register(
      'rival',
      { client_name: 'Web', ...publicClient },
      { clientId: web },
    );
    for (const foreign of [{ client: other }, { client: 'nobody' }, { tenant: 'rival' }]) {
      const answer = await authorize(browser, uri, foreign);
      expect([answer.status, answer.location]).toEqual([400, undefined]);
    }
    expect((await authorize(browser, uri)).location).toContain('code=');
  });

  test.each([
    ['was never given', unknownUri],
    ['is only the prefix', 'urn:ietf:params:oauth:request_uri:'],
  ])('a reference that %s is never a redirect away from here', async (_, uri) => {
    const answer = await authorize(await signedInBrowser(auth), uri);
    expect([answer.status, answer.location]).toEqual([400, undefined]);
  });

  test('a request_uri or client_id that comes twice is a page', async () => {
    const uri = await pushed();
    const query = new URLSearchParams({ client_id: web, request_uri: uri });
    for (const twice of [{ request_uri: uri }, { client_id: web }]) {
      const answer = await (await signedInBrowser(auth)).get(
        `/t/demo/authorize?${query}&${new URLSearchParams(twice as Record<string, string>)}`,
      );
      expect([answer.status, answer.location]).toEqual([400, undefined]);
    }
  });

  test('expires', async () => {
    const brief = await startAuth(backend, {
      publicOrigin: auth.origin,
      env: { PUSHED_REQUEST_TTL_SECONDS: '1' },
    });
    try {
      const { body } = await push({}, brief);
      expect(body.expires_in).toBe(1);
      await new Promise((resolve) => setTimeout(resolve, 1_100));
      expect((await authorize(await signedInBrowser(auth), String(body.request_uri))).status).toBe(400);
    } finally {
      await brief.stop();
    }
  });

  test('what the client may no longer do is checked again', async () => {
    const { client: brief } = await register(auth, publicClient);
    const uri = await pushed({ client_id: brief.clientId });
    await auth.deps.clientRegistry.disable('demo', brief.clientId);
    expect((await authorize(await signedInBrowser(auth), uri, { client: brief.clientId })).status).toBe(400);
  });

  test('a POST is sent round as a GET, and only that uses it up', async () => {
    const [browser, uri] = [await signedInBrowser(auth), await pushed()];
    const form = { client_id: web, request_uri: uri };
    const posted = await browser.post('/t/demo/authorize', form);
    expect(posted.status).toBe(303);
    await browser.post('/t/demo/authorize', form);
    expect((await browser.get(posted.location ?? '')).location).toContain('code=');
  });

  test('any other request_uri that isn’t registered is refused and never fetched', async () => {
    let hits = 0;
    const trap = createServer((_request, response) => {
      hits += 1;
      response.end();
    });
    await new Promise<void>((resolve) => trap.listen(0, '127.0.0.1', resolve));
    const address = `http://127.0.0.1:${(trap.address() as AddressInfo).port}/request`;
    const query = new URLSearchParams(request({ request_uri: address }) as Record<string, string>);
    const answer = await (await signedInBrowser(auth)).get(`/t/demo/authorize?${query}`);
    expect([answer.status, answer.location]).toEqual([400, undefined]);
    await new Promise((resolve) => trap.close(resolve));
    expect(hits).toBe(0);
  });
});

describe('require_pushed_authorization_requests (RFC 9126 §6)', () => {
  test('a client registered so gets codes for pushed requests only', async () => {
    const { client: strict } = await register(auth, {
      ...publicClient,
      redirect_uris: [callback],
      require_consent: false,
      require_pushed_authorization_requests: true,
    });
    const browser = await signedInBrowser(auth);
    const fields = request({ client_id: strict.clientId }) as Record<string, string>;
    const direct = await browser.get(`/t/demo/authorize?${new URLSearchParams(fields)}`);
    const location = new URL(direct.location ?? '');
    expect(location.searchParams.get('error')).toBe('invalid_request');
    expect(location.searchParams.get('state')).toBe('the state');
    const uri = await pushed({ client_id: strict.clientId });
    expect((await authorize(browser, uri, { client: strict.clientId })).location).toContain('code=');
  });
});
