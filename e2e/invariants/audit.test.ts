import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '@ostiary/service/testing';
import type pg from 'pg';
import { unique } from '../support/demo.ts';
import { type OwnSystem, ownSystem } from '../support/own-system.ts';
import type { ScimClient } from '../support/scim.ts';
import { audit, auditAs } from './audit.ts';
import { type Audited, makeAudited, quick } from './audited.ts';

let own: OwnSystem;
let db: pg.Client;
let scim: ScimClient;
let people: Audited['people'];
const quickly = ['--settle-seconds', '0', '--waiting-seconds', '120', '--batch', '3'];

beforeAll(async () => {
  own = await ownSystem({ fresh: true });
  ({ db, scim, people } = await makeAudited(own));
});

afterAll(async () => {
  await db?.end();
  await own?.stop();
});

/** Runs a statement and returns the flaws that the audit then finds. The second statement restores the state. */
async function after(
  breaking: readonly [string, ...unknown[]],
  mending: readonly [string, ...unknown[]],
): Promise<Record<string, string[]>> {
  const [breakIt, ...values] = breaking;
  expect((await db.query(breakIt, values)).rowCount).toBeGreaterThan(0);
  try {
    const { ok, checks } = await audit(own.system.databaseUrl, quick);
    expect(ok).toBe(false);
    return Object.fromEntries(
      checks
        .filter(({ flaws }) => flaws > 0)
        .map(({ name, examples }) => [name, examples.map(({ id }) => id)]),
    );
  } finally {
    const [mend, ...given] = mending;
    await db.query(mend, given);
  }
}

describe('the audit of the invariants', () => {
  test('The audit finds nothing wrong with a working system and examines all of it.', async () => {
    const report = await audit(own.system.databaseUrl, quick);
    expect(report.checks.filter(({ flaws }) => flaws > 0)).toEqual([]);
    const looked = Object.fromEntries(report.checks.map(({ name, looked }) => [name, looked]));
    const { rows } = await db.query('SELECT count(*)::int AS count FROM directory.users');
    expect(looked.users).toBe(rows[0].count);
    expect(looked.sessions).toBeGreaterThanOrEqual(3);
    expect(looked['offboardings in the revocation feed']).toBeGreaterThanOrEqual(2);
  });

  test('The audit finds a live session, grant or personal access token of a user who has left.', async () => {
    for (const [table, name] of [
      ['sessions', 'sessions'],
      ['grants', 'grants'],
    ]) {
      const where = `WHERE subject_id = $1`;
      const found = await after(
        [
          `UPDATE auth.${table} SET revoked_at = NULL, expires_at = now() + interval '1 hour'${table === 'grants' ? ', subject_epoch = 1' : ''} ${where}`,
          people.left,
        ],
        [`UPDATE auth.${table} SET revoked_at = now() ${where}`, people.left],
      );
      expect(Object.keys(found)).toEqual([name]);
    }
    const found = await after(
      [
        `INSERT INTO auth.api_tokens (tenant, id, subject_id, name, digest, hint, owner_epoch, expires_at)
         VALUES ('demo', gen_random_uuid(), $1, 'x', 'x', 'x', 1, now() + interval '1 day')`,
        people.left,
      ],
      ['DELETE FROM auth.api_tokens WHERE subject_id = $1', people.left],
    );
    expect(Object.keys(found)).toEqual(['personal access tokens']);
  });

  test('The audit finds an earlier session, grant, personal access token or invitation that a return revives or would revive.', async () => {
    const inAnHour = `now() + interval '1 hour'`;
    const { rows } = await db.query<{ id: string }>(
      'SELECT id FROM auth.sessions WHERE subject_id = $1 AND revoked_at IS NOT NULL',
      [people.back],
    );
    expect(rows).toHaveLength(1);
    for (const [table, which] of [
      ['sessions', `id = '${rows[0]?.id}' AND subject_id = $1`],
      ['grants', 'subject_id = $1 AND subject_epoch = 0'],
    ]) {
      const found = await after(
        [`UPDATE auth.${table} SET revoked_at = NULL, expires_at = ${inAnHour} WHERE ${which}`, people.back],
        [`UPDATE auth.${table} SET revoked_at = now() WHERE ${which}`, people.back],
      );
      expect(Object.keys(found)).toEqual([table]);
    }
    const token = await after(
      [
        `INSERT INTO auth.api_tokens (tenant, id, subject_id, name, digest, hint, owner_epoch, expires_at)
         VALUES ('demo', gen_random_uuid(), $1, 'x', 'x', 'x', 0, ${inAnHour})`,
        people.back,
      ],
      ['DELETE FROM auth.api_tokens WHERE subject_id = $1', people.back],
    );
    expect(Object.keys(token)).toEqual(['personal access tokens']);
    const invite = `INSERT INTO auth.invitations (tenant, id, subject_id, subject_epoch, digest, expires_at)
       VALUES ('demo', gen_random_uuid(), $1, $2, 'x', ${inAnHour})`;
    const uninvite = 'DELETE FROM auth.invitations WHERE subject_id = $1';
    const invitation = await after([invite, people.left, 1], [uninvite, people.left]);
    expect(Object.keys(invitation)).toEqual(['invitations']);
    // An invitation from before the offboarding is invalid and waits for the cleanup.
    await db.query(invite, [people.left, 0]);
    expect((await audit(own.system.databaseUrl, quick)).ok).toBe(true);
    await db.query(uninvite, [people.left]);
  });

  test('The audit finds a user who has left but is active in auth, and the other way round.', async () => {
    for (const [id, active] of [
      [people.left, true],
      [people.stays, false],
    ]) {
      const found = await after(
        ['UPDATE auth.subjects SET active = $2 WHERE id = $1', id, active],
        ['UPDATE auth.subjects SET active = NOT $2 WHERE id = $1', id, active],
      );
      expect(found.users).toEqual([id]);
    }
  });

  test('The audit finds a user who has the name of another and a user who is not found by their own name.', async () => {
    const twin = await after(
      [`UPDATE directory.users SET user_name_twin = id::text WHERE id = $1`, people.stays],
      [`UPDATE directory.users SET user_name_twin = '' WHERE id = $1`, people.stays],
    );
    expect(twin).toEqual({ 'duplicate user names': [people.stays] });
    // A missing key is a flaw only after the job that creates keys had time to run.
    const keyed = await after(
      [
        `UPDATE directory.users SET user_name_keyed = 'somebody', updated_at = updated_at - interval '10 minutes' WHERE id = $1`,
        people.stays,
      ],
      [
        `UPDATE directory.users SET user_name_keyed = NULL, updated_at = updated_at + interval '10 minutes' WHERE id = $1`,
        people.stays,
      ],
    );
    expect(keyed).toEqual({ 'keys of user names': [people.stays] });
  });

  test('The audit finds a deleted user who still exists in auth or has left a password.', async () => {
    const alive = await after(
      ['UPDATE auth.subjects SET deleted = false WHERE id = $1', people.deleted],
      ['UPDATE auth.subjects SET deleted = true WHERE id = $1', people.deleted],
    );
    expect(alive).toEqual({ 'deleted users': [people.deleted] });
    const leftover = await after(
      [
        `INSERT INTO auth.credentials (tenant, ticket, subject_id, hash, activated_at)
         VALUES ('demo', gen_random_uuid(), $1, 'x', now())`,
        people.deleted,
      ],
      ['DELETE FROM auth.credentials WHERE subject_id = $1', people.deleted],
    );
    expect(leftover).toEqual({ leftovers: [people.deleted] });
  });

  test('The audit finds a departure that is in the feed twice or not at all, and one without a cause.', async () => {
    const twice = await after(
      [
        `INSERT INTO auth.revocations (tenant, kind, key, epoch, expires_at)
         SELECT tenant, kind, key, epoch, expires_at FROM auth.revocations WHERE key = $1`,
        people.left,
      ],
      [
        'DELETE FROM auth.revocations WHERE key = $1 AND seq > (SELECT min(seq) FROM auth.revocations WHERE key = $1)',
        people.left,
      ],
    );
    expect(twice).toEqual({ 'offboardings in the revocation feed': [people.left] });
    for (const difference of [1, -1]) {
      const found = await after(
        ['UPDATE auth.subjects SET epoch = epoch + $2 WHERE id = $1', people.left, difference],
        ['UPDATE auth.subjects SET epoch = epoch - $2 WHERE id = $1', people.left, difference],
      );
      expect(found['offboardings in the revocation feed']).toEqual([people.left]);
    }
  });

  test('The audit finds a grant from a session of another user and a refresh token of another client.', async () => {
    const { rows } = await db.query<{ id: string; session_id: string }>(
      'SELECT id, session_id FROM auth.grants WHERE subject_id = $1 AND session_id IS NOT NULL',
      [people.stays],
    );
    const [grant] = rows;
    const mixed = await after(
      [
        'UPDATE auth.grants SET session_id = (SELECT id FROM auth.sessions WHERE subject_id = $2 LIMIT 1) WHERE id = $1',
        grant?.id,
        people.left,
      ],
      ['UPDATE auth.grants SET session_id = $2 WHERE id = $1', grant?.id, grant?.session_id],
    );
    expect(mixed).toEqual({ 'grants and sessions': [grant?.id] });
    const family = await after(
      [`UPDATE auth.refresh_families SET client_id = client_id || '-x' WHERE grant_id = $1`, grant?.id],
      [
        `UPDATE auth.refresh_families SET client_id = replace(client_id, '-x', '') WHERE grant_id = $1`,
        grant?.id,
      ],
    );
    expect(Object.keys(family)).toEqual(['refresh tokens and grants']);
    const delegation = await after(
      [
        `INSERT INTO auth.delegations (tenant, id, grant_id, client_id, subject_id)
         VALUES ('demo', gen_random_uuid(), $1, 'agent', $2)`,
        grant?.id,
        people.left,
      ],
      [`DELETE FROM auth.delegations WHERE client_id = 'agent'`],
    );
    expect(Object.keys(delegation)).toEqual(['delegations']);
  });

  test('The audit finds an event that never arrived, one that is stuck and one without an entry in the log.', async () => {
    const { rows } = await db.query<{ id: string }>(
      `SELECT id FROM directory.outbox_events WHERE subject = $1 ORDER BY id LIMIT 1`,
      [people.stays],
    );
    const id = rows[0]?.id;
    // An event that its consumer lacks is retried until its delivery is confirmed.
    await eventually(
      async () =>
        (await db.query('SELECT FROM directory.outbox_deliveries WHERE event_id = $1', [id])).rowCount,
      (left) => left === 0,
    );
    for (const service of ['auth', 'provisioning']) {
      const lost = await after(
        [`DELETE FROM ${service}.inbox_entries WHERE event_id = $1`, id],
        [`INSERT INTO ${service}.inbox_entries (event_id, consumer) VALUES ($1, $2)`, id, service],
      );
      expect(lost).toEqual({ events: [id] });
    }
    const stuck = await after(
      [`INSERT INTO directory.outbox_deliveries (event_id, consumer) VALUES ($1, 'nobody')`, id],
      [`DELETE FROM directory.outbox_deliveries WHERE consumer = 'nobody'`],
    ).catch(() => undefined);
    // A waiting event is a flaw only after the normal delay.
    expect(stuck).toBeUndefined();
    await db.query(
      `UPDATE directory.outbox_events SET occurred_at = now() - interval '5 minutes' WHERE id = $1`,
      [id],
    );
    const late = await after(
      [`INSERT INTO directory.outbox_deliveries (event_id, consumer) VALUES ($1, 'nobody')`, id],
      [`DELETE FROM directory.outbox_deliveries WHERE consumer = 'nobody'`],
    );
    expect(late).toEqual({ 'pending event deliveries': [id] });
    const unlogged = await after(
      ['UPDATE directory.audit_log SET resource_version = 99 WHERE resource_id = $1', people.stays],
      ['UPDATE directory.audit_log SET resource_version = 1 WHERE resource_id = $1', people.stays],
    );
    expect(unlogged).toEqual({ 'changes and their events': [people.stays] });
  });

  test('The audit finds an externalId that is wrong in provisioning and a tenant suspended in the directory only.', async () => {
    const external = await after(
      [
        `UPDATE provisioning.resource_links SET external_id = external_id || '-x' WHERE resource_id = $1`,
        people.stays,
      ],
      [
        `UPDATE provisioning.resource_links SET external_id = replace(external_id, '-x', '') WHERE resource_id = $1`,
        people.stays,
      ],
    );
    expect(external).toEqual({ externalIds: [people.stays] });
    const tenant = await after(
      [`UPDATE directory.tenants SET status = 'suspended' WHERE id = 'rival'`],
      [`UPDATE directory.tenants SET status = 'active' WHERE id = 'rival'`],
    );
    // Both services with the other status report it.
    expect(tenant).toEqual({ tenants: ['rival', 'rival'] });
  });

  test('The audit finds a live token of an identity source that was deleted.', async () => {
    const set = (status: string) =>
      [`UPDATE provisioning.connectors SET status = $1 WHERE tenant = 'demo'`, status] as const;
    expect(Object.keys(await after(set('deleted'), set('active')))).toEqual(['tokens of deleted connectors']);
  });

  test('The audit finds a departure of which a receiver is notified never or twice.', async () => {
    const taken = `CREATE TABLE public.taken AS SELECT * FROM auth.deliveries WHERE subject_key = 'user:' || '${people.left}'`;
    await db.query(taken);
    const back = 'INSERT INTO auth.deliveries SELECT * FROM public.taken';
    try {
      const unnotified = await after(
        [`DELETE FROM auth.deliveries WHERE subject_key = 'user:' || $1`, people.left],
        [back],
      );
      expect(Object.keys(unnotified)).toEqual([
        'facts and their deliveries',
        'offboardings and their deliveries',
      ]);
      expect(unnotified['offboardings and their deliveries']).toEqual(Array(3).fill(people.left));
      const twice = await after(
        [
          `INSERT INTO auth.deliveries (tenant, id, fact_id, receiver_kind, receiver_id, subject_key)
           SELECT tenant, gen_random_uuid(), fact_id, receiver_kind, receiver_id, subject_key FROM public.taken LIMIT 1`,
        ],
        [
          'DELETE FROM auth.deliveries WHERE id NOT IN (SELECT id FROM public.taken) AND subject_key = $1',
          `user:${people.left}`,
        ],
      );
      expect(Object.keys(twice)).toEqual(['offboardings and their deliveries', 'deliveries']);
    } finally {
      await db.query('DROP TABLE public.taken');
    }
  });

  test('The audit does not report an event in flight as a flaw.', async () => {
    const auditing = audit(own.system.databaseUrl, { settleMs: 2_000 });
    await Promise.all(
      Array.from({ length: 30 }, () =>
        scim.createUser({ userName: unique('meanwhile'), externalId: unique('x') }),
      ),
    );
    expect((await auditing).checks.filter(({ flaws }) => flaws > 0)).toEqual([]);
  });
});

describe('the audit as a program', () => {
  const env = () => ({ DATABASE_URL: own.system.databaseUrl });

  test('The program reports the examined data as text or JSON, and exits with 0.', async () => {
    const words = await auditAs(env(), quickly);
    expect(words).toMatchObject({ code: 0, errors: '' });
    expect(words.output).toMatch(
      /^ok {5}An offboarded user has no active session; a reactivated user has none from before the offboarding\. \(\d+ verified\)$/m,
    );
    expect(words.output).toMatch(/^All \d+ hold\. [\d.]+ s$/m);
    const json = await auditAs(env(), ['--json', ...quickly]);
    expect(JSON.parse(json.output)).toMatchObject({ ok: true, checks: expect.any(Array) });
  });

  test('The program exits with 1 when an invariant does not hold and names no user.', async () => {
    await db.query('UPDATE auth.subjects SET active = true WHERE id = $1', [people.left]);
    const { code, output } = await auditAs(env(), quickly);
    await db.query('UPDATE auth.subjects SET active = false WHERE id = $1', [people.left]);
    expect(code).toBe(1);
    expect(output).toContain(`demo ${people.left}: offboarded, in auth active`);
    expect(output).toMatch(/of \d+ do not hold/);
    expect(output).not.toContain('audited-');
  });

  test('The program exits with 2 when it cannot examine a database and does not show the password.', async () => {
    const url = new URL(own.system.databaseUrl);
    url.port = '1';
    const { code, errors, output } = await auditAs({ DATABASE_URL: url.href }, quickly);
    expect({ code, output }).toEqual({ code: 2, output: '' });
    expect(errors).toMatch(/could not be checked/);
    expect(errors).not.toContain(url.password);
    expect((await auditAs({ OSTIARY_HOME: '/nowhere' }, quickly)).errors).toMatch(/set DATABASE_URL/);
    expect((await auditAs(env(), ['--batch', 'many'])).code).toBe(2);
  });

  test('The program needs only the right to read, and each service may have a database of its own.', async () => {
    await db.query(`CREATE ROLE auditor LOGIN PASSWORD 'only reads'`);
    for (const schema of ['auth', 'directory', 'provisioning']) {
      await db.query(
        `GRANT USAGE ON SCHEMA ${schema} TO auditor; GRANT SELECT ON ALL TABLES IN SCHEMA ${schema} TO auditor`,
      );
    }
    const url = new URL(own.system.databaseUrl);
    url.username = 'auditor';
    url.password = 'only reads';
    const { code } = await auditAs(
      {
        DATABASE_URL_AUTH: url.href,
        DATABASE_URL_DIRECTORY: url.href,
        DATABASE_URL_PROVISIONING: url.href,
      },
      quickly,
    );
    expect(code).toBe(0);
  });
});
