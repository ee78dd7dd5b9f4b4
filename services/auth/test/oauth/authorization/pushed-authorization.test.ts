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

const callback = 'https://app.example/callback';
const unknownUri = `urn:ietf:params:oauth:request_uri:${'A'.repeat(43)}`;

setUpTwoProcesses();

let web: string;
let app: { id: string; secret: string };
const codeVerifier = verifier();

beforeAll(async () => {
  // A registered port; any other requires user interaction (RFC 8252 §8.6).
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
  test('A pushed request returns a request_uri that is valid for 60 seconds, and the endpoint is announced.', async () => {
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

  test('Redis contains neither the reference of a pushed request nor the secret of the client.', async () => {
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
  test.each(refusals)('A pushed request with %s is rejected.', async (_, fields, status, code) => {
    const sent = fields.client_id === 'APP' ? { ...fields, client_id: app.id } : fields;
    expect(error(await push(sent))).toEqual([status, code]);
  });

  test('A pushed request is rejected without the code grant, from a client of another tenant, and as JSON.', async () => {
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

  test('A client_id that differs from the authenticated client is rejected.', async () => {
    const answer = await auth.post('/t/demo/par', request({ client_id: web }), {
      basic: [app.id, app.secret],
    });
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.status).toBeLessThan(500);
  });
});

describe('following the reference (RFC 9126 §4)', () => {
  test('A request_uri gives a code for the pushed request exactly once.', async () => {
    const browser = await signedInBrowser(auth);
    const uri = await pushed();
    const answer = await authorize(browser, uri);
    expect(answer.location).toMatch(/^https:\/\/app\.example\/callback\?code=/);
    expect(new URL(answer.location ?? '').searchParams.get('state')).toBe('the state');
    expect((await redeem(answer.location)).status).toBe(200);
    const again = await authorize(browser, uri);
    expect([again.status, again.location]).toEqual([400, undefined]);
  });

  test('Only the pushed parameters count; parameters that the browser adds are ignored.', async () => {
    const answer = await authorize(await signedInBrowser(auth), await pushed(), {
      more: {
        redirect_uri: 'http://127.0.0.1:6666/callback',
        scope: 'openid offline_access',
        state: 'forged',
        code_challenge: 'A'.repeat(43),
      },
    });
    const location = new URL(answer.location ?? '');
    expect(location.host).toBe('app.example');
    expect(location.searchParams.get('state')).toBe('the state');
    expect((await redeem(answer.location)).body.scope).toBe('openid profile');
  });

  test('A request_uri survives sign-in and reloads; only issuing the code consumes it (FAPI 2.0 SP §5.3.2.2).', async () => {
    const [browser, uri] = [new Browser(auth.origin), await pushed()];
    for (let loads = 0; loads < 3; loads += 1) {
      expect((await authorize(browser, uri)).location).toMatch(/^\/t\/demo\/login\?i=/);
    }
    expect((await authorize(await signedInBrowser(auth), uri)).location).toContain('code=');
    expect((await authorize(browser, uri)).status).toBe(400);
  });

  test('An error returned to the client does not consume the request_uri, so the client can use it interactively.', async () => {
    const uri = await pushed({ prompt: 'none' });
    const silent = await authorize(new Browser(auth.origin), uri);
    expect(new URL(silent.location ?? '').searchParams.get('error')).toBe('login_required');
    expect((await authorize(await signedInBrowser(auth), uri)).location).toContain('code=');
  });

  test('Only one of several consent pages of one pushed request leads to a code, in any order of answers.', async () => {
    const { client: asking } = await register(auth, {
      ...publicClient,
      redirect_uris: [callback],
      require_consent: true,
    });
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

  test('A consent page shown in time can be answered after the pushed request has expired.', async () => {
    const brief = await startAuth(backend, {
      publicOrigin: auth.origin,
      env: { PUSHED_REQUEST_TTL_SECONDS: '1' },
    });
    try {
      const { client: asking } = await register(auth, {
        ...publicClient,
        redirect_uris: [callback],
        require_consent: true,
      });
      const browser = await signedInBrowser(auth);
      const uri = String((await push({ client_id: asking.clientId }, brief)).body.request_uri);
      const { location } = await authorize(browser, uri, { client: asking.clientId });
      const page = await browser.get(location ?? '');
      await new Promise((resolve) => setTimeout(resolve, 1_100));
      const answer = await browser.submit(page, { action: 'allow' });
      expect(answer.location).toContain('code=');
    } finally {
      await brief.stop();
    }
  });

  test('50 parallel uses of one request_uri over two processes give one code.', async () => {
    const [browser, uri] = [await signedInBrowser(auth), await pushed()];
    const other = new Browser(twin.origin);
    for (const [name, value] of browser.cookies) other.cookies.set(name, value);
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, i) => authorize(i % 2 ? browser : other, uri)),
    );
    expect(answers.filter((answer) => answer.location?.includes('code='))).toHaveLength(1);
    expect(answers.filter((answer) => answer.status === 400)).toHaveLength(49);
  });

  test('A request_uri is bound to its client and tenant, and attempts by others do not consume it.', async () => {
    const [browser, uri] = [await signedInBrowser(auth), await pushed()];
    const other = (await register(auth, { ...publicClient, redirect_uris: [callback] })).client.clientId;
    await auth.deps.clientRegistry.register(
      'rival',
      { client_name: 'Web', ...publicClient, redirect_uris: [callback] },
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
  ])('A reference that %s is answered with an error page and never redirected.', async (_, uri) => {
    const answer = await authorize(await signedInBrowser(auth), uri);
    expect([answer.status, answer.location]).toEqual([400, undefined]);
  });

  test('A repeated request_uri or client_id is answered with an error page.', async () => {
    const uri = await pushed();
    const query = new URLSearchParams({ client_id: web, request_uri: uri });
    for (const twice of [{ request_uri: uri }, { client_id: web }]) {
      const answer = await (await signedInBrowser(auth)).get(
        `/t/demo/authorize?${query}&${new URLSearchParams(twice as Record<string, string>)}`,
      );
      expect([answer.status, answer.location]).toEqual([400, undefined]);
    }
  });

  test('A pushed request expires.', async () => {
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

  test('A pushed request of a client that was disabled in the meantime is rejected.', async () => {
    const { client: brief } = await register(auth, { ...publicClient, redirect_uris: [callback] });
    const uri = await pushed({ client_id: brief.clientId });
    await auth.deps.clientRegistry.disable('demo', brief.clientId);
    expect((await authorize(await signedInBrowser(auth), uri, { client: brief.clientId })).status).toBe(400);
  });

  test('A POST is redirected to a GET, and only the GET consumes the request_uri.', async () => {
    const [browser, uri] = [await signedInBrowser(auth), await pushed()];
    const form = { client_id: web, request_uri: uri };
    const posted = await browser.post('/t/demo/authorize', form);
    expect(posted.status).toBe(303);
    await browser.post('/t/demo/authorize', form);
    expect((await browser.get(posted.location ?? '')).location).toContain('code=');
  });

  test('Any other request_uri that is not registered is rejected and never fetched.', async () => {
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
  test('A client registered with require_pushed_authorization_requests gets codes for pushed requests only.', async () => {
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
