import { describe, expect, test } from '@jest/globals';
import { eventually } from '@ostiary/service/testing';
import { claimsOf, issueCode, publicClient, register, startAuth } from '../../support/running-auth.ts';
import { auth, backend, twin } from '../../support/two-processes.ts';
import {
  allow,
  box,
  deviceClient,
  deviceGrant,
  error,
  poll,
  record,
  scope,
  setUpDevices,
  started,
  tv,
} from '../../support/waiting-device.ts';

setUpDevices();

describe('polling (RFC 8628 §3.4, §3.5)', () => {
  test('An approved device receives access, ID and refresh tokens with the granted scopes.', async () => {
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

  test('Polling returns authorization_pending until a user answers; each slow_down adds five seconds to the code.', async () => {
    const { deviceCode } = await started();
    const key = await record();
    const interval = () => auth.deps.redis.hget(key, 'interval');
    expect(error(await poll(deviceCode))).toEqual([400, 'authorization_pending']);
    expect(await interval()).toBe('5');
    expect(error(await poll(deviceCode, { at: twin }))).toEqual([400, 'slow_down']);
    expect(error(await poll(deviceCode))).toEqual([400, 'slow_down']);
    expect(await interval()).toBe('15');
    const wait = Number(await auth.deps.redis.hget(key, 'next')) - Date.now();
    // The previous interval would give at most ten seconds.
    expect(wait).toBeGreaterThan(10_000);
    expect(wait).toBeLessThanOrEqual(15_000);
    // Simulates that fifteen seconds have passed: the longer interval stays.
    await auth.deps.redis.hset(key, 'next', '0');
    expect(error(await poll(deviceCode))).toEqual([400, 'authorization_pending']);
    expect(await interval()).toBe('15');
  });

  test('A slow_down for one device does not affect another device.', async () => {
    const [a, b] = [await started(), await started()];
    await poll(a.deviceCode);
    expect(error(await poll(a.deviceCode))).toEqual([400, 'slow_down']);
    expect(error(await poll(b.deviceCode))).toEqual([400, 'authorization_pending']);
  });

  test('Polling returns access_denied after a user denies the request, also when polled again.', async () => {
    const { deviceCode, userCode } = await started();
    const device = await auth.deps.deviceCodes.find('demo', userCode);
    if (!device) throw new Error('it should wait');
    expect(await auth.deps.deviceCodes.deny('demo', device)).toBe('recorded');
    expect(error(await poll(deviceCode))).toEqual([400, 'access_denied']);
    expect(error(await poll(deviceCode))).toEqual([400, 'access_denied']);
    expect(await auth.deps.deviceCodes.find('demo', userCode)).toBeUndefined();
  });

  test('Polling returns expired_token after the lifetime, and the code can no longer be approved.', async () => {
    const brief = await startAuth(backend, {
      publicOrigin: auth.origin,
      env: { DEVICE_CODE_TTL_SECONDS: '1' },
    });
    try {
      const { body } = await brief.post('/t/demo/device_authorization', { client_id: tv, scope });
      expect(body.expires_in).toBe(1);
      const device = await auth.deps.deviceCodes.find('demo', String(body.user_code));
      await eventually(async () => (await poll(String(body.device_code))).body.error === 'expired_token');
      expect(await auth.deps.deviceCodes.find('demo', String(body.user_code))).toBeUndefined();
      if (!device) throw new Error('it should have waited');
      expect(await auth.deps.deviceCodes.deny('demo', device)).toBe('too_late');
      expect(error(await poll(String(body.device_code)))).toEqual([400, 'expired_token']);
    } finally {
      await brief.stop();
    }
  });

  test('A device code is bound to its client, and an attempt by another client does not consume it.', async () => {
    const { deviceCode, userCode } = await started();
    await allow(userCode);
    const other = (await register(auth, deviceClient)).client.clientId;
    expect(error(await poll(deviceCode, { client: other }))).toEqual([400, 'invalid_grant']);
    expect((await poll(deviceCode)).status).toBe(200);
  });

  test('A device code is bound to its tenant, even for a client with the same id.', async () => {
    const { deviceCode, userCode } = await started();
    await auth.deps.clientRegistry.register(
      'rival',
      { client_name: 'TV', ...deviceClient },
      { clientId: tv },
    );
    expect(error(await poll(deviceCode, { tenant: 'rival' }))).toEqual([400, 'invalid_grant']);
    expect(await auth.deps.deviceCodes.find('rival', userCode)).toBeUndefined();
    expect(error(await poll(deviceCode))).toEqual([400, 'authorization_pending']);
  });

  test('A confidential client must authenticate to poll.', async () => {
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

  test('A code of one kind is not accepted as a code of another kind.', async () => {
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
  ])('Polling returns invalid_request when device_code is %s.', async (_, fields) => {
    const answer = await auth.post('/t/demo/token', { grant_type: deviceGrant, client_id: tv, ...fields });
    expect(error(answer)).toEqual([400, 'invalid_request']);
  });

  test('A resource can be narrowed at redemption but never widened.', async () => {
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
