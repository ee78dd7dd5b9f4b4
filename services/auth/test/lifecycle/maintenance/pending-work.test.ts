import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { lookForWork, type PendingWork } from '../../../src/maintenance.ts';
import { type Engines, startEngines } from '../../signals/deliveries/engine.ts';

let engines: Engines;
beforeAll(async () => {
  // One connection, so that the plan from the empty tables is the tested one.
  engines = await startEngines({ poolSize: 1 });
});
afterAll(() => engines.stop());

const delivery = (state: string, due: string): string =>
  `INSERT INTO auth.deliveries (tenant, id, receiver_kind, receiver_id, subject_key, state, due_at)
   VALUES ('demo', gen_random_uuid(), 'backchannel_logout', 'app', 'user:1', '${state}', now() ${due})`;

/**
 * Rows that a process leaves if it crashes after its commit and before the notification, and rows that are no work
 * (yet).
 */
const left: Record<PendingWork, { work: string[]; none?: string[]; undo: string }> = {
  pendingDeliveries: {
    work: [delivery('pending', '')],
    none: [delivery('delivered', ''), delivery('dead', '')],
    undo: 'DELETE FROM auth.deliveries',
  },
  overdueDeliveries: {
    work: [delivery('held', "- interval '1 second'")],
    none: [delivery('held', "+ interval '1 minute'")],
    undo: 'DELETE FROM auth.deliveries',
  },
  liveEvents: {
    work: [
      `INSERT INTO auth.live_events (id, tenant, type, subject) VALUES (gen_random_uuid(), 'demo', 'session.ended', 's')`,
    ],
    undo: 'DELETE FROM auth.live_events',
  },
  groupRoles: {
    work: [
      `INSERT INTO auth.membership_checks (id, tenant, everybody, member_ids) VALUES (gen_random_uuid(), 'demo', true, '{}')`,
      `INSERT INTO auth.privileged_groups (tenant, group_id, notified) VALUES ('demo', gen_random_uuid(), false)`,
    ],
    none: [
      `INSERT INTO auth.privileged_groups (tenant, group_id, notified) VALUES ('demo', gen_random_uuid(), true)`,
    ],
    undo: 'WITH checks AS (DELETE FROM auth.membership_checks) DELETE FROM auth.privileged_groups',
  },
  groupOwners: {
    work: [`INSERT INTO auth.owner_checks (tenant, id, actor) VALUES ('demo', gen_random_uuid(), '{}')`],
    undo: 'DELETE FROM auth.owner_checks',
  },
  secretEnds: {
    work: [
      `INSERT INTO auth.secret_ends (tenant, kind, secret_id, knower_id, knower_kind, reason, actor, ends_at)
       VALUES ('demo', 'client_secret', 's', gen_random_uuid(), 'user', 'departure', '{}', now() - interval '1 second')`,
    ],
    none: [
      `INSERT INTO auth.secret_ends (tenant, kind, secret_id, knower_id, knower_kind, reason, actor, ends_at)
       VALUES ('demo', 'client_secret', 's', gen_random_uuid(), 'user', 'departure', '{}', now() + interval '1 day')`,
    ],
    undo: 'DELETE FROM auth.secret_ends',
  },
  roleHolders: {
    work: [
      `INSERT INTO auth.role_holders (tenant, subject_id) VALUES ('demo', gen_random_uuid())`,
      `INSERT INTO auth.role_holders (tenant, subject_id, notified_at) VALUES ('demo', gen_random_uuid(), now() - interval '2 hours')`,
    ],
    none: [
      `INSERT INTO auth.role_holders (tenant, subject_id, notified_at) VALUES ('demo', gen_random_uuid(), now())`,
    ],
    undo: 'DELETE FROM auth.role_holders',
  },
};

const found = async (): Promise<string[]> =>
  Object.entries((await lookForWork(engines.database.sql)) ?? {})
    .filter(([, is]) => is)
    .map(([question]) => question);

test('Every kind of pending work has a case here, and a job that it wakes.', async () => {
  const questions = Object.keys((await lookForWork(engines.database.sql)) ?? {});
  expect(questions.sort()).toEqual(Object.keys(left).sort());
  const src = fileURLToPath(new URL('../../../src', import.meta.url));
  const jobs = globSync(`${src}/*/module.ts`)
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n');
  for (const question of questions)
    expect(jobs).toMatch(new RegExp(`(pending\\.on|whenNoted)\\('${question}'`));
});

test.each(Object.entries(left))(
  'Work without a notification is found: %s.',
  async (question, { work, none = [], undo }) => {
    const { sql } = engines.database;
    for (const text of none) await sql.query(text);
    expect(await found()).toEqual([]);
    for (const text of work) {
      await sql.query(text);
      expect(await found()).toEqual([question]);
      await sql.query(undo);
      expect(await found()).toEqual([]);
    }
  },
);

test('The check for work reads few rows, independent of the number of deliveries since its plan was made.', async () => {
  const { sql } = engines.database;
  for (let n = 0; n < 10; n += 1) await found();
  await sql.query(
    `INSERT INTO auth.deliveries (tenant, id, receiver_kind, receiver_id, subject_key, state, finished_at)
     SELECT 'demo', gen_random_uuid(), 'backchannel_logout', 'app', 'user:' || n, 'delivered', now() FROM generate_series(1, 20000) n`,
  );
  const before = await rowsRead();
  expect(await found()).toEqual([]);
  expect((await rowsRead()) - before).toBeLessThan(100);
  await sql.query('DELETE FROM auth.deliveries');
});

async function rowsRead(): Promise<number> {
  const { sql } = engines.database;
  await sql.query('SELECT pg_stat_force_next_flush()');
  const { rows } = await sql.query<{ read: number }>(
    `SELECT (SELECT sum(seq_tup_read) FROM pg_stat_user_tables WHERE schemaname = 'auth')::float8
          + (SELECT sum(idx_tup_read) FROM pg_stat_user_indexes WHERE schemaname = 'auth')::float8 AS read`,
  );
  return rows[0]?.read ?? Number.NaN;
}
