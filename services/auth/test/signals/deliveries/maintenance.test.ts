import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { pruneExpired } from '../../../src/maintenance.ts';
import { deadDeliveries, openDeliveries } from '../../../src/signals/data/deliveries.ts';
import { appendFacts } from '../../../src/signals/data/facts.ts';
import { failUndeliverable, pruneOutward } from '../../../src/signals/data/maintenance.ts';
import { deleteReceiver, updateReceiver } from '../../../src/signals/data/receivers.ts';
import { type Engines, factAbout, startEngines } from './engine.ts';

let engines: Engines;
beforeAll(async () => {
  engines = await startEngines();
});
afterEach(() =>
  engines.database.sql.query(
    'TRUNCATE auth.facts, auth.deliveries, auth.receivers, auth.fact_cursors CASCADE',
  ),
);
afterAll(() => engines.stop());

const query = async <R extends object>(text: string): Promise<R[]> =>
  (await engines.database.sql.query<R>(text)).rows;
const append = (tenant: string, ...people: string[]) =>
  engines.database.transaction((tx) =>
    appendFacts(
      tx,
      tenant,
      people.map((id) => factAbout(id)),
    ),
  );

test('Deliveries are deleted a week after success or a month after they were given up, and facts with their last delivery.', async () => {
  const one = await engines.receiver('demo', ['user.updated']);
  const two = await engines.receiver('demo', ['user.updated']);
  await append('demo', 'fresh', 'old', 'mixed', 'dead', 'long dead', 'pending');
  const finish = (person: string, state: string, days: number, receiver?: string) =>
    engines.database.sql.query(
      `UPDATE auth.deliveries SET state = $2, finished_at = now() - make_interval(days => $3)
        WHERE subject_key = 'user:' || $1 AND ($4::text IS NULL OR receiver_id = $4)`,
      [person, state, days, receiver ?? null],
    );
  await finish('fresh', 'delivered', 6);
  await finish('old', 'delivered', 8);
  await finish('mixed', 'delivered', 8, one.id);
  await finish('mixed', 'dead', 8, two.id);
  await finish('dead', 'dead', 29);
  await finish('long dead', 'dead', 31);
  expect(await pruneExpired(engines.database.sql)).toBe(2 + 1 + 2);
  const left = await query<{ subject: string; n: number }>(
    `SELECT f.subject_id AS subject, count(d.id)::int AS n FROM auth.facts f
     LEFT JOIN auth.deliveries d ON d.tenant = f.tenant AND d.fact_id = f.id GROUP BY 1 ORDER BY 1`,
  );
  expect(left).toEqual([
    { subject: 'dead', n: 2 },
    { subject: 'fresh', n: 2 },
    { subject: 'mixed', n: 1 },
    { subject: 'pending', n: 2 },
  ]);
  expect(await pruneExpired(engines.database.sql)).toBe(0);
});

test('Waiting deliveries are deleted together with a removed receiver, and after a month for a paused one.', async () => {
  const removed = await engines.receiver('demo', ['user.updated']);
  const paused = await engines.receiver('demo', ['user.updated'], { status: 'paused' });
  await append('demo', 'u1', 'u2');
  expect(await deleteReceiver(engines.database.sql, 'rival', removed.id, 'webhook')).toBe(false);
  expect(await deleteReceiver(engines.database.sql, 'demo', removed.id, 'webhook')).toBe(true);
  await engines.database.sql.query(
    `UPDATE auth.deliveries SET due_at = now() - interval '31 days' WHERE subject_key = 'user:u1' AND receiver_id = $1`,
    [paused.id],
  );
  expect(await pruneExpired(engines.database.sql)).toBe(3);
  expect(await query('SELECT receiver_id AS id, subject_key AS key FROM auth.deliveries')).toEqual([
    { id: paused.id, key: 'user:u2' },
  ]);
  expect(await query('SELECT subject_id AS id FROM auth.facts')).toEqual([{ id: 'u2' }]);
});

test('Waiting deliveries become dead letters if their receiver is disabled or does not poll them in time.', async () => {
  const disabled = await engines.receiver('demo', ['user.updated']);
  const asking = await engines.receiver('demo', ['user.updated'], { endpoint: null });
  const well = await engines.receiver('rival', ['user.updated']);
  await append('demo', 'u1', 'u2');
  await append('rival', 'u1');
  await engines.database.sql.query(`UPDATE auth.receivers SET status = 'disabled' WHERE id = $1`, [
    disabled.id,
  ]);
  await engines.database.sql.query(
    `UPDATE auth.deliveries SET due_at = now() - interval '4 days' WHERE subject_key = 'user:u1'`,
  );
  expect(await failUndeliverable(engines.database.sql, 3 * 86_400, 1_000)).toEqual({ total: 3, unasked: 1 });
  expect(
    await query(
      'SELECT receiver_id AS id, subject_key AS key, state, last_error AS error FROM auth.deliveries ORDER BY position',
    ),
  ).toEqual([
    { id: disabled.id, key: 'user:u1', state: 'dead', error: 'The receiver is disabled.' },
    { id: asking.id, key: 'user:u1', state: 'dead', error: 'Nobody asked for it.' },
    { id: disabled.id, key: 'user:u2', state: 'dead', error: 'The receiver is disabled.' },
    { id: asking.id, key: 'user:u2', state: 'pending', error: null },
    { id: well.id, key: 'user:u1', state: 'pending', error: null },
  ]);
});

test('Deliveries of a long-paused stream remain when it is resumed, and are given up when it is not polled then.', async () => {
  const { database } = engines;
  const stream = await engines.receiver('demo', ['user.updated'], { endpoint: null, status: 'paused' });
  await append('demo', 'u1');
  await query(`UPDATE auth.deliveries SET due_at = now() - interval '29 days'`);
  await updateReceiver(database.sql, 'demo', stream.id, { ...stream, status: 'enabled' });
  expect(await failUndeliverable(database.sql, 3 * 86_400, 1_000)).toEqual({ total: 0, unasked: 0 });
  // Messages older than the retention stay too while they can still be polled.
  await query(`UPDATE auth.deliveries SET due_at = now() - interval '31 days'`);
  expect(await pruneExpired(database.sql)).toBe(0);
  await query(`UPDATE auth.receivers SET resumed_at = now() - interval '4 days'`);
  expect(await failUndeliverable(database.sql, 3 * 86_400, 1_000)).toEqual({ total: 1, unasked: 1 });
});

test('The content of a fact is deleted also when two processes delete the last of its deliveries concurrently.', async () => {
  const { database } = engines;
  for (let n = 0; n < 2; n += 1) await engines.receiver('demo', ['user.updated']);
  await append('demo', 'u1');
  await query(`UPDATE auth.deliveries SET state = 'delivered', finished_at = now() - interval '8 days'`);
  const kept = { deliveredSeconds: 7 * 86_400, deadSeconds: 30 * 86_400 };
  // Each transaction deletes one delivery and does not see the deletion of the other one.
  await database.transaction(async (one) => {
    await pruneOutward(one, kept, 1);
    await database.transaction((another) => pruneOutward(another, kept, 1));
  });
  expect(await query('SELECT FROM auth.deliveries')).toHaveLength(0);
  expect(await query('SELECT FROM auth.facts')).toHaveLength(1);
  await query(`UPDATE auth.facts SET occurred_at = now() - interval '36 days'`);
  await pruneOutward(database.sql, kept, 1_000);
  expect(await query('SELECT FROM auth.facts')).toHaveLength(1);
  await query(`UPDATE auth.facts SET occurred_at = now() - interval '38 days'`);
  // A fact with a delivery stays.
  await append('demo', 'u2');
  await query(`UPDATE auth.facts SET occurred_at = now() - interval '38 days'`);
  await pruneOutward(database.sql, kept, 1_000);
  expect(await query('SELECT subject_id AS id FROM auth.facts')).toEqual([{ id: 'u2' }]);
});

test('The age metric includes deliverable messages only, excluding paused and polling receivers.', async () => {
  const { sql } = engines.database;
  const oldest = async () =>
    (await openDeliveries(sql)).map(({ total, oldestSeconds }) => [total, oldestSeconds > 3_000]);
  const paused = await engines.receiver('demo', ['user.updated'], { status: 'paused' });
  await engines.receiver('demo', ['user.updated'], { endpoint: null });
  await append('demo', 'u1');
  await query(`UPDATE auth.deliveries SET created_at = now() - interval '1 hour'`);
  expect(await oldest()).toEqual([[2, false]]);
  await query(`UPDATE auth.receivers SET status = 'enabled' WHERE id = '${paused.id}'`);
  expect(await oldest()).toEqual([[2, true]]);
  await query(`UPDATE auth.deliveries SET state = 'dead' WHERE receiver_id = '${paused.id}'`);
  expect(await deadDeliveries(sql)).toEqual([{ kind: 'webhook', state: 'dead', total: 1 }]);
});
