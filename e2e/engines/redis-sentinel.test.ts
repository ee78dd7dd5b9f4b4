import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { revocationStream } from '@ostiary/access';
import { recordSkip } from '@ostiary/service/testing';
import { closeCompanies } from '../departure/company.ts';
import { beginningWithTrust } from '../support/engines/begins.ts';
import { opensslPath } from '../support/engines/certificates.ts';
import { LostMoment } from '../support/engines/lost-writes.ts';
import { type RedisProcess, redisServerPath } from '../support/engines/redis-process.ts';
import { RedisSentinels } from '../support/engines/redis-sentinel.ts';
import { type SystemOnEngine, systemOn } from '../support/engines/system-on.ts';
import { offboardingUnder, recoveryOf } from '../support/engines/under-fault.ts';
import { authorize } from '../support/sign-in.ts';

if (!redisServerPath || !opensslPath)
  recordSkip('redis-server or openssl is missing (apt: redis-server openssl)');
const describeWithRedis = redisServerPath && opensslPath ? describe : describe.skip;

describeWithRedis('on a primary with two replicas, watched by three Sentinels, over TLS', () => {
  let group: RedisSentinels;
  let on: SystemOnEngine;

  beforeAll(async () => {
    group = await RedisSentinels.start({ overTls: true });
    on = await systemOn({ redisUrl: group.url, env: group.env });
  });
  afterAll(async () => {
    await closeCompanies();
    await on?.stop();
    await group?.stop();
  });

  test('A process does not start if a certificate is not signed by the trusted authority or is for another name.', async () => {
    const { accepted, refusals } = await beginningWithTrust(group);
    expect(accepted).toBe('');
    expect(refusals.length).toBe(4);
    for (const refusal of refusals) {
      expect(refusal).toMatch(/REDIS_URL points to a server whose certificate is not trusted \([A-Z_]+\)/);
      expect(refusal).not.toContain('process-of-tests');
    }
  });

  test('When the primary is killed during offboardings, access is revoked and the system recovers automatically.', async () => {
    const figures = await offboardingUnder(on.demo, {
      fault: 'primary killed',
      people: 6,
      strike: async (struck) => {
        const primary = await group.primary();
        await primary.kill();
        struck();
        await group.failedOver(primary);
        // It restarts as a replica of its successor.
        await primary.start();
      },
    });
    process.stderr.write(`e2e/engines/redis-sentinel: ${recoveryOf(figures)}\n`);
  });

  test('Revocations that the new primary never received are effective: users offboarded just before the failover have no access.', async () => {
    await group.replicated();
    const moment = await LostMoment.before(on);
    const old = await group.primary();
    await group.cutReplication();
    await moment.happens();
    const last = await newestRevocation(old);
    await old.kill();
    try {
      // While Redis is needed and unavailable, the browser returns to the app with an error and no code.
      const { callback } = await authorize(on.demo, on.demo.tenants.demo, moment.scene.person.user);
      expect([callback.searchParams.get('error'), callback.searchParams.get('code')]).toEqual([
        'temporarily_unavailable',
        null,
      ]);
      const meanwhile = await moment.knock(({ after }) => after);
      const successor = await group.failedOver(old);
      expect(await successor.admin.xrange(revocations, last, last)).toEqual([]);
      expect(await moment.knock(({ again }) => again)).toEqual({ asked: meanwhile.asked, open: [] });
      expect(meanwhile).toEqual({ asked: expect.any(Number), open: [] });
      expect(meanwhile.asked).toBeGreaterThan(40);
      expect(await moment.codeAgain()).toBe('refused: invalid_grant');
    } finally {
      moment.end();
      await old.start();
    }
  });

  test('No request was rejected permanently, and the invariants hold.', async () => {
    expect(await on.refusals()).toEqual([]);
    expect(await on.brokenInvariants()).toEqual([]);
  });
});

const revocations = revocationStream('ostiary');

/** Returns the id of the last entry of the revocation stream on a server. */
async function newestRevocation({ admin }: RedisProcess): Promise<string> {
  const [newest] = await admin.xrevrange(revocations, '+', '-', 'COUNT', 1);
  if (!newest) throw new Error('there is no revocation');
  return newest[0];
}
