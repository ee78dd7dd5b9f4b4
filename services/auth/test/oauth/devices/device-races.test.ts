import { describe, expect, test } from '@jest/globals';
import { countWithdrawal } from '../../../src/identity/account/account.data.ts';
import { register, signedIn } from '../../support/running-auth.ts';
import { auth, backend, twin } from '../../support/two-processes.ts';
import { allow, deviceClient, error, poll, setUpDevices, started, tv } from '../../support/waiting-device.ts';

setUpDevices();

describe('single use while user, session, consent and client are active', () => {
  test('Of 50 parallel polls over two processes one gets tokens, and the other polls revoke them.', async () => {
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

  test('Of 50 parallel answers over two processes only one counts.', async () => {
    const { deviceCode, userCode } = await started();
    const device = await auth.deps.deviceCodes.find('demo', userCode);
    if (!device) throw new Error('it should wait');
    const person = await signedIn(auth);
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, i) => {
        const { deviceCodes } = (i % 2 ? auth : twin).deps;
        return i % 3
          ? deviceCodes.deny('demo', device)
          : deviceCodes.approve(device, {
              ...person,
              clientId: tv,
              clientEpoch: 0,
              subjectEpoch: 0,
              withdrawals: 0,
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

  test('A consumed device code cannot be answered again.', async () => {
    const { deviceCode, userCode } = await started();
    const device = await auth.deps.deviceCodes.find('demo', userCode);
    await allow(userCode);
    expect((await poll(deviceCode)).status).toBe(200);
    if (!device) throw new Error('it should have waited');
    expect(await auth.deps.deviceCodes.deny('demo', device)).toBe('too_late');
    expect(error(await poll(deviceCode))).toEqual([400, 'invalid_grant']);
  });

  test('A poll is rejected when the user was deactivated after the approval.', async () => {
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

  test('A poll is rejected when the session of the user ended after the approval.', async () => {
    const { deviceCode, userCode } = await started();
    const { sessionId } = await allow(userCode);
    await auth.deps.sessions.revoke('demo', sessionId);
    expect(error(await poll(deviceCode))).toEqual([400, 'invalid_grant']);
  });

  test('A poll is rejected when the user withdrew consent after the approval.', async () => {
    const { deviceCode, userCode } = await started();
    const { subjectId } = await allow(userCode);
    await auth.database.transaction((tx) => countWithdrawal(tx, 'demo', subjectId, tv));
    expect(error(await poll(deviceCode))).toEqual([400, 'invalid_grant']);
    expect((await poll(deviceCode)).status).toBe(400);
    const { rowCount } = await auth.database.sql.query(
      'SELECT 1 FROM auth.grants WHERE subject_id = $1 AND revoked_at IS NULL',
      [subjectId],
    );
    expect(rowCount).toBe(0);
  });

  test('A poll is rejected when the client was disabled while the device waited.', async () => {
    const { client } = await register(auth, deviceClient);
    const { deviceCode, userCode } = await started({ client_id: client.clientId });
    await allow(userCode);
    await auth.deps.clientRegistry.disable('demo', client.clientId);
    expect(error(await poll(deviceCode, { client: client.clientId }))).toEqual([401, 'invalid_client']);
  });

  test('Every device key in Redis expires.', async () => {
    const { deviceCode } = await started();
    await poll(deviceCode);
    for (const kind of ['device_code', 'user_code']) {
      for (const key of await auth.deps.redis.keys(`${backend.prefix}:auth:${kind}:*`)) {
        expect(await auth.deps.redis.ttl(key)).toBeGreaterThan(0);
      }
    }
  });
});
