import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { uuidv7 } from '@ostiary/service';
import { withdrawConsent } from '../src/data/account.ts';
import { rememberConsent } from '../src/data/consents.ts';
import { newUserCode, readUserCode } from '../src/domain/device-authorization.ts';
import {
  type Answer,
  type Backend,
  claimsOf,
  createBackend,
  type Fields,
  issueCode,
  publicClient,
  type RunningAuth,
  register,
  signedIn,
  startAuth,
  until,
} from './running-auth.ts';

const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code';
const scope = 'openid profile email offline_access';
const deviceClient = {
  token_endpoint_auth_method: 'none',
  grant_types: [deviceGrant, 'refresh_token'],
  redirect_uris: [],
  scope: `${scope} users:read`,
};

let backend: Backend;
let auth: RunningAuth;
let twin: RunningAuth;
let tv: string;
let box: { id: string; secret: string };

beforeAll(async () => {
  backend = await createBackend();
  auth = await startAuth(backend);
  twin = await startAuth(backend, { publicOrigin: auth.origin });
  tv = (await register(auth, deviceClient)).client.clientId;
  const { client, clientSecret } = await register(auth, {
    ...deviceClient,
    token_endpoint_auth_method: 'client_secret_basic',
  });
  box = { id: client.clientId, secret: clientSecret ?? '' };
});

afterAll(async () => {
  await twin?.stop();
  await auth?.stop();
  await backend?.drop();
});

const start = (fields: Fields = {}, tenant = 'demo') =>
  auth.post(`/t/${tenant}/device_authorization`, { client_id: tv, scope, ...fields });

interface Started {
  deviceCode: string;
  userCode: string;
}

const started = async (fields: Fields = {}): Promise<Started> => {
  const { status, body } = await start(fields);
  expect(status).toBe(200);
  return { deviceCode: String(body.device_code), userCode: String(body.user_code) };
};

const poll = (deviceCode: string, o: { at?: RunningAuth; client?: string; tenant?: string } = {}) =>
  (o.at ?? auth).post(`/t/${o.tenant ?? 'demo'}/token`, {
    grant_type: deviceGrant,
    device_code: deviceCode,
    client_id: o.client ?? tv,
  });

const error = (answer: Answer) => [answer.status, answer.body.error];

/** Somebody answers, as the page does it. */
async function allow(userCode: string, at = auth, scopes = scope.split(' ')) {
  const person = await signedIn(at);
  const device = await at.deps.deviceAuthorizations.find('demo', userCode);
  if (!device) throw new Error('no device waits with this code');
  const outcome = await at.deps.deviceAuthorizations.approve(device, {
    ...person,
    clientId: device.clientId,
    subjectEpoch: 0,
    scopes,
    resources: device.resources,
    authTime: Math.floor(Date.now() / 1000),
    amr: ['pwd'],
  });
  return { ...person, outcome };
}

/** The device's record, to look at its interval and to let time pass. */
async function record(): Promise<string> {
  const keys = await auth.deps.redis.keys(`${backend.prefix}:auth:device_code:*`);
  const ids = await Promise.all(keys.map(async (key) => [key, await auth.deps.redis.ttl(key)] as const));
  return ids.sort((a, b) => b[1] - a[1])[0]?.[0] ?? '';
}

/** Forgets the devices of the test before, so that the only record is the one at hand. */
afterEach(async () => {
  const keys = await auth.deps.redis.keys(`${backend.prefix}:auth:device_code:*`);
  if (keys.length > 0) await auth.deps.redis.del(...keys);
});

describe('the device authorization endpoint (RFC 8628 §3.1)', () => {
  test('gives both codes, where to go, and how fast to ask', async () => {
    const { status, headers, body } = await start();
    expect(status).toBe(200);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(body).toEqual({
      device_code: expect.stringMatching(/^odc_[\w-]{43}$/),
      user_code: expect.stringMatching(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/),
      verification_uri: `${auth.issuer('demo')}/device`,
      verification_uri_complete: `${auth.issuer('demo')}/device?user_code=${body.user_code}`,
      expires_in: 600,
      interval: 5,
    });
    const metadata = (await auth.get('/t/demo/.well-known/openid-configuration')).body;
    expect(metadata).toMatchObject({
      device_authorization_endpoint: `${auth.issuer('demo')}/device_authorization`,
      grant_types_supported: expect.arrayContaining([deviceGrant]),
    });
  });

  test('who reads Redis finds no code to redeem', async () => {
    const { deviceCode, userCode } = await started();
    for (const key of await auth.deps.redis.keys(`${backend.prefix}:*`)) {
      expect(key).not.toContain(deviceCode);
      expect(key).not.toContain(userCode);
    }
    const fields = await auth.deps.redis.hgetall(await record());
    expect(JSON.stringify(fields)).not.toContain(deviceCode);
  });

  test('a confidential client authenticates', async () => {
    const answer = await auth.post(
      '/t/demo/device_authorization',
      { scope },
      { basic: [box.id, box.secret] },
    );
    expect(answer.status).toBe(200);
  });

  const refusals: [string, Fields | string, number, string][] = [
    ['no client', { client_id: undefined }, 401, 'invalid_client'],
    ['an unknown client', { client_id: uuidv7() }, 401, 'invalid_client'],
    ['a scope that does not exist', { scope: 'openid everything' }, 400, 'invalid_scope'],
    ['a scope it is not registered for', { scope: 'openid users:write' }, 400, 'invalid_scope'],
    ['a malformed scope', { scope: 'openid "' }, 400, 'invalid_scope'],
    ['a huge scope', { scope: 'a '.repeat(30_000) }, 400, 'invalid_request'],
    ['a repeated scope', { scope: ['openid', 'profile'] }, 400, 'invalid_request'],
    ['a resource that is not its own', { resource: 'https://elsewhere.example' }, 400, 'invalid_target'],
    ['a resource with a fragment', { resource: 'https://api.example/#x' }, 400, 'invalid_target'],
  ];
  test.each(refusals)('refuses %s', async (_, fields, status, code) => {
    expect(error(await start(fields as Fields))).toEqual([status, code]);
  });

  test('refuses a confidential client without its secret, and with a wrong one: invalid_client', async () => {
    expect(error(await start({ client_id: box.id }))).toEqual([401, 'invalid_client']);
    const wrong = await auth.post('/t/demo/device_authorization', {}, { basic: [box.id, 'wrong'] });
    expect(error(wrong)).toEqual([401, 'invalid_client']);
  });

  test('refuses a client without the device grant: unauthorized_client', async () => {
    const { client } = await register(auth, publicClient);
    expect(error(await start({ client_id: client.clientId }))).toEqual([400, 'unauthorized_client']);
    expect(error(await poll('odc_x', { client: client.clientId }))).toEqual([400, 'unauthorized_client']);
  });

  test('a client of another tenant is unknown', async () => {
    expect(error(await start({}, 'rival'))).toEqual([401, 'invalid_client']);
    expect((await start({}, 'nobody')).status).toBe(404);
  });

  test.each([
    ['JSON', '{"client_id":"x"}', 'application/json'],
    ['NUL', 'client_id=a%00b', undefined],
    ['broken UTF-8', 'client_id=%ff', undefined],
    ['a lone surrogate', 'client_id=%ED%A0%80', undefined],
    ['a megabyte', `client_id=${'x'.repeat(1_048_576)}`, undefined],
    ['nothing', '', 'text/plain'],
  ])('a body of %s is invalid_request', async (_, body, type) => {
    const answer = await auth.post(
      '/t/demo/device_authorization',
      body,
      type ? { headers: { 'content-type': type } } : {},
    );
    expect(error(answer)).toEqual([400, 'invalid_request']);
  });

  test('GET is 405', async () => {
    expect((await auth.get('/t/demo/device_authorization')).status).toBe(405);
  });
});

describe('polling (RFC 8628 §3.4, §3.5)', () => {
  test('gives tokens once allowed: access, ID and refresh token, the scopes that were allowed', async () => {
    const { deviceCode, userCode } = await started();
    const person = await allow(userCode, twin, ['openid', 'profile', 'offline_access']);
    const { status, headers, body } = await poll(deviceCode);
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(body).toMatchObject({
      token_type: 'Bearer',
      expires_in: 600,
      scope: 'openid profile offline_access',
      refresh_token: expect.any(String),
    });
    expect(claimsOf(body.access_token)).toMatchObject({
      iss: auth.issuer('demo'),
      aud: auth.issuer('demo'),
      sub: person.subjectId,
      client_id: tv,
      sid: person.sessionId,
    });
    expect(claimsOf(body.id_token)).toMatchObject({ sub: person.subjectId, aud: tv, amr: ['pwd'] });
    const refreshed = await twin.post('/t/demo/token', {
      grant_type: 'refresh_token',
      refresh_token: String(body.refresh_token),
      client_id: tv,
    });
    expect(refreshed.status).toBe(200);
  });

  test('authorization_pending until somebody answers; slow_down adds five seconds each time, kept with the code', async () => {
    const { deviceCode } = await started();
    const key = await record();
    const interval = () => auth.deps.redis.hget(key, 'interval');
    expect(error(await poll(deviceCode))).toEqual([400, 'authorization_pending']);
    expect(await interval()).toBe('5');
    expect(error(await poll(deviceCode, { at: twin }))).toEqual([400, 'slow_down']);
    expect(error(await poll(deviceCode))).toEqual([400, 'slow_down']);
    expect(await interval()).toBe('15');
    const wait = Number(await auth.deps.redis.hget(key, 'next')) - Date.now();
    expect(wait).toBeGreaterThan(13_000);
    expect(wait).toBeLessThanOrEqual(15_000);
    // As if fifteen seconds had passed: the longer interval stays.
    await auth.deps.redis.hset(key, 'next', '0');
    expect(error(await poll(deviceCode))).toEqual([400, 'authorization_pending']);
    expect(await interval()).toBe('15');
  });

  test('one slow device does not slow another one down', async () => {
    const [a, b] = [await started(), await started()];
    await poll(a.deviceCode);
    expect(error(await poll(a.deviceCode))).toEqual([400, 'slow_down']);
    expect(error(await poll(b.deviceCode))).toEqual([400, 'authorization_pending']);
  });

  test('access_denied once somebody refused, also when polled again', async () => {
    const { deviceCode, userCode } = await started();
    const device = await auth.deps.deviceAuthorizations.find('demo', userCode);
    if (!device) throw new Error('it should wait');
    expect(await auth.deps.deviceAuthorizations.deny('demo', device)).toBe('recorded');
    expect(error(await poll(deviceCode))).toEqual([400, 'access_denied']);
    expect(error(await poll(deviceCode))).toEqual([400, 'access_denied']);
    expect(await auth.deps.deviceAuthorizations.find('demo', userCode)).toBeUndefined();
  });

  test('expired_token after its time, and then nobody can allow it any more', async () => {
    const brief = await startAuth(backend, {
      publicOrigin: auth.origin,
      env: { DEVICE_CODE_TTL_SECONDS: '1' },
    });
    try {
      const { body } = await brief.post('/t/demo/device_authorization', { client_id: tv, scope });
      expect(body.expires_in).toBe(1);
      const device = await auth.deps.deviceAuthorizations.find('demo', String(body.user_code));
      await until(async () => (await poll(String(body.device_code))).body.error === 'expired_token');
      expect(await auth.deps.deviceAuthorizations.find('demo', String(body.user_code))).toBeUndefined();
      if (!device) throw new Error('it should have waited');
      expect(await auth.deps.deviceAuthorizations.deny('demo', device)).toBe('too_late');
      expect(error(await poll(String(body.device_code)))).toEqual([400, 'expired_token']);
    } finally {
      await brief.stop();
    }
  });

  test('a code is bound to its client, and another one trying does not use it up', async () => {
    const { deviceCode, userCode } = await started();
    await allow(userCode);
    const other = (await register(auth, deviceClient)).client.clientId;
    expect(error(await poll(deviceCode, { client: other }))).toEqual([400, 'invalid_grant']);
    expect((await poll(deviceCode)).status).toBe(200);
  });

  test('a code is bound to its tenant, even for a client of the same id', async () => {
    const { deviceCode, userCode } = await started();
    await auth.deps.clientRegistry.register(
      'rival',
      { client_name: 'TV', ...deviceClient },
      { clientId: tv },
    );
    expect(error(await poll(deviceCode, { tenant: 'rival' }))).toEqual([400, 'invalid_grant']);
    expect(await auth.deps.deviceAuthorizations.find('rival', userCode)).toBeUndefined();
    expect(error(await poll(deviceCode))).toEqual([400, 'authorization_pending']);
  });

  test('a confidential client must authenticate to poll', async () => {
    const { body } = await auth.post(
      '/t/demo/device_authorization',
      { scope },
      { basic: [box.id, box.secret] },
    );
    await allow(String(body.user_code));
    expect(error(await poll(String(body.device_code), { client: box.id }))).toEqual([401, 'invalid_client']);
    const answer = await auth.post(
      '/t/demo/token',
      { grant_type: deviceGrant, device_code: String(body.device_code) },
      { basic: [box.id, box.secret] },
    );
    expect(answer.status).toBe(200);
  });

  test('one kind of code does not pass as another', async () => {
    const { deviceCode, userCode } = await started();
    const both = await register(auth, {
      ...publicClient,
      grant_types: ['authorization_code', deviceGrant],
    });
    const issued = await issueCode(auth, both.client.clientId);
    for (const code of [issued.code, userCode, 'odc_', deviceCode.slice(0, -1), `${deviceCode}A`]) {
      const answer = await poll(code, { client: code === issued.code ? both.client.clientId : tv });
      expect(error(answer)).toEqual([400, 'invalid_grant']);
    }
    const asCode = await auth.post('/t/demo/token', { ...issued.form, code: deviceCode });
    expect(error(asCode)).toEqual([400, 'invalid_grant']);
    expect((await auth.post('/t/demo/token', issued.form)).status).toBe(200);
  });

  test.each([
    ['missing', { device_code: undefined }],
    ['empty', { device_code: '' }],
    ['sent twice', { device_code: ['a', 'b'] }],
    ['oversized', { device_code: 'x'.repeat(5_000) }],
  ])('invalid_request when device_code is %s', async (_, fields) => {
    const answer = await auth.post('/t/demo/token', { grant_type: deviceGrant, client_id: tv, ...fields });
    expect(error(answer)).toEqual([400, 'invalid_request']);
  });

  test('a resource may be narrowed at redemption, never widened', async () => {
    const { client } = await register(auth, {
      ...deviceClient,
      resources: ['https://a.example', 'https://b.example'],
    });
    const codes = await started({ client_id: client.clientId, resource: 'https://a.example' });
    await allow(codes.userCode);
    const redeem = (resource: string) =>
      auth.post('/t/demo/token', {
        grant_type: deviceGrant,
        device_code: codes.deviceCode,
        client_id: client.clientId,
        resource,
      });
    expect(error(await redeem('https://c.example'))).toEqual([400, 'invalid_target']);
    expect(claimsOf((await redeem('https://a.example')).body.access_token).aud).toBe('https://a.example');
  });
});

describe('once, and only while everybody is still there', () => {
  test('50 parallel polls over two processes: one gets tokens, and the others end what it got', async () => {
    const { deviceCode, userCode } = await started();
    await allow(userCode);
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, i) => poll(deviceCode, { at: i % 2 ? auth : twin })),
    );
    const winners = answers.filter((answer) => answer.status === 200);
    expect(winners).toHaveLength(1);
    for (const loser of answers.filter((answer) => answer.status !== 200)) {
      expect(error(loser)).toEqual([400, 'invalid_grant']);
    }
    const refreshed = await auth.post('/t/demo/token', {
      grant_type: 'refresh_token',
      refresh_token: String(winners[0]?.body.refresh_token),
      client_id: tv,
    });
    expect(error(refreshed)).toEqual([400, 'invalid_grant']);
  });

  test('50 parallel answers over two processes: one counts', async () => {
    const { deviceCode, userCode } = await started();
    const device = await auth.deps.deviceAuthorizations.find('demo', userCode);
    if (!device) throw new Error('it should wait');
    const person = await signedIn(auth);
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, i) => {
        const { deviceAuthorizations } = (i % 2 ? auth : twin).deps;
        return i % 3
          ? deviceAuthorizations.deny('demo', device)
          : deviceAuthorizations.approve(device, {
              ...person,
              clientId: tv,
              subjectEpoch: 0,
              scopes: ['openid'],
              resources: [],
              authTime: 1,
              amr: [],
            });
      }),
    );
    expect(answers.filter((answer) => answer === 'recorded')).toHaveLength(1);
    expect([200, 400]).toContain((await poll(deviceCode)).status);
  });

  test('another redemption cannot be allowed on a consumed code', async () => {
    const { deviceCode, userCode } = await started();
    const device = await auth.deps.deviceAuthorizations.find('demo', userCode);
    await allow(userCode);
    expect((await poll(deviceCode)).status).toBe(200);
    if (!device) throw new Error('it should have waited');
    expect(await auth.deps.deviceAuthorizations.deny('demo', device)).toBe('too_late');
    expect(error(await poll(deviceCode))).toEqual([400, 'invalid_grant']);
  });

  test('the person left between their answer and the poll', async () => {
    const { deviceCode, userCode } = await started();
    const { subjectId } = await allow(userCode);
    await auth.database.sql.query(
      'UPDATE auth.subjects SET active = false, epoch = epoch + 1 WHERE tenant = $1 AND id = $2',
      ['demo', subjectId],
    );
    expect(error(await poll(deviceCode))).toEqual([400, 'invalid_grant']);
    const { rows } = await auth.database.sql.query('SELECT 1 FROM auth.grants WHERE subject_id = $1', [
      subjectId,
    ]);
    expect(rows).toEqual([]);
  });

  test('their session ended between their answer and the poll', async () => {
    const { deviceCode, userCode } = await started();
    const { sessionId } = await allow(userCode);
    await auth.deps.sessions.revoke('demo', sessionId);
    expect(error(await poll(deviceCode))).toEqual([400, 'invalid_grant']);
  });

  test('the person took it back between their answer and the poll', async () => {
    const { deviceCode, userCode } = await started();
    const { subjectId } = await allow(userCode);
    await rememberConsent(auth.database.sql, 'demo', subjectId, tv, scope.split(' '));
    await auth.database.transaction((tx) => withdrawConsent(tx, 'demo', subjectId, tv));
    expect(error(await poll(deviceCode))).toEqual([400, 'access_denied']);
    expect((await poll(deviceCode)).status).toBe(400);
    const { rowCount } = await auth.database.sql.query(
      'SELECT 1 FROM auth.grants WHERE subject_id = $1 AND revoked_at IS NULL',
      [subjectId],
    );
    expect(rowCount).toBe(0);
  });

  test('the client was disabled while the device waited', async () => {
    const { client } = await register(auth, deviceClient);
    const { deviceCode, userCode } = await started({ client_id: client.clientId });
    await allow(userCode);
    await auth.deps.clientRegistry.disable('demo', client.clientId);
    expect(error(await poll(deviceCode, { client: client.clientId }))).toEqual([401, 'invalid_client']);
  });

  test('nothing stays in Redis without an end', async () => {
    const { deviceCode } = await started();
    await poll(deviceCode);
    for (const kind of ['device_code', 'user_code']) {
      for (const key of await auth.deps.redis.keys(`${backend.prefix}:auth:${kind}:*`)) {
        expect(await auth.deps.redis.ttl(key)).toBeGreaterThan(0);
      }
    }
  });
});

describe('switched off', () => {
  test('the flow is not announced, not routed, and its grant type unsupported', async () => {
    const off = await startAuth(backend, { env: { DEVICE_FLOW_ENABLED: 'false' } });
    try {
      const metadata = (await off.get('/t/demo/.well-known/openid-configuration')).body;
      expect(metadata).not.toHaveProperty('device_authorization_endpoint');
      expect(metadata.grant_types_supported).not.toContain(deviceGrant);
      expect((await off.post('/t/demo/device_authorization', { client_id: tv })).status).toBe(404);
      expect((await off.get('/t/demo/device')).status).toBe(404);
      expect(error(await poll('x', { at: off }))).toEqual([400, 'unsupported_grant_type']);
    } finally {
      await off.stop();
    }
  });
});

describe('user codes', () => {
  test.each([
    ['wdjb-mjht', 'WDJB-MJHT'],
    ['WDJBMJHT', 'WDJB-MJHT'],
    ['  w d j b – m j h t ', 'WDJB-MJHT'],
    ['WDJB_MJHT', 'WDJB-MJHT'],
    ['WDJB-MJH', undefined],
    ['WDJB-MJHTT', undefined],
    ['WDJB-MJHA', undefined],
    ['WDJB-MJH1', undefined],
    ['WDJB*MJHT', undefined],
    ['', undefined],
    ['-'.repeat(100), undefined],
  ])('%j is read as %j', (typed, code) => {
    expect(readUserCode(typed)).toBe(code);
  });

  test('are made evenly from the whole alphabet', () => {
    const codes = Array.from({ length: 2_000 }, newUserCode);
    expect(new Set(codes).size).toBe(codes.length);
    const seen = new Map<string, number>();
    for (const letter of codes.join('').replaceAll('-', '')) seen.set(letter, (seen.get(letter) ?? 0) + 1);
    expect([...seen.keys()].sort().join('')).toBe('BCDFGHJKLMNPQRSTVWXZ');
    for (const count of seen.values()) expect(Math.abs(count - 800)).toBeLessThan(200);
  });
});
