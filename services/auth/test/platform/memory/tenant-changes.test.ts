import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createDatabase, type Database, type Sql } from '@ostiary/database';
import { createTestDatabase, statementsDuring } from '@ostiary/database/testing';
import { createKit } from '@ostiary/service';
import { eventually } from '@ostiary/service/testing';
import { HeardTenantChanges, pruneTenantChanges } from '../../../src/platform/memory/tenant-changes.data.ts';
import { migrations } from '../../support/running-auth.ts';

let database: Database<object>;
let drop: () => Promise<void>;

beforeAll(async () => {
  const made = await createTestDatabase({ schema: 'auth', directory: migrations });
  drop = made.drop;
  const { log } = createKit({ name: 'test', logLevel: 'silent' });
  database = createDatabase({ url: made.url, schema: 'auth', log, prisma: () => ({}) });
});
afterAll(async () => {
  await database?.close();
  await drop?.();
});

const run = (text: string, sql: Sql = database.sql) => sql.query(text);

/** Returns a process that has read all changes. */
async function listening(): Promise<HeardTenantChanges> {
  const changes = new HeardTenantChanges({ sql: database.sql, clock: () => performance.now() });
  await catchUp(changes);
  return changes;
}

/**
 * Waits until no open transaction, also of another database, is older than the last change. With one, a process reads
 * that change again; if the change is pruned by then, every tenant counts as changed.
 */
async function catchUp(changes: HeardTenantChanges): Promise<void> {
  await run(`INSERT INTO auth.tenants (id, name, status) VALUES ('other', 'Other', 'active')
             ON CONFLICT (id) DO UPDATE SET name = excluded.name`);
  const isOldest = `SELECT coalesce(pg_snapshot_xmin(pg_current_snapshot())::text::bigint > max(xid), true) AS settled
                      FROM auth.tenant_changes WHERE xid < pg_snapshot_xmax(pg_current_snapshot())::text::bigint`;
  await eventually(async () => !!(await database.sql.query<{ settled: boolean }>(isOldest)).rows[0]?.settled);
  let position: number;
  do {
    ({ position } = changes);
    await changes.hear();
  } while (changes.hasChanged('nobody', position));
}

/** Returns the tenants of which a process reads a change caused by the work. */
async function heardOf(
  work: () => Promise<unknown>,
  tenants = ['demo', 'rival'],
  changes?: HeardTenantChanges,
): Promise<string[]> {
  const heard = changes ?? (await listening());
  const { position } = heard;
  await work();
  await heard.hear();
  return tenants.filter((tenant) => heard.hasChanged(tenant, position));
}

const client = (tenant: string, id: string) =>
  `INSERT INTO auth.clients (tenant, client_id, name, type, token_endpoint_auth_method)
   VALUES ('${tenant}', '${id}', 'c', 'confidential', 'client_secret_basic')`;
const secret = (tenant: string, id: string) =>
  `INSERT INTO auth.client_secrets (tenant, id, client_id, digest) VALUES ('${tenant}', gen_random_uuid(), '${id}', '\\x00')`;
const key = (tenant: string, kid: string) =>
  `INSERT INTO auth.signing_keys (tenant, kid, alg, state, public_jwk, private_jwk)
   VALUES ('${tenant}', '${kid}', 'ES256', 'current', '{}', '\\x00')`;

test.each([
  `INSERT INTO auth.tenants (id, name, status) VALUES ('demo', 'Demo', 'active')`,
  `INSERT INTO auth.tenants (id, name, status) VALUES ('demo', 'Demo', 'active') ON CONFLICT (id) DO UPDATE SET policy = '{"webOrigins":[]}'`,
  `UPDATE auth.tenants SET status = 'suspended' WHERE id = 'demo'`,
  `INSERT INTO auth.tenant_branding (tenant, name) VALUES ('demo', 'Demo')`,
  `UPDATE auth.tenant_branding SET name = 'Other' WHERE tenant = 'demo'`,
  `DELETE FROM auth.tenant_branding WHERE tenant = 'demo'`,
  `INSERT INTO auth.client_document_policies (tenant, hosts) VALUES ('demo', '{}')`,
  `UPDATE auth.client_document_policies SET hosts = '{*}' WHERE tenant = 'demo'`,
  `DELETE FROM auth.client_document_policies WHERE tenant = 'demo'`,
  client('demo', 'app'),
  `UPDATE auth.clients SET disabled_at = now() WHERE tenant = 'demo'`,
  secret('demo', 'app'),
  `UPDATE auth.client_secrets SET expires_at = now() WHERE tenant = 'demo'`,
  `DELETE FROM auth.client_secrets WHERE tenant = 'demo'`,
  `DELETE FROM auth.clients WHERE tenant = 'demo'`,
  key('demo', 'one'),
  `UPDATE auth.signing_keys SET state = 'retired' WHERE tenant = 'demo'`,
  `DELETE FROM auth.signing_keys WHERE tenant = 'demo'`,
  `DELETE FROM auth.tenants WHERE id = 'demo'`,
])('Another process reads a change in one tenant and none in its rival: %s.', async (statement) => {
  expect(await heardOf(() => run(statement))).toEqual(['demo']);
});

test('Rows that move to another tenant are a change of both, rows of many tenants of each, and a truncated table of all.', async () => {
  await run(key('demo', 'moved'));
  expect(
    await heardOf(() => run(`UPDATE auth.signing_keys SET tenant = 'rival' WHERE kid = 'moved'`)),
  ).toEqual(['demo', 'rival']);
  for (const tenant of ['demo', 'rival']) await run(client(tenant, 'shared'));
  expect(await heardOf(() => run(`UPDATE auth.clients SET name = 'd' WHERE client_id = 'shared'`))).toEqual([
    'demo',
    'rival',
  ]);
  expect(await heardOf(() => run('TRUNCATE auth.signing_keys'))).toEqual(['demo', 'rival']);
});

test('A change is recorded also while ordinary triggers are disabled, as during a restore or replication.', async () => {
  const withoutTriggers = () =>
    database.transaction(async (tx) => {
      await run('SET LOCAL session_replication_role = replica', tx);
      await run(`UPDATE auth.clients SET name = 'r' WHERE tenant = 'demo'`, tx);
    });
  expect(await heardOf(withoutTriggers)).toEqual(['demo']);
});

test('A change that began before others and is committed after them is read once, after its commit.', async () => {
  const changes = await listening();
  const [begun, committed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const slow = database.transaction(async (tx) => {
    await run(`UPDATE auth.clients SET name = 'slow' WHERE tenant = 'demo'`, tx);
    begun.resolve();
    await committed.promise;
  });
  await begun.promise;
  const quick = () => run(`UPDATE auth.clients SET name = 'quick' WHERE tenant = 'rival'`);
  expect(await heardOf(quick, undefined, changes)).toEqual(['rival']);
  // Read again, because the oldest open transaction is older, but known already.
  expect(await heardOf(async () => undefined, undefined, changes)).toEqual([]);
  const { position } = changes;
  committed.resolve();
  await slow;
  await changes.hear();
  expect([changes.hasChanged('demo', position), changes.hasChanged('rival', position)]).toEqual([
    true,
    false,
  ]);
});

test('A change that was rolled back is not read.', async () => {
  const undone = () =>
    database.transaction(async (tx) => {
      await run(`UPDATE auth.clients SET name = 'undone'`, tx);
      throw new Error('undone');
    });
  expect(await heardOf(() => undone().catch(() => undefined))).toEqual([]);
});

test('With more changes than the maximum, every tenant counts as changed.', async () => {
  const many = (count: number) => () =>
    run(
      `INSERT INTO auth.tenants (id, name, status) SELECT 'many-${count}-' || n, 'n', 'active' FROM generate_series(1, ${count}) n`,
    );
  expect(await heardOf(many(900))).toEqual([]);
  expect(await heardOf(many(1_001))).toEqual(['demo', 'rival']);
});

test('Pruned changes make every tenant changed for a process that had not read them, and not for one that had.', async () => {
  const behind = await listening();
  for (const name of ['a', 'b', 'c'])
    await run(`UPDATE auth.clients SET name = '${name}' WHERE tenant = 'demo'`);
  const current = await listening();
  await run(`UPDATE auth.tenant_changes SET changed_at = changed_at - interval '2 hours'`);
  const pruned = () => pruneTenantChanges(database.sql, 10_000);
  expect(await heardOf(pruned, ['rival'], current)).toEqual([]);
  expect(await heardOf(async () => undefined, ['rival'], behind)).toEqual(['rival']);
  // From now on it reads changes like the other processes.
  await run(`UPDATE auth.clients SET name = 'd' WHERE tenant = 'demo'`);
  await catchUp(behind);
  expect(
    await heardOf(() => run(`UPDATE auth.clients SET name = 'e' WHERE tenant = 'demo'`), undefined, behind),
  ).toEqual(['demo']);
  expect(await pruneTenantChanges(database.sql, 10_000)).toBe(0);
});

test('Changes are pruned from the oldest on, also by simultaneous runs, so that no gap is in the middle.', async () => {
  for (let n = 0; n < 40; n += 1) await run(`UPDATE auth.clients SET name = '${n}' WHERE tenant = 'demo'`);
  await run(`UPDATE auth.tenant_changes SET changed_at = changed_at - interval '2 hours'`);
  const all = await run('SELECT xid::text FROM auth.tenant_changes ORDER BY xid');
  await Promise.all(Array.from({ length: 4 }, () => pruneTenantChanges(database.sql, 5)));
  const left = await run('SELECT xid::text FROM auth.tenant_changes ORDER BY xid');
  expect(left.rows).toEqual(all.rows.slice(-left.rows.length));
  expect(left.rows.length).toBeLessThan(all.rows.length);
  await pruneTenantChanges(database.sql, 10_000);
});

test('Changes from a dump of a server with higher transaction ids hide nothing and are pruned.', async () => {
  await run(`INSERT INTO auth.tenant_changes (xid, tenant) VALUES (9000000000000, 'elsewhere')`);
  const changes = await listening();
  const change = () => run(`UPDATE auth.clients SET name = 'after' WHERE tenant = 'demo'`);
  expect(await heardOf(change, ['demo', 'rival', 'elsewhere'], changes)).toEqual(['demo']);
  expect(await pruneTenantChanges(database.sql, 10_000)).toBe(1);
  expect(await heardOf(change, ['demo', 'rival'], changes)).toEqual(['demo']);
});

test('After the table was created again, as by a restore, or truncated, every tenant counts as changed.', async () => {
  const anew = async () => {
    await run('CREATE TABLE auth.made_anew (LIKE auth.tenant_changes INCLUDING ALL)');
    await run('INSERT INTO auth.made_anew SELECT * FROM auth.tenant_changes');
    await run('DROP TABLE auth.tenant_changes');
    await run('ALTER TABLE auth.made_anew RENAME TO tenant_changes');
  };
  expect(await heardOf(anew)).toEqual(['demo', 'rival']);
  const emptied = await listening();
  await run('DELETE FROM auth.tenant_changes');
  for (let time = 0; time < 2; time += 1)
    expect(await heardOf(async () => undefined, ['rival'], emptied)).toEqual(['rival']);
  // Pruning inserts the first row again.
  await pruneTenantChanges(database.sql, 10_000);
  await emptied.hear();
  await catchUp(emptied);
  expect(await heardOf(async () => undefined, ['rival'], emptied)).toEqual([]);
});

test('Simultaneous callers share a query, and later ones start another if it is slow.', async () => {
  const changes = await listening();
  const together = await statementsDuring(
    () => Promise.all(Array.from({ length: 50 }, () => changes.hear())),
    () => true,
  );
  expect(together).toHaveLength(1);
  const { position } = changes;
  let late: Promise<void>[] = [];
  await database.transaction(async (tx) => {
    await run('LOCK TABLE auth.tenant_changes IN ACCESS EXCLUSIVE MODE', tx);
    late = [changes.hear()];
    await new Promise((resolve) => setTimeout(resolve, 150));
    late.push(changes.hear(), changes.hear());
    await run(`UPDATE auth.clients SET name = 'locked' WHERE tenant = 'demo'`, tx);
  });
  await Promise.all(late);
  expect(late[1]).not.toBe(late[0]);
  expect(late[2]).toBe(late[1]);
  expect([changes.hasChanged('demo', position), changes.hasChanged('rival', position)]).toEqual([
    true,
    false,
  ]);
});

test('A failed read makes nothing fresher.', async () => {
  const changes = await listening();
  const { heardAt } = changes;
  await run('ALTER TABLE auth.tenant_changes RENAME TO elsewhere');
  await expect(changes.hear()).rejects.toThrow();
  await run('ALTER TABLE auth.elsewhere RENAME TO tenant_changes');
  expect(changes.heardAt).toBe(heardAt);
  await changes.hear();
  expect(changes.heardAt).toBeGreaterThan(heardAt);
});
