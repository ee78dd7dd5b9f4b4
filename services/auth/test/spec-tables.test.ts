/**
 * The tables of the service's specification, row by row: each test is named after its row. The rows about SCIM resources are
 * tested with the provisioning service and in e2e/.
 */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Browser } from './people/browser.ts';
import {
  type Answer,
  type Backend,
  challenge,
  createBackend,
  type Fields,
  issueCode,
  publicClient,
  type RunningAuth,
  register,
  signedIn,
  startAuth,
  until,
  verifier,
} from './running-auth.ts';

const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code';
const callback = 'http://127.0.0.1:8123/callback';

let backend: Backend;
let auth: RunningAuth;
/** A process whose codes live a second and that forgives no repeated refresh. */
let strict: RunningAuth;
let web: string;
let tv: string;
let machine: readonly [string, string];

beforeAll(async () => {
  backend = await createBackend();
  auth = await startAuth(backend);
  strict = await startAuth(backend, {
    publicOrigin: auth.origin,
    env: {
      AUTHORIZATION_CODE_TTL_SECONDS: '1',
      DEVICE_CODE_TTL_SECONDS: '1',
      REFRESH_RETRY_WINDOW_SECONDS: '0',
    },
  });
  web = (await register(auth, publicClient)).client.clientId;
  tv = (
    await register(auth, {
      token_endpoint_auth_method: 'none',
      grant_types: [deviceGrant, 'refresh_token'],
      redirect_uris: [],
      scope: 'openid profile offline_access',
    })
  ).client.clientId;
  const { client, clientSecret } = await register(auth, {
    grant_types: ['client_credentials'],
    redirect_uris: [],
    scope: 'users:read users:write',
  });
  machine = [client.clientId, clientSecret ?? ''];
});

afterAll(async () => {
  await strict?.stop();
  await auth?.stop();
  await backend?.drop();
});

const token = (fields: Fields | string, o?: Parameters<RunningAuth['post']>[2], at = auth) =>
  at.post('/t/demo/token', fields, o);
const error = (answer: Answer) => [answer.status, answer.body.error];
const machineToken = (fields: Fields = {}) =>
  token({ grant_type: 'client_credentials', ...fields }, { basic: machine });

/** Tokens of a person who signed in to the public client. */
async function codeTokens(at = auth): Promise<Record<string, unknown>> {
  const { form } = await issueCode(at, web);
  const answer = await token(form, {}, at);
  expect(answer.status).toBe(200);
  return answer.body;
}

const refresh = (refreshToken: unknown, fields: Fields = {}, at = auth) =>
  token(
    { grant_type: 'refresh_token', refresh_token: String(refreshToken), client_id: web, ...fields },
    {},
    at,
  );

async function deviceCodes(at = auth): Promise<{ deviceCode: string; userCode: string }> {
  const { body } = await at.post('/t/demo/device_authorization', { client_id: tv });
  return { deviceCode: String(body.device_code), userCode: String(body.user_code) };
}

const poll = (deviceCode: string | undefined, fields: Fields = {}) =>
  token({ grant_type: deviceGrant, device_code: deviceCode, client_id: tv, ...fields });

async function answerDevice(userCode: string, answer: 'allow' | 'deny'): Promise<void> {
  const { deviceAuthorizations } = auth.deps;
  const device = await deviceAuthorizations.find('demo', userCode);
  if (!device) throw new Error('no device waits with this code');
  if (answer === 'deny') await deviceAuthorizations.deny('demo', device);
  else {
    await deviceAuthorizations.approve(device, {
      ...(await signedIn(auth)),
      clientId: tv,
      subjectEpoch: 0,
      scopes: ['openid', 'profile'],
      resources: [],
      authTime: Math.floor(Date.now() / 1000),
      amr: ['pwd'],
    });
  }
}

describe('States and transitions', () => {
  test('Authorization code | issued | exchange, first use, all match | consumed: token response returned', async () => {
    const { form } = await issueCode(auth, web);
    expect(await token(form)).toMatchObject({ status: 200, body: { access_token: expect.any(String) } });
  });

  test('Authorization code | consumed | exchange | unchanged: invalid_grant', async () => {
    const { form } = await issueCode(auth, web);
    await token(form);
    expect(error(await token(form))).toEqual([400, 'invalid_grant']);
    expect(error(await token(form))).toEqual([400, 'invalid_grant']);
  });

  test('Authorization code | expired | exchange | unchanged: invalid_grant', async () => {
    const { form } = await issueCode(strict, web);
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    expect(error(await token(form))).toEqual([400, 'invalid_grant']);
  });

  test('Refresh token | current | refresh | replaced: new refresh_token, the old one gives invalid_grant', async () => {
    const { refresh_token } = await codeTokens(strict);
    const { status, body } = await refresh(refresh_token, {}, strict);
    expect(status).toBe(200);
    expect(body.refresh_token).not.toBe(refresh_token);
    expect(error(await refresh(refresh_token, {}, strict))).toEqual([400, 'invalid_grant']);
  });

  test('Device code | pending | poll, user has not finished | pending: authorization_pending', async () => {
    const { deviceCode } = await deviceCodes();
    expect(error(await poll(deviceCode))).toEqual([400, 'authorization_pending']);
  });

  test('Device code | pending | poll too fast | pending: slow_down', async () => {
    const { deviceCode, userCode } = await deviceCodes();
    await poll(deviceCode);
    expect(error(await poll(deviceCode))).toEqual([400, 'slow_down']);
    await answerDevice(userCode, 'allow');
    expect((await poll(deviceCode)).status).toBe(200);
  });

  test('Device code | pending | time passes, code expired | expired: expired_token', async () => {
    const { deviceCode } = await deviceCodes(strict);
    await until(async () => (await poll(deviceCode)).body.error === 'expired_token');
  });

  test('Device code | pending | user refuses | denied: access_denied', async () => {
    const { deviceCode, userCode } = await deviceCodes();
    await answerDevice(userCode, 'deny');
    expect(error(await poll(deviceCode))).toEqual([400, 'access_denied']);
  });
});

describe('Token success response', () => {
  test('application/json and Cache-Control: no-store', async () => {
    const { headers } = await machineToken();
    expect(headers.get('content-type')).toMatch(/^application\/json/);
    expect(headers.get('cache-control')).toBe('no-store');
  });

  test('access_token | string | required', async () => {
    expect((await machineToken()).body.access_token).toEqual(expect.any(String));
  });

  test('token_type | string | required | Bearer', async () => {
    expect(String((await machineToken()).body.token_type).toLowerCase()).toBe('bearer');
  });

  test('expires_in | integer, seconds | recommended', async () => {
    const { expires_in } = (await machineToken()).body;
    expect(Number.isInteger(expires_in) && Number(expires_in) > 0).toBe(true);
  });

  test('refresh_token | optional | not for client_credentials; new at each refresh', async () => {
    expect((await machineToken()).body).not.toHaveProperty('refresh_token');
    const first = (await codeTokens()).refresh_token;
    const second = (await refresh(first)).body.refresh_token;
    expect([second !== first, typeof second]).toEqual([true, 'string']);
  });

  test('scope | returned when the granted scope differs from the requested one', async () => {
    const { form } = await issueCode(auth, web, { scopes: ['openid', 'users:read'] });
    expect((await token(form)).body.scope).toBe('openid');
    expect((await machineToken({ scope: 'users:read' })).body.scope).toBe('users:read');
  });
});

describe('POST /token parameters', () => {
  const codeRequest = async (change: Fields) => token({ ...(await issueCode(auth, web)).form, ...change });
  const rows: [string, () => Promise<Answer>, number, string][] = [
    [
      'authorization_code: grant_type | required',
      () => codeRequest({ grant_type: undefined }),
      400,
      'invalid_request',
    ],
    ['authorization_code: code | required', () => codeRequest({ code: undefined }), 400, 'invalid_request'],
    [
      'authorization_code: redirect_uri | required if it was sent, must match exactly',
      () => codeRequest({ redirect_uri: undefined }),
      400,
      'invalid_grant',
    ],
    [
      'authorization_code: redirect_uri | must match exactly',
      () => codeRequest({ redirect_uri: `${callback}/` }),
      400,
      'invalid_grant',
    ],
    [
      'authorization_code: code_verifier | required when PKCE is used',
      () => codeRequest({ code_verifier: undefined }),
      400,
      'invalid_request',
    ],
    [
      'authorization_code: code_verifier | at least 43 characters',
      () => codeRequest({ code_verifier: 'a'.repeat(42) }),
      400,
      'invalid_request',
    ],
    [
      'authorization_code: code_verifier | at most 128 characters',
      () => codeRequest({ code_verifier: 'a'.repeat(129) }),
      400,
      'invalid_request',
    ],
    [
      'authorization_code: client_id | required for public clients',
      () => codeRequest({ client_id: undefined }),
      401,
      'invalid_client',
    ],
    [
      'refresh_token: refresh_token | required',
      () => token({ grant_type: 'refresh_token', client_id: web }),
      400,
      'invalid_request',
    ],
    [
      'refresh_token: scope | may only narrow, never widen',
      async () => refresh((await codeTokens()).refresh_token, { scope: 'openid groups' }),
      400,
      'invalid_scope',
    ],
    [
      'client_credentials: confidential clients only, with authentication',
      () => token({ grant_type: 'client_credentials', client_id: machine[0] }),
      401,
      'invalid_client',
    ],
    [
      'client_credentials: scope | optional',
      () => machineToken({ scope: 'clients:write' }),
      400,
      'invalid_scope',
    ],
    ['device_code: device_code | required', () => poll(undefined), 400, 'invalid_request'],
    [
      'device_code: client_id | required for public clients',
      async () => poll((await deviceCodes()).deviceCode, { client_id: undefined }),
      401,
      'invalid_client',
    ],
  ];
  test.each(rows)('%s', async (_, request, status, code) => {
    expect(error(await request())).toEqual([status, code]);
  });

  test('refresh_token: scope | narrows', async () => {
    const { refresh_token } = await codeTokens();
    expect((await refresh(refresh_token, { scope: 'openid' })).body.scope).toBe('openid');
  });
});

describe('Grant types overview', () => {
  test.each([
    'authorization_code',
    'client_credentials',
    'refresh_token',
    deviceGrant,
    'urn:ietf:params:oauth:grant-type:jwt-bearer',
    'urn:ietf:params:oauth:grant-type:token-exchange',
  ])('%s is supported and announced', async (grant_type) => {
    expect((await token({ grant_type, client_id: web })).body.error).not.toBe('unsupported_grant_type');
    const { body } = await auth.get('/t/demo/.well-known/openid-configuration');
    expect(body.grant_types_supported).toContain(grant_type);
  });

  test('password | deprecated', async () => {
    const answer = await token({ grant_type: 'password', username: 'alice', password: 'x', client_id: web });
    expect(error(answer)).toEqual([400, 'unsupported_grant_type']);
  });
});

describe('Errors: token endpoint', () => {
  test('the body is JSON and may not be cached', async () => {
    const { headers, body } = await token({});
    expect(headers.get('content-type')).toMatch(/^application\/json/);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(Object.keys(body).sort()).toEqual(['error', 'error_description']);
  });

  const json = { headers: { 'content-type': 'application/json' } };
  const rows: [string, () => Promise<Answer>, number, string][] = [
    ['invalid_request | grant_type absent', () => token({ client_id: web }), 400, 'invalid_request'],
    [
      'invalid_request | duplicated parameter',
      () => token('grant_type=refresh_token&grant_type=refresh_token'),
      400,
      'invalid_request',
    ],
    [
      'invalid_request | JSON body instead of form encoding',
      () => token('{"grant_type":"client_credentials"}', { ...json, basic: machine }),
      400,
      'invalid_request',
    ],
    [
      'invalid_client | wrong secret',
      () => token({ grant_type: 'client_credentials' }, { basic: [machine[0], 'wrong'] }),
      401,
      'invalid_client',
    ],
    ['invalid_client | rotated secret', () => rotatedSecret(), 401, 'invalid_client'],
    [
      'invalid_client | method differs from registration',
      () => token({ grant_type: 'client_credentials', client_id: machine[0], client_secret: machine[1] }),
      401,
      'invalid_client',
    ],
    ['invalid_grant | code reused', () => reusedCode(), 400, 'invalid_grant'],
    [
      'invalid_grant | redirect_uri mismatch',
      async () => token({ ...(await issueCode(auth, web)).form, redirect_uri: 'http://127.0.0.1/other' }),
      400,
      'invalid_grant',
    ],
    ['invalid_grant | refresh token revoked', () => revokedRefresh(), 400, 'invalid_grant'],
    [
      'invalid_grant | PKCE verifier mismatch',
      async () => token({ ...(await issueCode(auth, web)).form, code_verifier: verifier() }),
      400,
      'invalid_grant',
    ],
    [
      'unauthorized_client | grant not enabled at registration',
      () => token({ grant_type: 'refresh_token', refresh_token: 'x' }, { basic: machine }),
      400,
      'unauthorized_client',
    ],
    [
      'unsupported_grant_type | misspelling',
      () => token({ grant_type: 'client-credentials' }, { basic: machine }),
      400,
      'unsupported_grant_type',
    ],
    ['invalid_scope | unknown scope', () => machineToken({ scope: 'nonsense' }), 400, 'invalid_scope'],
    [
      'invalid_scope | refresh tried to widen scope',
      async () => refresh((await codeTokens()).refresh_token, { scope: 'openid groups' }),
      400,
      'invalid_scope',
    ],
  ];
  test.each(rows)('%s', async (_, request, status, code) => {
    expect(error(await request())).toEqual([status, code]);
  });

  test('unsupported_grant_type | device flow disabled', async () => {
    const off = await startAuth(backend, { env: { DEVICE_FLOW_ENABLED: 'false' } });
    try {
      const answer = await off.post('/t/demo/token', { grant_type: deviceGrant, client_id: tv });
      expect(error(answer)).toEqual([400, 'unsupported_grant_type']);
    } finally {
      await off.stop();
    }
  });

  async function rotatedSecret(): Promise<Answer> {
    const { client, clientSecret } = await register(auth, {
      grant_types: ['client_credentials'],
      redirect_uris: [],
      scope: 'users:read',
    });
    await auth.deps.clientRegistry.rotateSecret('demo', client.clientId, { overlapSeconds: 0 });
    return token({ grant_type: 'client_credentials' }, { basic: [client.clientId, clientSecret ?? ''] });
  }

  async function reusedCode(): Promise<Answer> {
    const { form } = await issueCode(auth, web);
    await token(form);
    return token(form);
  }

  async function revokedRefresh(): Promise<Answer> {
    const { refresh_token } = await codeTokens();
    await auth.post('/t/demo/revoke', { token: String(refresh_token), client_id: web });
    return refresh(refresh_token);
  }
});

/** A browser in which somebody is signed in. */
async function person(at = auth): Promise<Browser> {
  const { subjectId } = await signedIn(at);
  const session = await at.deps.sessions.start(
    'demo',
    { subjectId, amr: ['pwd'], userAgent: undefined, ipAddress: undefined },
    undefined,
  );
  const browser = new Browser(at.origin);
  browser.cookies.set('__Host-ostiary-demo', session?.cookie ?? '');
  return browser;
}

const authorizePath = (change: Record<string, string | undefined> = {}, clientId = web): string => {
  const query = new URLSearchParams();
  const fields: Record<string, string | undefined> = {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: callback,
    scope: 'openid profile',
    state: 'an unpredictable state',
    code_challenge: challenge('v'.repeat(43)),
    code_challenge_method: 'S256',
    ...change,
  };
  for (const [name, value] of Object.entries(fields)) if (value !== undefined) query.set(name, value);
  return `/t/demo/authorize?${query}`;
};

/** Status and answer parameters of a request, when it redirects to the client. */
async function authorized(
  change: Record<string, string | undefined> = {},
  o: { browser?: Browser; clientId?: string } = {},
): Promise<Record<string, string>> {
  const answer = await (o.browser ?? new Browser(auth.origin)).get(authorizePath(change, o.clientId));
  expect(answer.status).toBe(303);
  const location = new URL(answer.location ?? '');
  expect(location.origin + location.pathname).toBe(callback);
  return Object.fromEntries(location.searchParams);
}

const page = async (change: Record<string, string | undefined>) => {
  const { status, location } = await new Browser(auth.origin).get(authorizePath(change));
  return [status, location];
};

describe('GET /authorize parameters', () => {
  test('response_type | required | token is deprecated', async () => {
    expect((await authorized({ response_type: undefined })).error).toBe('invalid_request');
    expect((await authorized({ response_type: 'token' })).error).toBe('unsupported_response_type');
  });

  test('client_id | required', async () => {
    expect(await page({ client_id: undefined })).toEqual([400, undefined]);
  });

  test('redirect_uri | must equal a registered value; required when several are registered', async () => {
    expect(await page({ redirect_uri: `${callback}/` })).toEqual([400, undefined]);
    const { client } = await register(auth, {
      ...publicClient,
      redirect_uris: ['http://127.0.0.1/callback', 'http://127.0.0.1/other'],
    });
    expect(await page({ redirect_uri: undefined, client_id: client.clientId })).toEqual([400, undefined]);
  });

  test('scope | space-delimited, as %20 or +', async () => {
    const trusted = await register(auth, { ...publicClient, require_consent: false });
    const browser = await person();
    const path = authorizePath({ scope: undefined }, trusted.client.clientId);
    for (const scope of ['openid%20profile', 'openid+profile']) {
      const { location } = await browser.get(`${path}&scope=${scope}`);
      expect(new URL(location ?? '').searchParams.get('code')).toBeTruthy();
    }
  });

  test('state | returned unchanged', async () => {
    const state = 'ä &=+%20"<>';
    expect((await authorized({ state, scope: 'nonsense' })).state).toBe(state);
  });

  test('code_challenge | required under OAuth 2.1', async () => {
    expect((await authorized({ code_challenge: undefined })).error).toBe('invalid_request');
  });

  test('code_challenge_method | S256; plain is to be avoided', async () => {
    expect((await authorized({ code_challenge_method: 'plain' })).error).toBe('invalid_request');
    expect((await authorized({ code_challenge_method: undefined })).error).toBe('invalid_request');
  });
});

describe('Errors: authorization endpoint', () => {
  test.each([
    ['client_id', { client_id: 'nobody' }],
    ['redirect_uri', { redirect_uri: 'https://evil.example/' }],
  ])('an invalid %s is a page, never a redirect', async (_, change) => {
    expect(await page(change)).toEqual([400, undefined]);
  });

  const state = 'an unpredictable state';

  test('invalid_request | parameters missing or invalid', async () => {
    expect(await authorized({ max_age: 'soon' })).toMatchObject({ error: 'invalid_request', state });
  });

  test('unauthorized_client | client may not use this response_type', async () => {
    const { client } = await register(auth, {
      ...publicClient,
      grant_types: [deviceGrant],
      response_types: [],
    });
    expect(await authorized({}, { clientId: client.clientId })).toMatchObject({
      error: 'unauthorized_client',
      state,
    });
  });

  test('access_denied | the user refused', async () => {
    const browser = await person();
    const question = await browser.follow(await browser.get(authorizePath()));
    const { location } = await browser.submit(question, { action: 'deny' });
    const answer = Object.fromEntries(new URL(location ?? '').searchParams);
    expect(answer).toMatchObject({ error: 'access_denied', state });
  });

  test('access_denied | the server refused', async () => {
    const answer = await authorized({ scope: 'users:read' }, { browser: await person() });
    expect(answer).toMatchObject({ error: 'access_denied', state });
  });

  test('unsupported_response_type | response_type not supported', async () => {
    expect(await authorized({ response_type: 'code id_token' })).toMatchObject({
      error: 'unsupported_response_type',
      state,
    });
  });

  test('invalid_scope | scope invalid', async () => {
    expect(await authorized({ scope: 'openid nonsense' })).toMatchObject({ error: 'invalid_scope', state });
  });

  test('server_error | internal error, delivered by redirect', async () => {
    const own = await createBackend();
    const broken = await startAuth(own);
    try {
      const { client } = await register(broken, publicClient);
      const browser = await person(broken);
      await broken.database.sql.query('DROP TABLE auth.consents');
      const { status, location } = await browser.get(authorizePath({}, client.clientId));
      expect(status).toBe(303);
      const answer = Object.fromEntries(new URL(location ?? '').searchParams);
      expect(answer).toMatchObject({ error: 'server_error', state });
      expect(location).not.toMatch(/consents|relation|SELECT/i);
    } finally {
      await broken.stop();
      await own.drop();
    }
  });

  test('temporarily_unavailable | overload or maintenance, delivered by redirect', async () => {
    const away = await startAuth(backend);
    try {
      const { client } = await register(away, { ...publicClient, require_consent: false });
      const browser = await person(away);
      away.deps.redis.disconnect();
      const { status, location } = await browser.get(authorizePath({}, client.clientId));
      expect(status).toBe(303);
      const answer = Object.fromEntries(new URL(location ?? '').searchParams);
      expect(answer).toMatchObject({ error: 'temporarily_unavailable', state });
    } finally {
      await away.stop();
    }
  });
});

describe('Device flow polling', () => {
  test('authorization_pending | keep polling at the interval', async () => {
    const { deviceCode, userCode } = await deviceCodes();
    expect(error(await poll(deviceCode))).toEqual([400, 'authorization_pending']);
    await answerDevice(userCode, 'allow');
    expect((await poll(deviceCode)).status).toBe(200);
  });

  test('slow_down | add 5 seconds to the interval', async () => {
    const { deviceCode } = await deviceCodes();
    await poll(deviceCode);
    expect(error(await poll(deviceCode))).toEqual([400, 'slow_down']);
    const intervals = await Promise.all(
      (await auth.deps.redis.keys(`${backend.prefix}:auth:device_code:*`)).map((key) =>
        auth.deps.redis.hget(key, 'interval'),
      ),
    );
    expect(intervals).toContain('10');
  });

  test('expired_token | start a new device authorization request', async () => {
    const { deviceCode } = await deviceCodes(strict);
    await until(async () => (await poll(deviceCode)).body.error === 'expired_token');
    const next = await deviceCodes();
    expect(error(await poll(next.deviceCode))).toEqual([400, 'authorization_pending']);
  });

  test('access_denied | stop and inform the user', async () => {
    const { deviceCode, userCode } = await deviceCodes();
    await answerDevice(userCode, 'deny');
    expect(error(await poll(deviceCode))).toEqual([400, 'access_denied']);
  });
});

describe('Errors: protected resource, and presenting a token', () => {
  const userinfo = (headers: Record<string, string>, query = '') =>
    fetch(`${auth.origin}/t/demo/userinfo${query}`, { headers });
  const challengeOf = (response: Response) => response.headers.get('www-authenticate');

  test('Authorization: Bearer header | works', async () => {
    const { access_token } = await codeTokens();
    expect((await userinfo({ authorization: `Bearer ${access_token}` })).status).toBe(200);
  });

  test('access_token in a form-encoded body | only where headers cannot be set', async () => {
    const { access_token } = await codeTokens();
    expect((await auth.post('/t/demo/userinfo', { access_token: String(access_token) })).status).toBe(200);
  });

  test('access_token in the URL query string | prohibited', async () => {
    const { access_token } = await codeTokens();
    const response = await userinfo({}, `?access_token=${access_token}`);
    expect([response.status, challengeOf(response)]).toEqual([
      400,
      expect.stringContaining('invalid_request'),
    ]);
  });

  test('invalid_request | 400 | token sent in two places', async () => {
    const { access_token } = await codeTokens();
    const answer = await auth.post(
      '/t/demo/userinfo',
      { access_token: String(access_token) },
      { headers: { authorization: `Bearer ${access_token}` } },
    );
    expect(answer.status).toBe(400);
    expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer .*error="invalid_request"/);
  });

  test('invalid_token | 401 | expired, revoked or invalid', async () => {
    const { access_token } = await codeTokens();
    await auth.post('/t/demo/revoke', { token: String(access_token), client_id: web });
    for (const bad of [access_token, 'nonsense', String(access_token).slice(0, -3)]) {
      const response = await userinfo({ authorization: `Bearer ${bad}` });
      expect(response.status).toBe(401);
      expect(challengeOf(response)).toMatch(
        /^Bearer realm="[^"]+", error="invalid_token", error_description="[^"]+"/,
      );
    }
  });

  test('insufficient_scope | 403 | valid token, insufficient scope', async () => {
    const { form } = await issueCode(auth, web, { scopes: ['profile'] });
    const { access_token } = (await token(form)).body;
    const response = await userinfo({ authorization: `Bearer ${access_token}` });
    expect(response.status).toBe(403);
    expect(challengeOf(response)).toContain('error="insufficient_scope"');
  });
});
