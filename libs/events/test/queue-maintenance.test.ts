import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { eventually } from '@ostiary/service/testing';
import { createDepot, type Depot, each } from './fixture.ts';

let depot: Depot;

beforeEach(async () => {
  depot = await createDepot();
});

afterEach(() => depot.close());

const allOnce = (effects: { n: number }[], count: number) =>
  effects.length === count && effects.every(({ n }) => n === 1);

test('Stopping waits for work in progress, but no longer than its deadline.', async () => {
  const started = Promise.withResolvers<void>();
  const quick = depot.startConsumer({
    handle: each(async (event, tx) => {
      started.resolve();
      await sleep(300);
      await tx.query('INSERT INTO depot.effects (event_id) VALUES ($1)', [event.id]);
    }),
  });
  const { stop } = await depot.startRelay();
  await depot.publish(1);
  await started.promise;
  await quick.stop(20_000);
  expect(allOnce(await depot.effects(), 1)).toBe(true);

  const hanging = Promise.withResolvers<void>();
  const hung = Promise.withResolvers<void>();
  const slow = depot.startConsumer({
    handle: async () => {
      hung.resolve();
      await hanging.promise;
    },
  });
  await depot.publish(1);
  await hung.promise;
  await slow.stop(200);
  hanging.resolve();
  await stop();
});

test('Confirmed events are pruned after their retention, and unconfirmed ones are never pruned.', async () => {
  const { stop } = depot.startConsumer();
  const relay = await depot.startRelay();
  await depot.publish(5);
  await eventually(
    () => depot.deliveries(),
    (rows) => rows.length === 0,
  );
  await stop();
  await relay.stop();
  await depot.publish(1);
  const second = await depot.startRelay({ retentionMs: 0 });
  const left = async () => (await depot.database.sql.query('SELECT FROM depot.outbox_events')).rowCount;
  await eventually(left, (n) => n === 1);
  expect(await depot.deliveries()).toHaveLength(1);
  const { rows: events } = await depot.database.sql.query('SELECT id FROM depot.outbox_events');
  expect(events).toHaveLength(1);
  await second.stop();
});

test('The inbox deletes entries that can no longer be delivered again, in batches, soon after the start.', async () => {
  await depot.database.sql.query(
    `INSERT INTO depot.inbox_entries (event_id, consumer, received_at)
     SELECT gen_random_uuid(), consumer, now() - age * interval '1 day'
     FROM (VALUES ('auth', 31, 2500), ('auth', 29, 2), ('other', 31, 3)) AS kind (consumer, age, many),
          generate_series(1, many)`,
  );
  const { stop } = depot.startConsumer({ pruneEveryMs: 20 });
  const left = async () =>
    (
      await depot.database.sql.query<{ consumer: string; n: number }>(
        'SELECT consumer, count(*) AS n FROM depot.inbox_entries GROUP BY consumer ORDER BY consumer',
      )
    ).rows;
  const wanted = [
    { consumer: 'auth', n: 2 },
    { consumer: 'other', n: 3 },
  ];
  await eventually(left, (rows) => JSON.stringify(rows) === JSON.stringify(wanted));
  await stop();
});
