import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { noteCarriedOut, ownershipEndsToTell } from '../../../src/access/ownership/data/connector-owners.ts';
import {
  lockPrivilegedGroup,
  notePrivilegeNotified,
  untoldGroups,
} from '../../../src/access/roles/data/group-roles.ts';
import {
  noteHolderNotified,
  unnotifiedHolders,
} from '../../../src/access/roles/data/role-holders-notified.ts';
import { type Engines, startEngines } from '../../signals/deliveries/engine.ts';

/** Statements of 0.2.0, which runs beside this release during an upgrade, on `told_at` and `told`. */
const former = {
  unnotified: 'SELECT subject_id FROM auth.role_holders WHERE told_at IS NULL',
  noteNotified: 'UPDATE auth.role_holders SET told_at = now() WHERE tenant = $1 AND subject_id = $2',
  unnotifiedGroups: 'SELECT group_id FROM auth.privileged_groups WHERE told = false',
  lockGroup: `INSERT INTO auth.privileged_groups (tenant, group_id) VALUES ($1, $2)
              ON CONFLICT (tenant, group_id) DO UPDATE SET told = false`,
  noteGroupNotified: 'UPDATE auth.privileged_groups SET told = true WHERE tenant = $1 AND group_id = $2',
  endsToTell: 'SELECT owner_id FROM auth.ownership_ends WHERE told_at IS NULL',
  noteCarriedOut: `UPDATE auth.ownership_ends SET told_at = now(), connectors = 1
                    WHERE tenant = $1 AND owner_id = $2 AND told_at IS NULL`,
} as const;

let engines: Engines;
let id: string;
let sql: Engines['database']['sql'];

beforeAll(async () => {
  engines = await startEngines();
  sql = engines.database.sql;
});
afterAll(() => engines.stop());
beforeEach(() => {
  id = randomUUID();
});

const byFormer = async (name: keyof typeof former): Promise<number> =>
  (await sql.query(former[name], former[name].includes('$1') ? ['demo', id] : [])).rows.length;

async function differing(): Promise<number> {
  const { rows } = await sql.query<{ differing: number }>(
    `SELECT (SELECT count(*) FROM auth.role_holders WHERE told_at IS DISTINCT FROM notified_at)::int
          + (SELECT count(*) FROM auth.ownership_ends WHERE told_at IS DISTINCT FROM notified_at)::int
          + (SELECT count(*) FROM auth.privileged_groups WHERE told <> notified)::int AS differing`,
  );
  return rows[0]?.differing ?? Number.NaN;
}

const addSubject = () =>
  sql.query(
    `INSERT INTO auth.subjects (tenant, id, user_name, user_name_key, active, version)
     VALUES ('demo', $1::uuid, $1::uuid::text, $1::uuid::text, true, 1)`,
    [id],
  );
const changeRole = (role: string) =>
  sql.query(`INSERT INTO auth.role_assignments (tenant, subject_id, role) VALUES ('demo', $1, $2)`, [
    id,
    role,
  ]);

test('A role holder that 0.2.0 or this release has reported to the directory is reported for both, until the next change.', async () => {
  await addSubject();
  for (const [index, note] of [
    () => byFormer('noteNotified'),
    () => noteHolderNotified(sql, 'demo', id, true),
  ].entries()) {
    await changeRole(`role_${index}`);
    expect([await byFormer('unnotified'), (await unnotifiedHolders(sql, 10)).length]).toEqual([1, 1]);
    await note();
    expect([await byFormer('unnotified'), (await unnotifiedHolders(sql, 10)).length]).toEqual([0, 0]);
  }
  expect(await differing()).toBe(0);
});

test('A group that 0.2.0 or this release has locked or reported is so for both.', async () => {
  await lockPrivilegedGroup(sql, 'demo', id);
  await sql.query(`INSERT INTO auth.group_roles (tenant, group_id, role) VALUES ('demo', $1, 'auditor')`, [
    id,
  ]);
  const lock = [() => byFormer('lockGroup'), () => lockPrivilegedGroup(sql, 'demo', id)];
  const note = [() => byFormer('noteGroupNotified'), () => notePrivilegeNotified(sql, 'demo', id)];
  for (const locked of lock)
    for (const noted of note) {
      await locked();
      expect([await byFormer('unnotifiedGroups'), (await untoldGroups(sql, 10)).length]).toEqual([1, 1]);
      await noted();
      expect([await byFormer('unnotifiedGroups'), (await untoldGroups(sql, 10)).length]).toEqual([0, 0]);
    }
  expect(await differing()).toBe(0);
});

test('An end of ownership that provisioning reported to 0.2.0 or to this release is carried out for both.', async () => {
  const end = { tenant: 'demo', number: 1, connectors: 1 };
  const note = [() => byFormer('noteCarriedOut'), () => noteCarriedOut(sql, [{ ...end, ownerId: id }])];
  for (const carriedOut of note) {
    id = randomUUID();
    await sql.query(
      `INSERT INTO auth.ownership_ends (tenant, owner_id, number, owner_kind, reason, verdict, actor)
       VALUES ('demo', $1, 1, 'user', 'departure', 'revoke', '{}')`,
      [id],
    );
    expect([await byFormer('endsToTell'), (await ownershipEndsToTell(sql, 10)).length]).toEqual([1, 1]);
    await carriedOut();
    expect([await byFormer('endsToTell'), (await ownershipEndsToTell(sql, 10)).length]).toEqual([0, 0]);
  }
  expect(await differing()).toBe(0);
});

test('Concurrent writes of 0.2.0 and this release leave both columns equal.', async () => {
  await addSubject();
  await Promise.all(
    Array.from({ length: 20 }, async (_, index) => {
      await (index % 2 ? byFormer('noteNotified') : noteHolderNotified(sql, 'demo', id, true));
      await changeRole(`role_${index}`);
      await (index % 3 ? byFormer('lockGroup') : lockPrivilegedGroup(sql, 'demo', id));
      await (index % 2
        ? byFormer('noteGroupNotified')
        : sql.query(
            `UPDATE auth.privileged_groups SET notified = true WHERE tenant = 'demo' AND group_id = $1`,
            [id],
          ));
    }),
  );
  expect(await differing()).toBe(0);
});
