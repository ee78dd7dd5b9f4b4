import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createKit } from '@ostiary/service';
import { eventually } from '@ostiary/service/testing';
import { createOutbox, type DomainEvent, EventConsumer, readEvents } from '../src/index.ts';
import { consumerDefaults, createDepot, type Depot, metric, schema, userEvent } from './fixture.ts';
import { OwnRedis } from './redis-server.ts';

let depot: Depot;
let redis: OwnRedis;

beforeAll(async () => {
  redis = await OwnRedis.start();
});
afterAll(() => redis.stop());
beforeEach(async () => {
  await redis.start();
  depot = await createDepot({ redisUrl: redis.url });
});
afterEach(() => depot.close());

/** Offboards a user; returns the id of the event. */
const leave = async (): Promise<string> => {
  const [id] = await depot.database.transaction((tx) =>
    depot.outbox.append(tx, [userEvent('user.deactivated', { active: false })]),
  );
  return id ?? '';
};
const effectOf = (id: string) =>
  eventually(
    async () => (await depot.effects()).filter(({ event_id }) => event_id === id),
    (effects) => effects.length > 0,
  );
const once = (effects: { n: number }[]) => expect(effects.filter(({ n }) => n !== 1)).toEqual([]);

describe('urgent events past the queue', () => {
  test('An offboarding event overtakes the jobs that wait in the queue.', async () => {
    const { relay } = await depot.startRelay();
    for (let job = 0; job < 20; job += 1) {
      await depot.publish(3, { together: true });
      relay.poke();
      await eventually(
        () => depot.deliveries(),
        (rows) => rows.every(({ state }) => state === 'enqueued'),
      );
    }
    const id = await leave();
    await eventually(
      () => depot.deliveries(),
      (rows) => rows.every(({ state }) => state === 'enqueued'),
    );
    depot.startConsumer({ concurrency: 1 });
    await eventually(
      () => depot.effects(),
      (effects) => effects.length === 61,
    );
    const { rows } = await depot.database.sql.query<{ event_id: string }>(
      'SELECT event_id FROM depot.effects ORDER BY at',
    );
    expect(rows.findIndex((row) => row.event_id === id)).toBeLessThan(3);
  });

  test('An offboarding event is enqueued before the events that wait in the outbox.', async () => {
    await depot.publish(4_000, { together: true });
    const id = await leave();
    // The queue has no worker, and no job is checked again in the meantime.
    await depot.startRelay({ confirmAfterMs: 60_000 });
    await eventually(
      () => depot.deliveries(),
      (rows) => rows.every(({ state }) => state === 'enqueued'),
    );
    const { rows } = await depot.database.sql.query<{ later: number }>(
      `SELECT count(*)::int AS later FROM depot.outbox_deliveries o
        WHERE o.enqueued_at > (SELECT enqueued_at FROM depot.outbox_deliveries WHERE event_id = $1)`,
      [id],
    );
    expect(rows[0]?.later).toBeGreaterThanOrEqual(3_000);
  });

  test('An offboarding event that its consumer does not accept directly is enqueued again when Redis lost its job.', async () => {
    const { metrics } = await depot.startRelay({
      deliver: () => Promise.reject(new Error('too large')),
      confirmAfterMs: 50,
      requeueAfterMs: 300,
    });
    const id = await leave();
    await eventually(
      () => depot.deliveries(),
      (rows) => rows.every(({ state }) => state === 'enqueued'),
    );
    await redis.use((r) => r.flushall());
    depot.startConsumer();
    once(await effectOf(id));
    expect(await metric(metrics, 'outbox_requeued_total')).toBeGreaterThanOrEqual(1);
  });

  test('Without Redis, an offboarding event is delivered directly, the rest waits, and each has one effect.', async () => {
    const { metrics } = await depot.startRelay({ direct: true });
    await redis.kill();
    const [waits] = await depot.publish(1);
    const id = await leave();
    once(await effectOf(id));
    const under = await eventually(
      () => depot.deliveries(),
      (rows) => rows.length === 1,
    );
    expect(under.map(({ event_id }) => event_id)).toEqual([waits]);
    expect(await metric(metrics, 'outbox_direct_total')).toBe(1);
    depot.startConsumer();
    await redis.start();
    await eventually(
      () => depot.deliveries(),
      (rows) => rows.length === 0,
    );
    const effects = await depot.effects();
    expect(effects.length).toBe(2);
    once(effects);
  });

  test('With Redis down, a password change is also delivered directly.', async () => {
    await depot.startRelay({ direct: true });
    await redis.kill();
    const event = userEvent('user.updated', { ticket: crypto.randomUUID() });
    const [id = ''] = await depot.database.transaction((tx) => depot.outbox.append(tx, [event]));
    once(await effectOf(id));
  });

  test('With Redis down, an event that the consumer cannot accept does not delay those after it.', async () => {
    const { metrics } = createKit({ name: 'test', logLevel: 'silent' });
    let poisoned = '';
    const inbox = new EventConsumer({
      ...depot,
      ...consumerDefaults,
      metrics,
      handle: async (events, tx) => {
        if (events.some(({ id }) => id === poisoned)) throw new Error('it is of no use');
        await consumerDefaults.handle(events, tx);
      },
    });
    await depot.startRelay({ direct: true, deliver: (_, events) => inbox.accept(events) });
    await redis.kill();
    poisoned = await leave();
    await Promise.all(Array.from({ length: 120 }, leave));
    once(
      await eventually(
        () => depot.effects(),
        (effects) => effects.length === 120,
      ),
    );
    const left = await eventually(
      () => depot.deliveries(),
      (rows) => rows.length === 1,
    );
    expect(left.map(({ event_id }) => event_id)).toEqual([poisoned]);
  });

  test('With Redis down, a consumer that is also down does not delay another consumer.', async () => {
    const outbox = createOutbox(schema, ['auth', 'provisioning']);
    const { metrics } = createKit({ name: 'test', logLevel: 'silent' });
    const inbox = new EventConsumer({ ...depot, ...consumerDefaults, metrics });
    const away = () => Promise.reject(new Error('away'));
    await depot.startRelay({
      deliver: (consumer, events) => (consumer === 'auth' ? inbox.accept(events) : away()),
      confirm: async (consumer, ids) =>
        consumer === 'auth' ? { missing: await inbox.missing(ids) } : away(),
    });
    await redis.kill();
    await depot.database.transaction((tx) =>
      outbox.append(
        tx,
        Array.from({ length: 120 }, () => userEvent('user.deactivated', { active: false })),
      ),
    );
    once(
      await eventually(
        () => depot.effects(),
        (effects) => effects.length === 120,
      ),
    );
    // The remaining deliveries are for the unavailable consumer; those of the other are recorded a moment after its
    // effect.
    const left = await eventually(
      () => depot.deliveries(),
      (rows) => rows.length <= 120,
    );
    expect(left).toHaveLength(120);
  });

  test('An event that the queue does not deliver in time is delivered directly and has one effect.', async () => {
    await depot.startRelay({ direct: true, confirmAfterMs: 150 });
    const [ordinary] = await depot.publish(1);
    const ids = await Promise.all(Array.from({ length: 5 }, leave));
    // The queue has no worker.
    const effects = await eventually(
      () => depot.effects(),
      (seen) => seen.length === 5,
    );
    expect(effects.map(({ event_id }) => event_id)).toEqual(ids.toSorted());
    depot.startConsumer();
    await eventually(
      () => depot.effects(),
      (seen) => seen.some(({ event_id }) => event_id === ordinary),
    );
    once(await depot.effects());
  });

  test('An event is delivered by another relay when the relay that sent it has no record of it.', async () => {
    const first = await depot.startRelay();
    const id = await leave();
    await eventually(
      () => depot.deliveries(),
      (rows) => rows[0]?.state === 'enqueued',
    );
    await first.stop();
    await depot.startRelay({ direct: true });
    once(await effectOf(id));
    await eventually(
      () => depot.deliveries(),
      (rows) => rows.length === 0,
    );
  });

  test('An event that a consumer does not accept is retried, and other consumers are not delayed.', async () => {
    let refusals = 0;
    await depot.startRelay({
      direct: true,
      confirmAfterMs: 50,
      beforeDelivering: () => {
        refusals += 1;
        if (refusals <= 3) throw new Error('not now');
      },
    });
    once(await effectOf(await leave()));
    expect(refusals).toBe(4);
  });

  test('Three relays and a worker that run concurrently give each event one effect.', async () => {
    for (let relay = 0; relay < 3; relay += 1) {
      await depot.startRelay({ direct: true, confirmAfterMs: 1 });
    }
    depot.startConsumer();
    await Promise.all(Array.from({ length: 60 }, leave));
    const effects = await eventually(
      () => depot.effects(),
      (seen) => seen.length === 60,
    );
    await eventually(
      () => depot.deliveries(),
      (rows) => rows.length === 0,
    );
    once(effects);
    once(await depot.effects());
  });
});

describe('directly delivered events', () => {
  const event = {
    ...userEvent('user.deactivated'),
    id: '01a1f8aa-2fbd-7000-af25-ea7fea417887',
    occurredAt: '2026-11-20T12:00:00Z',
  } as DomainEvent;

  test('Directly delivered events are read as they were sent.', () => {
    expect(readEvents({ events: [event] })).toEqual([event]);
  });

  test.each([
    ['nothing', undefined],
    ['no list', { events: {} }],
    ['an empty list', { events: [] }],
    ['too long a list', { events: Array.from({ length: 1001 }, () => event) }],
    ['something else', { events: ['x'] }],
    ['an id that is none', { events: [{ ...event, id: 'x' }] }],
    ['a version that is none', { events: [{ ...event, version: '1' }] }],
    ['a time that is none', { events: [{ ...event, occurredAt: 'soon' }] }],
    ['no tenant', { events: [{ ...event, tenant: undefined }] }],
    ['no payload', { events: [{ ...event, payload: null }] }],
  ])('A direct delivery with %s is rejected.', (_what, body) => {
    expect(readEvents(body)).toBeUndefined();
  });
});
