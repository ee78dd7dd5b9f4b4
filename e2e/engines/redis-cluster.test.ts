import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { keyFamilyOf, keySlot, redisKeys } from '@ostiary/service';
import { eventually, recordSkip } from '@ostiary/service/testing';
import { Cluster } from 'ioredis';
import pg from 'pg';
import { uses } from '../redis/uses.ts';
import { monitorRedis } from '../support/cost/redis-monitor.ts';
import { beginningWithTrust } from '../support/engines/begins.ts';
import { opensslPath } from '../support/engines/certificates.ts';
import { RedisCluster } from '../support/engines/redis-cluster.ts';
import { administrator, clientTls, redisServerPath } from '../support/engines/redis-process.ts';
import { type SystemOnEngine, systemOn } from '../support/engines/system-on.ts';
import { offboardingUnder, recoveryOf } from '../support/engines/under-fault.ts';
import { ScimClient } from '../support/scim.ts';
import { adminToken } from '../support/sign-in.ts';

if (!redisServerPath || !opensslPath)
  recordSkip('redis-server or openssl is missing (apt: redis-server openssl)');
const describeWithRedis = redisServerPath && opensslPath ? describe : describe.skip;
/** Slot of the queues, the streams and the rate counters. */
const ownSlot = keySlot('{ostiary}:');

describeWithRedis('on a cluster of three primaries, each with a replica, over TLS', () => {
  let cluster: RedisCluster;
  let on: SystemOnEngine;

  beforeAll(async () => {
    cluster = await RedisCluster.start({ overTls: true });
    on = await systemOn({ redisUrl: cluster.url, env: cluster.env });
  });
  afterAll(async () => {
    await on?.stop();
    await cluster?.stop();
  });

  /** Returns the errors of every node since its start, by the first word. */
  async function refused(): Promise<string[]> {
    const texts = await Promise.all(cluster.nodes.map(({ admin }) => admin.info('errorstats')));
    return [
      ...new Set(
        texts.flatMap((text) => [...text.matchAll(/errorstat_(\w+):/g)].map(([, word = '']) => word)),
      ),
    ];
  }

  test('Every key family is used on the node that owns its slot, and the keys of one command share a slot.', async () => {
    const families = new Set<string>();
    const together: string[][] = [];
    const tls = cluster.tls && clientTls(cluster.tls);
    const stops = await Promise.all(
      cluster.nodes.map(({ host }) =>
        monitorRedis(
          `redis://:${encodeURIComponent(administrator)}@${host}`,
          (words) => {
            // /readyz checks the rights to every family without using one.
            if (words.includes('return 1') || words[0] === 'type') return;
            const keys = words.filter((word) => keyFamilyOf('ostiary', word) !== undefined);
            for (const key of keys) families.add(keyFamilyOf('ostiary', key) ?? '');
            if (keys.length > 1) together.push(keys);
          },
          tls,
        ),
      ),
    );
    const redis = new Cluster(
      cluster.nodes.map(({ port }) => ({ host: '127.0.0.1', port })),
      { redisOptions: { password: administrator, ...(tls && { tls }) } },
    );
    const database = new pg.Client({ connectionString: on.system.databaseUrl });
    await database.connect();
    try {
      const tenant = on.demo.tenants.demo;
      const scim = new ScimClient(tenant, tenant.clients.scim.token);
      const admin = await adminToken(tenant);
      const world = { own: on, tenant, scim, admin, database, attacker: { redis } };
      for (const use of new Set(Object.values(uses))) await use(world);
      // Some keys are written shortly after the response.
      const missing = async () => Object.keys(redisKeys).filter((family) => !families.has(family));
      await eventually(missing, (some) => some.length === 0);
    } finally {
      for (const stop of stops) stop();
      redis.disconnect();
      await database.end();
    }
    expect(together.length).toBeGreaterThan(10);
    const apart = together.filter((keys) => new Set(keys.map(keySlot)).size > 1);
    expect(apart).toEqual([]);
    // MOVED: the client learns the owner of a slot by it. NOAUTH: a replica asks before it logs in. ERR: this version
    // has no CLIENT SETINFO.
    const harmless = ['MOVED', 'NOAUTH', 'ERR'];
    expect((await refused()).filter((word) => !harmless.includes(word))).toEqual([]);
  });

  test('A process does not start if a certificate is not signed by the trusted authority or is for another name.', async () => {
    const { accepted, refusals } = await beginningWithTrust(cluster);
    expect(accepted).toBe('');
    expect(refusals.length).toBe(4);
    for (const refusal of refusals)
      expect(refusal).toMatch(/REDIS_URL points to a server whose certificate is not trusted \([A-Z_]+\)/);
  });

  test('When the node with the queues is killed during offboardings, access is revoked and the system recovers automatically.', async () => {
    const figures = await offboardingUnder(on.demo, {
      fault: 'primary killed',
      people: 6,
      strike: async (struck) => {
        const owner = await cluster.ownerOf(ownSlot);
        await owner.kill();
        struck();
        await cluster.failedOver(ownSlot, owner);
        await owner.start();
      },
    });
    process.stderr.write(`e2e/engines/redis-cluster: ${recoveryOf(figures)}\n`);
  });

  test('Slots, including that of the queues, can be moved during offboardings.', async () => {
    const figures = await offboardingUnder(on.demo, {
      fault: 'slots moved',
      people: 4,
      strike: async (struck) => {
        struck();
        for (const slot of [ownSlot, 0, 5_000, 10_000, 16_000, ownSlot]) await cluster.move(slot);
      },
    });
    process.stderr.write(`e2e/engines/redis-cluster: ${recoveryOf(figures)}\n`);
  });

  test('No request was rejected permanently, and the invariants hold.', async () => {
    expect(await refused()).toEqual(expect.not.arrayContaining(['CROSSSLOT', 'NOPERM', 'WRONGPASS']));
    expect(await on.refusals()).toEqual([]);
    expect(await on.brokenInvariants()).toEqual([]);
  });
});
