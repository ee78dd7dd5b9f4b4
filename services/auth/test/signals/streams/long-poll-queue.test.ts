import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { deliveryNotices } from '../../../src/signals/data/maintenance.ts';
import { pollStore, waitingDeliveries } from '../../../src/signals/data/signal-polls.ts';
import { streamStore } from '../../../src/signals/data/signal-streams.ts';
import type { Receiver } from '../../../src/signals/domain/delivery.ts';
import { SignalPolls } from '../../../src/signals/domain/polls.ts';
import type { Transmission } from '../../../src/signals/domain/transmission.ts';
import { double } from '../../support/double.ts';
import { type Engines, startEngines } from '../deliveries/engine.ts';

let engines: Engines;
beforeAll(async () => {
  engines = await startEngines({ poolSize: 4 });
});
afterAll(() => engines.stop());

const many = 10_000;

/** Creates a stream of this client with many unfetched events about one user. */
async function fullStream(clientId: string): Promise<Receiver> {
  const { sql } = engines.database;
  const stream = await engines.receiver('demo', ['user.updated'], { kind: 'ssf', endpoint: null });
  // The test needs no client: drops the foreign key instead of creating one.
  await sql.query('ALTER TABLE auth.receivers DROP CONSTRAINT IF EXISTS receivers_tenant_client_id_fkey');
  await sql.query('UPDATE auth.receivers SET client_id = $2 WHERE id = $1', [stream.id, clientId]);
  await sql.query(
    `INSERT INTO auth.deliveries (tenant, id, receiver_kind, receiver_id, subject_key, payload)
     SELECT 'demo', gen_random_uuid(), 'ssf', $1, 'user:flood', '{}' FROM generate_series(1, ${many})`,
    [stream.id],
  );
  return stream;
}

const request = { maxEvents: 10, returnImmediately: false, ack: [], errors: [] };

test('A query of a long queue about one user reads no row twice, and if limited to available events only those.', async () => {
  const { sql } = engines.database;
  const stream = await fullStream('app');
  /** Returns the number of blocks that a query reads. */
  const blocks = async (all: boolean): Promise<number> => {
    let plan: Record<string, number> = {};
    const explaining = {
      query: async (text: string, values: unknown[]) => {
        const { rows } = await sql.query<{ 'QUERY PLAN': { Plan: Record<string, number> }[] }>(
          `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${text}`,
          values,
        );
        plan = rows[0]?.['QUERY PLAN'][0]?.Plan ?? {};
        return { rows: [], rowCount: 0 };
      },
    };
    await waitingDeliveries(explaining as never, stream, { all, limit: 11 });
    return (plan['Shared Hit Blocks'] ?? 0) + (plan['Shared Read Blocks'] ?? 0);
  };
  expect(await blocks(true)).toBeLessThan(200);
  expect(await blocks(false)).toBeLessThan(200);
  // One delivery in the middle is leased: those before it are returned, those after it are not.
  await sql.query(
    `UPDATE auth.deliveries SET leased_until = now() + interval '1 hour' WHERE position IN (
       SELECT position FROM auth.deliveries WHERE receiver_id = $1 ORDER BY position OFFSET 5 LIMIT 1)`,
    [stream.id],
  );
  expect(await waitingDeliveries(sql, stream, { all: false, limit: 11 })).toHaveLength(5);
  expect(await waitingDeliveries(sql, stream, { all: true, limit: 11 })).toHaveLength(11);
  expect(await blocks(false)).toBeLessThan(3 * many);
});

test('Ten requests for one stream leave the database to other requests.', async () => {
  const { database } = engines;
  const { id } = await fullStream('app');
  let open = 0;
  let most = 0;
  const polls = new SignalPolls({
    database: {
      ...database,
      transaction: (async (work: Parameters<typeof database.transaction>[0]) => {
        open += 1;
        most = Math.max(most, open);
        return database.transaction(work).finally(() => {
          open -= 1;
        });
      }) as typeof database.transaction,
    },
    notices: deliveryNotices(database),
    streams: streamStore,
    polls: pollStore,
    transmission: double<Transmission>({ tokenOf: async () => 'a token' }),
    times: { waitMs: 1_000, lookMs: 50, restMs: 5 },
  });
  const asking = { gone: new AbortController().signal, stillAdmitted: () => undefined };
  for (const owner of [
    { tenant: 'rival', clientId: 'app' },
    { tenant: 'demo', clientId: 'another' },
  ]) {
    expect(await polls.poll(owner, id, request, asking)).toBeUndefined();
  }
  const answers = Array.from({ length: 10 }, () =>
    polls.poll({ tenant: 'demo', clientId: 'app' }, id, request, asking),
  );
  await sleep(20);
  await database.sql.query('SELECT 1');
  const got = (await Promise.all(answers)).map((answer) => Object.keys(answer?.sets ?? {}).length);
  // Of the four connections, three stay free.
  expect(most).toBe(1);
  // The first request gets the events; the others wait for later ones.
  expect(got.filter((count) => count > 0)).toHaveLength(1);
  polls.release();
});
