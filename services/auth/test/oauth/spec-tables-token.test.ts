/**
 * Tables of the service's specification: each test is named after its row. The provisioning service and e2e/ test the
 * rows about SCIM resources.
 */

import { describe, expect, test } from '@jest/globals';
import { eventually } from '@ostiary/service/testing';
import {
  type Answer,
  type Fields,
  issueCode,
  register,
  startAuth,
  verifier,
} from '../support/running-auth.ts';
import {
  answerDevice,
  auth,
  backend,
  brief,
  callback,
  codeTokens,
  deviceCodes,
  deviceGrant,
  error,
  machine,
  machineToken,
  poll,
  refresh,
  setUpSpecClients,
  strict,
  token,
  tv,
  web,
} from '../support/spec-clients.ts';

setUpSpecClients();

describe('States and transitions', () => {
  test('An issued authorization code is consumed by its first matching exchange, which returns tokens.', async () => {
    const { form } = await issueCode(auth, web);
    expect(await token(form)).toMatchObject({ status: 200, body: { access_token: expect.any(String) } });
  });

  test('A consumed authorization code stays consumed, and its exchange returns invalid_grant.', async () => {
    const { form } = await issueCode(auth, web);
    await token(form);
    expect(error(await token(form))).toEqual([400, 'invalid_grant']);
    expect(error(await token(form))).toEqual([400, 'invalid_grant']);
  });

  test('An expired authorization code stays expired, and its exchange returns invalid_grant.', async () => {
    const { form } = await issueCode(brief, web);
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    expect(error(await token(form))).toEqual([400, 'invalid_grant']);
  });

  test('A current refresh token is replaced by a refresh, and the old one returns invalid_grant.', async () => {
    const { refresh_token } = await codeTokens(strict);
    const { status, body } = await refresh(refresh_token, {}, strict);
    expect(status).toBe(200);
    expect(body.refresh_token).not.toBe(refresh_token);
    expect(error(await refresh(refresh_token, {}, strict))).toEqual([400, 'invalid_grant']);
  });

  test('A pending device code stays pending and returns authorization_pending until the user has finished.', async () => {
    const { deviceCode } = await deviceCodes();
    expect(error(await poll(deviceCode))).toEqual([400, 'authorization_pending']);
  });

  test('A pending device code stays pending and returns slow_down when it is polled too fast.', async () => {
    const { deviceCode, userCode } = await deviceCodes();
    await poll(deviceCode);
    expect(error(await poll(deviceCode))).toEqual([400, 'slow_down']);
    await answerDevice(userCode, 'allow');
    expect((await poll(deviceCode)).status).toBe(200);
  });

  test('A pending device code expires with time and then returns expired_token.', async () => {
    const { deviceCode } = await deviceCodes(brief);
    await eventually(async () => (await poll(deviceCode)).body.error === 'expired_token');
  });

  test('A pending device code is denied when the user denies the request, and returns access_denied.', async () => {
    const { deviceCode, userCode } = await deviceCodes();
    await answerDevice(userCode, 'deny');
    expect(error(await poll(deviceCode))).toEqual([400, 'access_denied']);
  });
});

describe('Token success response', () => {
  test('The token response is application/json with Cache-Control: no-store.', async () => {
    const { headers } = await machineToken();
    expect(headers.get('content-type')).toMatch(/^application\/json/);
    expect(headers.get('cache-control')).toBe('no-store');
  });

  test('The required access_token is a string.', async () => {
    expect((await machineToken()).body.access_token).toEqual(expect.any(String));
  });

  test('The required token_type is Bearer.', async () => {
    expect(String((await machineToken()).body.token_type).toLowerCase()).toBe('bearer');
  });

  test('The recommended expires_in is an integer number of seconds.', async () => {
    const { expires_in } = (await machineToken()).body;
    expect(Number.isInteger(expires_in) && Number(expires_in) > 0).toBe(true);
  });

  test('The optional refresh_token is absent for client_credentials and new at each refresh.', async () => {
    expect((await machineToken()).body).not.toHaveProperty('refresh_token');
    const first = (await codeTokens()).refresh_token;
    const second = (await refresh(first)).body.refresh_token;
    expect([second !== first, typeof second]).toEqual([true, 'string']);
  });

  test('The scope is returned when the granted scope differs from the requested one.', async () => {
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
  test.each(rows)(
    'A token request that violates this parameter rule is rejected: %s.',
    async (_, request, status, code) => {
      expect(error(await request())).toEqual([status, code]);
    },
  );

  test('The scope parameter of a refresh_token request narrows the scope.', async () => {
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
  ])('The grant type %s is supported and announced.', async (grant_type) => {
    expect((await token({ grant_type, client_id: web })).body.error).not.toBe('unsupported_grant_type');
    const { body } = await auth.get('/t/demo/.well-known/openid-configuration');
    expect(body.grant_types_supported).toContain(grant_type);
  });

  test('The deprecated grant type password is not supported.', async () => {
    const answer = await token({ grant_type: 'password', username: 'alice', password: 'x', client_id: web });
    expect(error(answer)).toEqual([400, 'unsupported_grant_type']);
  });
});

describe('Errors: token endpoint', () => {
  test('The error body is JSON and is not cacheable.', async () => {
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
  test.each(rows)(
    'The token endpoint returns the documented error: %s.',
    async (_, request, status, code) => {
      expect(error(await request())).toEqual([status, code]);
    },
  );

  test('The error unsupported_grant_type is returned when the device flow is disabled.', async () => {
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

describe('Device flow polling', () => {
  test('After authorization_pending, the device polls again and gets tokens once the user has allowed it.', async () => {
    const { deviceCode, userCode } = await deviceCodes();
    expect(error(await poll(deviceCode))).toEqual([400, 'authorization_pending']);
    await answerDevice(userCode, 'allow');
    expect((await poll(deviceCode)).status).toBe(200);
  });

  test('After slow_down, the polling interval is 5 seconds longer.', async () => {
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

  test('After expired_token, a new device authorization request gives a pending code.', async () => {
    const { deviceCode } = await deviceCodes(brief);
    await eventually(async () => (await poll(deviceCode)).body.error === 'expired_token');
    const next = await deviceCodes();
    expect(error(await poll(next.deviceCode))).toEqual([400, 'authorization_pending']);
  });

  test('Polling returns access_denied after the user denies the request, so that the device stops.', async () => {
    const { deviceCode, userCode } = await deviceCodes();
    await answerDevice(userCode, 'deny');
    expect(error(await poll(deviceCode))).toEqual([400, 'access_denied']);
  });
});
