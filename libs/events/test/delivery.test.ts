import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { migrationDrift } from '@ostiary/database/testing';
import { uuidv7 } from '@ostiary/service';
import { eventually, testEventSignatures } from '@ostiary/service/testing';
import { Queue } from 'bullmq';
import { type DomainEvent, eventQueue, inRounds, queuePrefix, sealedJob } from '../src/index.ts';
import {
  consumer,
  consumerDefaults,
  createDepot,
  type Depot,
  each,
  metric,
  schema,
  schemaFile,
  userEvent,
} from './fixture.ts';

let depot: Depot;

beforeEach(async () => {
  depot = await createDepot();
});

afterEach(() => depot.close());

const allOnce = (effects: { n: number }[], count: number) =>
  effects.length === count && effects.every(({ n }) => n === 1);

test('The documented Prisma models create the tables that the SQL expects.', async () => {
  await depot.database.sql.query('DROP TABLE depot.effects, depot.subjects');
  expect(await migrationDrift({ url: depot.url, schema, schemaFile })).toBeUndefined();
});

describe('delivery from the outbox to one effect', () => {
  test('An event arrives as it was written and is confirmed.', async () => {
    const seen: DomainEvent[] = [];
    depot.startConsumer({
      handle: each(async (event) => {
        seen.push(event);
      }),
    });
    const { metrics } = await depot.startRelay();
    const event = userEvent('user.deactivated', { version: 7, active: false });
    const [id] = await depot.database.transaction((tx) => depot.outbox.append(tx, [event]));
    await eventually(
      () => depot.deliveries(),
      (rows) => rows.length === 0,
    );
    expect(seen).toEqual([{ ...event, id, occurredAt: expect.stringMatching(/^\d{4}-.*Z$/) }]);
    expect(await metric(metrics, 'outbox_enqueued_total')).toBe(1);
    // The relay counts the result of its statement a moment after it is visible to others.
    await eventually(
      () => metric(metrics, 'outbox_confirmed_total'),
      (n) => n === 1,
    );
    expect(await metric(metrics, 'outbox_requeued_total')).toBe(0);
  });

  test('An event of a transaction that was rolled back is not sent.', async () => {
    depot.startConsumer();
    await depot.startRelay();
    await depot.database
      .transaction(async (tx) => {
        await depot.outbox.append(tx, [userEvent('user.created')]);
        throw new Error('no');
      })
      .catch(() => {});
    await sleep(500);
    expect(await depot.effects()).toEqual([]);
  });

  test('An event appended by another process is found by polling, or immediately by its notification.', async () => {
    depot.startConsumer();
    await depot.startRelay({ pollMs: 60_000 });
    await sleep(300);
    // A plain Sql has no announce(), unlike a Transaction: the notification is part of the statement.
    await depot.outbox.append(depot.database.sql, [userEvent('user.created')]);
    await eventually(
      () => depot.effects(),
      (effects) => allOnce(effects, 1),
    );
  });

  test('1,000 events written together and separately have one effect each.', async () => {
    depot.startConsumer({ concurrency: 16 });
    await depot.startRelay();
    const ids = [...(await depot.publish(800, { together: true })), ...(await depot.publish(200))];
    const effects = await eventually(
      () => depot.effects(),
      (e) => e.length === 1000,
    );
    expect(allOnce(effects, 1000)).toBe(true);
    expect(effects.map((e) => e.event_id).sort()).toEqual(ids.sort());
    await eventually(
      () => depot.deliveries(),
      (rows) => rows.length === 0,
    );
  });

  test('A busy relay moves events in batches, and an urgent event takes waiting events along immediately.', async () => {
    const batches: { types: string[]; at: number }[] = [];
    depot.startConsumer({
      handle: async (events) => {
        batches.push({ types: events.map(({ type }) => type), at: performance.now() });
      },
    });
    await depot.startRelay();
    const publish = (type: 'user.updated' | 'user.deactivated') =>
      depot.database.transaction((tx) => depot.outbox.append(tx, [userEvent(type)]));
    for (let burst = 0; burst < 30; burst += 1)
      await Promise.all(Array.from({ length: 10 }, () => publish('user.updated')));
    await eventually(
      () => batches.reduce((n, { types }) => n + types.length, 0),
      (n) => n === 300,
    );
    // Individually there would be three hundred.
    expect(batches.length).toBeLessThan(150);

    const delays: number[] = [];
    for (let i = 0; i < 20; i += 1) {
      await Promise.all(Array.from({ length: 10 }, () => publish('user.updated')));
      await publish('user.deactivated');
      const committed = performance.now();
      const leaving = () => batches.filter(({ types }) => types.includes('user.deactivated')).length;
      await eventually(leaving, (n) => n > i);
      delays.push((batches.findLast(({ types }) => types.includes('user.deactivated'))?.at ?? 0) - committed);
    }
    delays.sort((a, b) => a - b);
    // The relay would have waited 50 ms for more events; other load makes some delays longer.
    expect(delays[4]).toBeLessThan(40);
  });

  test('Three relays on one outbox enqueue each event once.', async () => {
    const relays = await Promise.all([1, 2, 3].map(() => depot.startRelay({ requeueAfterMs: 60_000 })));
    const { metrics } = depot.startConsumer({ concurrency: 16 });
    await depot.publish(600);
    await eventually(
      () => depot.effects(),
      (effects) => allOnce(effects, 600),
    );
    await eventually(
      () => depot.deliveries(),
      (rows) => rows.length === 0,
    );
    const counts = await Promise.all(relays.map((r) => metric(r.metrics, 'outbox_enqueued_total')));
    expect(counts.reduce((a, b) => a + b)).toBe(600);
    expect(await metric(metrics, 'events_duplicates_total')).toBe(0);
    const requeued = await Promise.all(relays.map((r) => metric(r.metrics, 'outbox_requeued_total')));
    expect(requeued.reduce((a, b) => a + b)).toBe(0);
  });

  test('The handler starts within milliseconds of the commit.', async () => {
    const started = new Map<string, number>();
    depot.startConsumer({
      handle: each(async (event) => {
        started.set(event.id, performance.now());
      }),
    });
    await depot.startRelay({ pollMs: 60_000 });
    const delays: number[] = [];
    for (let i = 0; i < 60; i += 1) {
      const [id = ''] = await depot.database.transaction((tx) =>
        depot.outbox.append(tx, [userEvent('user.updated')]),
      );
      const committed = performance.now();
      await eventually(
        () => started.has(id),
        (arrived) => arrived,
      );
      delays.push((started.get(id) ?? Number.NaN) - committed);
    }
    delays.sort((a, b) => a - b);
    // A few ms on an idle machine; other load makes some delays longer.
    expect(delays[15]).toBeLessThan(50);
    expect(delays[30]).toBeLessThan(500);
  });
});

test('A job without a valid signature is rejected, and its event still arrives.', async () => {
  const event = { ...userEvent('user.updated'), id: uuidv7(), occurredAt: new Date().toISOString() };
  await depot.database.transaction((tx) => depot.outbox.append(tx, [event]));
  await depot.database.sql.query(
    `UPDATE depot.outbox_deliveries SET state = 'enqueued', enqueued_at = now() - interval '1 hour'`,
  );
  const queue = new Queue(eventQueue(consumer), {
    connection: { host: new URL(depot.redisUrl).hostname, port: Number(new URL(depot.redisUrl).port) },
    prefix: queuePrefix(depot.prefix),
  });
  await queue.add(event.type, event, { jobId: `${event.id}-0` });
  await queue.close();
  const { metrics } = await depot.startRelay({ confirmAfterMs: 50, requeueAfterMs: 50 });
  await eventually(
    () => metric(metrics, 'outbox_requeued_total'),
    (requeued) => requeued > 0,
  );
  depot.startConsumer();
  await eventually(
    () => depot.deliveries(),
    (rows) => rows.length === 0,
  );
  expect(await depot.effects()).toEqual([{ event_id: event.id, n: 1 }]);
});

describe('inRounds', () => {
  test('Each round contains each subject at most once, in the order of its versions.', () => {
    const of = (subject: string, version: number) =>
      ({ ...userEvent('user.updated', { subject, version }) }) as DomainEvent;
    const rounds = inRounds([of('a', 3), of('b', 1), of('a', 1), of('a', 2), of('c', 9)]);
    expect(rounds.map((round) => round.map(({ subject, version }) => `${subject}${version}`))).toEqual([
      ['a1', 'b1', 'c9'],
      ['a2'],
      ['a3'],
    ]);
  });
});

describe('repeated delivery', () => {
  const enqueueTwice = async (event: DomainEvent) => {
    const queue = new Queue(eventQueue(consumer), {
      connection: { host: new URL(depot.redisUrl).hostname, port: Number(new URL(depot.redisUrl).port) },
      prefix: queuePrefix(depot.prefix),
    });
    await Promise.all(
      [0, 1, 2].map((g) =>
        queue.add('events', sealedJob(testEventSignatures, consumer, [event]), { jobId: `${event.id}-${g}` }),
      ),
    );
    await queue.close();
  };

  test('Three concurrent jobs for one event have one effect.', async () => {
    let running = 0;
    const { metrics } = depot.startConsumer({
      handle: each(async (event, tx) => {
        running += 1;
        await sleep(50);
        await tx.query('INSERT INTO depot.effects (event_id) VALUES ($1)', [event.id]);
      }),
    });
    const event = {
      ...userEvent('user.updated'),
      id: uuidv7(),
      occurredAt: new Date().toISOString(),
    } as DomainEvent;
    await enqueueTwice(event);
    await eventually(
      () => metric(metrics, 'events_duplicates_total'),
      (n) => n === 2,
    );
    expect(await depot.effects()).toEqual([{ event_id: event.id, n: 1 }]);
    expect(running).toBe(1);
  });
});

test('A consumer that keeps the highest version ends in the last state when events arrive out of order.', async () => {
  depot.startConsumer({
    concurrency: 8,
    handle: each(async (event, tx) => {
      if (event.type !== 'user.updated' && event.type !== 'user.deactivated') return;
      await sleep(Math.random() * 20);
      await tx.query(
        `INSERT INTO depot.subjects AS s (id, version, active) VALUES ($1, $2, $3)
         ON CONFLICT (id) DO UPDATE SET version = excluded.version, active = excluded.active
         WHERE s.version < excluded.version`,
        [event.subject, event.version, event.payload.active],
      );
    }),
  });
  const subject = uuidv7();
  const versions = Array.from({ length: 20 }, (_, i) => 20 - i);
  await depot.database.transaction((tx) =>
    depot.outbox.append(
      tx,
      versions.map((version) =>
        userEvent(version === 20 ? 'user.deactivated' : 'user.updated', {
          subject,
          version,
          active: version !== 20,
        }),
      ),
    ),
  );
  await depot.startRelay();
  await eventually(
    () => depot.deliveries(),
    (rows) => rows.length === 0,
  );
  const { rows } = await depot.database.sql.query('SELECT version, active FROM depot.subjects');
  expect(rows).toEqual([{ version: 20, active: false }]);
});

describe('failing handlers', () => {
  test('A failed event is retried with pauses until it succeeds, and other events are not delayed.', async () => {
    const attempts: number[] = [];
    const poison = uuidv7();
    const { metrics } = depot.startConsumer({
      concurrency: 1,
      handle: each(async (event, tx) => {
        await tx.query('INSERT INTO depot.effects (event_id) VALUES ($1)', [event.id]);
        if (event.id === poison && attempts.push(performance.now()) < 7) throw new Error('not yet');
      }),
    });
    await depot.startRelay({ requeueAfterMs: 60_000 });
    await depot.database.transaction((tx) =>
      depot.outbox.append(tx, [{ ...userEvent('user.updated'), id: poison } as never]),
    );
    await eventually(
      () => attempts.length,
      (n) => n > 0,
    );
    await depot.publish(20);
    await eventually(
      () => depot.effects(),
      (effects) => effects.length === 20,
    );
    await eventually(
      () => metric(metrics, 'events_poisoned'),
      (n) => n === 1,
    );
    await eventually(
      () => depot.effects(),
      (effects) => allOnce(effects, 21),
    );
    expect(await metric(metrics, 'events_failures_total')).toBe(6);
    await eventually(
      () => metric(metrics, 'events_poisoned'),
      (n) => n === 0,
    );
    const pauses = attempts.slice(1).map((at, i) => at - (attempts[i] ?? 0));
    // A pause may be longer than configured.
    expect(pauses.at(-1)).toBeGreaterThan(Math.min(...pauses.slice(0, 2)) * 4);
  });

  test('Only the event that fails in a batch waits, however the batch was formed.', async () => {
    const poison = [uuidv7(), uuidv7()];
    const seen: string[][] = [];
    let isFailing = true;
    const { metrics } = depot.startConsumer({
      concurrency: 1,
      handle: async (events, tx) => {
        seen.push(events.map(({ id }) => id));
        await consumerDefaults.handle(events, tx);
        if (isFailing && events.some(({ id }) => poison.includes(id))) throw new Error('not yet');
      },
    });
    const events = [
      ...Array.from({ length: 40 }, () => userEvent('user.updated')),
      ...poison.map((id) => ({ ...userEvent('user.updated'), id }) as never),
    ];
    await depot.database.transaction((tx) => depot.outbox.append(tx, events));
    await depot.startRelay({ requeueAfterMs: 60_000 });
    await eventually(
      () => depot.effects(),
      (effects) => effects.length >= 40,
    );
    expect(seen[0]).toHaveLength(42);
    // The others are confirmed while it is still being retried.
    await eventually(
      () => depot.deliveries(),
      (rows) => rows.length === 2,
    );
    isFailing = false;
    await eventually(
      () => depot.effects(),
      (effects) => allOnce(effects, 42),
    );
    await eventually(
      () => depot.deliveries(),
      (rows) => rows.length === 0,
    );
    expect(await metric(metrics, 'events_processed_total')).toBe(42);
    expect(await metric(metrics, 'events_duplicates_total')).toBe(0);
  });

  test('A follow-up runs after the commit, and its failure changes nothing.', async () => {
    const followed: number[] = [];
    const { metrics } = depot.startConsumer({
      handle: async (events, tx) => {
        await consumerDefaults.handle(events, tx);
        return async () => {
          followed.push((await depot.effects()).length);
          throw new Error('no listener');
        };
      },
    });
    await depot.startRelay();
    await depot.publish(1);
    await eventually(
      () => depot.deliveries(),
      (rows) => rows.length === 0,
    );
    await eventually(
      () => metric(metrics, 'events_after_commit_failures_total'),
      (n) => n === 1,
    );
    expect(followed).toEqual([1]);
  });
});
