import { describe, expect, test } from '@jest/globals';
import { uuidv7 } from '@ostiary/service';
import { newUserCode, readUserCode } from '../../../src/oauth/domain/device-authorization.ts';
import { type Fields, publicClient, register, startAuth } from '../../support/running-auth.ts';
import { auth, backend } from '../../support/two-processes.ts';
import {
  box,
  deviceGrant,
  error,
  poll,
  record,
  scope,
  setUpDevices,
  start,
  started,
  tv,
} from '../../support/waiting-device.ts';

setUpDevices();

describe('the device authorization endpoint (RFC 8628 §3.1)', () => {
  test('The response contains both codes, the verification URI and the polling interval.', async () => {
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

  test('Redis contains no device code or user code in plain text.', async () => {
    const { deviceCode, userCode } = await started();
    for (const key of await auth.deps.redis.keys(`${backend.prefix}:*`)) {
      expect(key).not.toContain(deviceCode);
      expect(key).not.toContain(userCode);
    }
    const fields = await auth.deps.redis.hgetall(await record());
    expect(JSON.stringify(fields)).not.toContain(deviceCode);
  });

  test('A confidential client authenticates at the device authorization endpoint.', async () => {
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
  test.each(refusals)(
    'A device authorization request with %s is rejected.',
    async (_, fields, status, code) => {
      expect(error(await start(fields as Fields))).toEqual([status, code]);
    },
  );

  test('A confidential client with a wrong or missing secret is rejected with invalid_client.', async () => {
    expect(error(await start({ client_id: box.id }))).toEqual([401, 'invalid_client']);
    const wrong = await auth.post('/t/demo/device_authorization', {}, { basic: [box.id, 'wrong'] });
    expect(error(wrong)).toEqual([401, 'invalid_client']);
  });

  test('A client without the device grant is rejected with unauthorized_client.', async () => {
    const { client } = await register(auth, publicClient);
    expect(error(await start({ client_id: client.clientId }))).toEqual([400, 'unauthorized_client']);
    expect(error(await poll('odc_x', { client: client.clientId }))).toEqual([400, 'unauthorized_client']);
  });

  test('A client of another tenant is unknown.', async () => {
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
  ])('A body of %s is rejected with invalid_request.', async (_, body, type) => {
    const answer = await auth.post(
      '/t/demo/device_authorization',
      body,
      type ? { headers: { 'content-type': type } } : {},
    );
    expect(error(answer)).toEqual([400, 'invalid_request']);
  });

  test('GET returns 405.', async () => {
    expect((await auth.get('/t/demo/device_authorization')).status).toBe(405);
  });
});

describe('disabled', () => {
  test('When disabled, the device flow is not announced or routed, and its grant type is unsupported.', async () => {
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
  ])('The user code %j is read as %j.', (typed, code) => {
    expect(readUserCode(typed)).toBe(code);
  });

  test('User codes are drawn evenly from the whole alphabet.', () => {
    const codes = Array.from({ length: 2_000 }, newUserCode);
    expect(new Set(codes).size).toBe(codes.length);
    const seen = new Map<string, number>();
    for (const letter of codes.join('').replaceAll('-', '')) seen.set(letter, (seen.get(letter) ?? 0) + 1);
    expect([...seen.keys()].sort().join('')).toBe('BCDFGHJKLMNPQRSTVWXZ');
    for (const count of seen.values()) expect(Math.abs(count - 800)).toBeLessThan(200);
  });
});
