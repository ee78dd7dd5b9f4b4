import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { releaseOverdue } from '../../../src/signals/data/cursors.ts';
import { claimDue, finishDelivery } from '../../../src/signals/data/deliveries.ts';
import { countDeliveries, listDeliveries } from '../../../src/signals/data/delivery-list.ts';
import { appendFacts } from '../../../src/signals/data/facts.ts';
import { failUndeliverable, pruneOutward } from '../../../src/signals/data/maintenance.ts';
import { type Engines, factAbout, startEngines } from './engine.ts';

let engines: Engines;
beforeAll(async () => {
  // One connection, so that the test measures the plans cached by it.
  engines = await startEngines({ poolSize: 1 });
});
afterAll(() => engines.stop());

/** Returns the number of rows and index entries read so far. */
async function read(): Promise<number> {
  const { sql } = engines.database;
  await sql.query('SELECT pg_stat_force_next_flush()');
  const { rows } = await sql.query<{ read: number }>(
    `SELECT (SELECT sum(seq_tup_read) FROM pg_stat_user_tables WHERE schemaname = 'auth')::float8
          + (SELECT sum(idx_tup_read) FROM pg_stat_user_indexes WHERE schemaname = 'auth')::float8 AS read`,
  );
  return rows[0]?.read ?? Number.NaN;
}

/** Writes and delivers one fact, and runs the other statements of a worker. */
async function live(n: number): Promise<void> {
  const { database } = engines;
  await database.transaction((tx) => appendFacts(tx, 'demo', [factAbout(`u${n}`)]));
  const { claimed } = await claimDue(database, {
    kinds: ['webhook', 'ssf', 'backchannel_logout'],
    limit: 64,
    perReceiver: 5,
    slots: [],
    perTenant: 64,
    rooms: [],
    leaseSeconds: 15,
  });
  const own = claimed.filter(({ fact }) => fact?.subject.id === `u${n}`);
  expect(own).toHaveLength(1);
  for (const delivery of claimed) {
    await finishDelivery(database.sql, delivery, { state: 'delivered', status: 204, error: undefined });
  }
  await releaseOverdue(database, 1_000);
  await failUndeliverable(database.sql, 259_200, 1_000);
  await pruneOutward(database.sql, { deliveredSeconds: 604_800, deadSeconds: 2_592_000 }, 1_000);
}

test('A fact is delivered without reading delivered messages or the long queue of another receiver.', async () => {
  const { sql } = engines.database;
  await engines.receiver('demo', ['user.updated']);
  const down = await engines.receiver('demo', ['user.deleted']);
  for (let n = 0; n < 12; n += 1) await live(n);
  const many = 100_000;
  await sql.query(
    `INSERT INTO auth.facts (tenant, id, type, subject_kind, subject_id, occurred_at, data, actor)
     SELECT 'demo', gen_random_uuid(), 'user.updated', 'user', 's' || n % 5000, now(), '{}', '{}' FROM generate_series(1, ${many}) n`,
  );
  await sql.query(
    `INSERT INTO auth.deliveries (tenant, id, fact_id, receiver_kind, receiver_id, subject_key, state, finished_at)
     SELECT 'demo', gen_random_uuid(), f.id, 'webhook', r.id::text, 'user:' || f.subject_id, 'delivered', now()
     FROM auth.facts f, auth.receivers r WHERE 'user.updated' = ANY (r.fact_types)`,
  );
  // Failed deliveries of another receiver: per user, one that waits for its next attempt and others behind it.
  await sql.query(
    `INSERT INTO auth.deliveries (tenant, id, receiver_kind, receiver_id, subject_key, due_at)
     SELECT 'demo', gen_random_uuid(), 'webhook', $1, 'user:' || n % 5000, now() + interval '1 hour'
     FROM generate_series(1, 20000) n`,
    [down.id],
  );
  const times = 10;
  const before = await read();
  for (let n = 0; n < times; n += 1) await live(100 + n);
  expect(((await read()) - before) / times).toBeLessThan(300);
});

test('Dead letters of a tenant are listed and counted without those of all others, and only up to the paging limit.', async () => {
  const { sql } = engines.database;
  await sql.query(
    `INSERT INTO auth.deliveries (tenant, id, receiver_kind, receiver_id, subject_key, state, finished_at)
     SELECT CASE WHEN n % 100 = 0 THEN 'demo' ELSE 'rival' END, gen_random_uuid(), 'backchannel_logout', 'app' || n % 7,
            'user:u' || n, 'dead', now() FROM generate_series(1, 30000) n`,
  );
  const before = await read();
  const filter = { state: 'dead' } as const;
  expect(await listDeliveries(sql, 'demo', filter, { limit: 20, direction: 'forward' })).toHaveLength(20);
  expect(await countDeliveries(sql, 'demo', filter)).toEqual({ total: 300, isExact: true });
  expect(await countDeliveries(sql, 'rival', filter, 100)).toEqual({ total: 100, isExact: false });
  expect((await read()) - before).toBeLessThan(2_000);
});
