import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { eventually, SilentLink } from '@ostiary/service/testing';
import { consumerDefaults, createDepot, type Depot, each, metric } from './fixture.ts';
import { OwnRedis } from './redis-server.ts';

let depot: Depot;
let redis: OwnRedis;
const victims: ChildProcess[] = [];

beforeAll(async () => {
  redis = await OwnRedis.start();
});

afterAll(() => redis.stop());

beforeEach(async () => {
  depot = await createDepot({ redisUrl: redis.url });
});

afterEach(async () => {
  for (const victim of victims.splice(0)) victim.kill('SIGKILL');
  await depot.close();
});

const victim = (role: 'worker' | 'relay'): ChildProcess => {
  const { url, redisUrl, prefix } = depot;
  const child = spawn(
    process.execPath,
    [join(import.meta.dirname, 'victim.ts'), role, JSON.stringify({ url, redisUrl, prefix })],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, NODE_OPTIONS: '--disable-warning=ExperimentalWarning' },
    },
  );
  victims.push(child);
  return child;
};

const everyEffectOnce = async (count: number) => {
  const effects = await eventually(
    () => depot.effects(),
    (seen) => seen.length === count,
  );
  expect(effects.filter(({ n }) => n !== 1)).toEqual([]);
  await eventually(
    () => depot.deliveries(),
    (rows) => rows.length === 0,
  );
  expect(await depot.effects()).toEqual(effects);
};

describe('killed processes', () => {
  test.each([1, 30])(
    'A worker killed in the middle of %i events leaves each event with exactly one effect.',
    async (count) => {
      await depot.startRelay();
      const child = victim('worker');
      await depot.publish(count, { together: true });
      await once(child.stdout as NodeJS.ReadableStream, 'data');
      child.kill('SIGKILL');
      await once(child, 'exit');
      const { metrics } = depot.startConsumer();
      await everyEffectOnce(count);
      expect(await metric(metrics, 'events_processed_total')).toBe(count);
    },
  );

  test('A worker that handles an event for longer than the lock lasts keeps the event.', async () => {
    let begun = 0;
    const handle = each(async (event, tx) => {
      begun += 1;
      // Longer than until another worker would have taken it over.
      await tx.query('SELECT pg_sleep(6)');
      await tx.query('INSERT INTO depot.effects (event_id) VALUES ($1)', [event.id]);
    });
    await depot.startRelay({ requeueAfterMs: 60_000 });
    await depot.publish(1);
    const consumers = [depot.startConsumer({ handle }), depot.startConsumer({ handle })];
    await everyEffectOnce(1);
    expect(begun).toBe(1);
    for (const { metrics } of consumers) expect(await metric(metrics, 'events_duplicates_total')).toBe(0);
  });

  test('A relay killed after Redis has the events and before it recorded that leaves one effect for each event.', async () => {
    await depot.publish(20, { together: true });
    const child = victim('relay');
    const [, signal] = await once(child, 'exit');
    expect(signal).toBe('SIGKILL');
    expect(await redis.use((r) => r.llen(`{${depot.prefix}}:events-auth:wait`))).toBe(1);
    expect(new Set((await depot.deliveries()).map(({ state }) => state))).toEqual(new Set(['pending']));

    const relay = await depot.startRelay();
    const { metrics } = depot.startConsumer();
    await everyEffectOnce(20);
    expect(await metric(relay.metrics, 'outbox_requeued_total')).toBe(0);
    // They were sent twice, in two jobs, and had their effect once.
    await eventually(
      () => metric(metrics, 'events_duplicates_total'),
      (n) => n === 20,
    );
  });
});

describe('loss of Redis', () => {
  test('The reconciler sends all events again when Redis is flushed between enqueuing and handling.', async () => {
    const relay = await depot.startRelay({ requeueAfterMs: 300 });
    await depot.publish(50, { together: true });
    await eventually(
      () => depot.deliveries(),
      (rows) => rows.every(({ state }) => state === 'enqueued'),
    );
    await redis.use((r) => r.flushall());
    depot.startConsumer();
    await everyEffectOnce(50);
    expect(await metric(relay.metrics, 'outbox_requeued_total')).toBeGreaterThanOrEqual(50);
  });

  test('Every event has one effect when Redis is flushed repeatedly under load with workers running.', async () => {
    await depot.startRelay({ requeueAfterMs: 300 });
    depot.startConsumer({
      concurrency: 4,
      handle: each(async (event, tx) => {
        await sleep(5);
        await consumerDefaults.handle([event], tx);
      }),
    });
    for (let round = 0; round < 5; round += 1) {
      await depot.publish(60);
      await redis.use((r) => r.flushall());
    }
    await everyEffectOnce(300);
  });

  test('The relay and workers recover automatically when Redis is killed and started empty.', async () => {
    await depot.startRelay();
    depot.startConsumer();
    await depot.publish(30);
    await redis.kill();
    // Appending does not need Redis, so it must not wait for it.
    await depot.publish(30);
    await sleep(3000);
    const open = (await depot.deliveries()).filter(({ state }) => state === 'pending');
    expect(open.length).toBeGreaterThanOrEqual(30);
    await redis.start();
    await everyEffectOnce(60);
  });

  test('The relay and the worker can be started before Redis.', async () => {
    await redis.kill();
    await depot.startRelay();
    depot.startConsumer();
    await depot.publish(5);
    await sleep(1500);
    await redis.start();
    await everyEffectOnce(5);
  });
});

test('The relay and the worker recover within ten seconds when their connections to Redis fall silent.', async () => {
  const link = await SilentLink.to(Number(new URL(redis.url).port));
  const own = await createDepot({ redisUrl: `redis://127.0.0.1:${link.port}` });
  try {
    await own.startRelay();
    own.startConsumer();
    const effects = (count: number) =>
      eventually(
        () => own.effects(),
        (seen) => seen.length === count,
      );
    await own.publish(5);
    await effects(5);
    link.silence();
    await own.publish(5);
    await effects(10);
  } finally {
    await own.close();
    await link.close();
  }
});

test('Every event has one effect when PostgreSQL drops all connections twice under load.', async () => {
  await depot.startRelay();
  depot.startConsumer({ concurrency: 4 });
  let published = 0;
  for (let round = 0; round < 6; round += 1) {
    const outcomes = await Promise.allSettled([
      ...Array.from({ length: 30 }, () => depot.publish(1)),
      round % 3 === 1
        ? depot.database.sql.query(
            'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
          )
        : undefined,
    ]);
    published += outcomes.length;
  }
  expect(published).toBeGreaterThan(0);
  await sleep(200);
  const { rows } = await depot.database.sql.query<{ n: number }>(
    'SELECT count(*) AS n FROM depot.outbox_events',
  );
  await everyEffectOnce(rows[0]?.n ?? 0);
});
