import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { eventually } from '@ostiary/service/testing';
import pg from 'pg';
import { migrate } from '../../src/index.ts';
import { createTestDatabase, type TestDatabase } from '../../src/testing.ts';
import { directory, schema } from '../support/fixture.ts';

let testDatabase: TestDatabase;
let admin: pg.Client;
let folder: string;

beforeEach(async () => {
  testDatabase = await createTestDatabase();
  admin = new pg.Client({ connectionString: testDatabase.url });
  await admin.connect();
  folder = await mkdtemp(join(tmpdir(), 'migrations-'));
  await cp(directory, folder, { recursive: true });
  await migrate({ url: testDatabase.url, schema, directory });
  await add('20261103000000_index', 'CREATE INDEX CONCURRENTLY "accounts_again" ON "accounts"("id");');
  await add('20261103000001_after', 'CREATE TABLE "after" (id int);');
});

afterEach(async () => {
  await admin.end();
  await testDatabase.drop();
  await rm(folder, { recursive: true });
});

async function add(name: string, sql: string): Promise<void> {
  await mkdir(join(folder, name), { recursive: true });
  await writeFile(join(folder, name, 'migration.sql'), sql);
}

const run = () => migrate({ url: testDatabase.url, schema, directory: folder });
const both = ['20261103000000_index', '20261103000001_after'];

/** Returns the index, if it exists, and whether it is valid. */
async function index(): Promise<{ oid: number; valid: boolean } | undefined> {
  const { rows } = await admin.query(
    `SELECT c.oid::int, i.indisvalid AS valid FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
     JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = 'bank' AND c.relname = 'accounts_again'`,
  );
  return rows[0];
}

/** Waits for the server process that builds the index. */
async function builder(): Promise<number> {
  return eventually(async () => {
    const { rows } = await admin.query(
      "SELECT pid FROM pg_stat_activity WHERE query LIKE 'CREATE INDEX CONCURRENTLY%' AND state = 'active' AND datname = current_database()",
    );
    return rows[0] && (await index()) ? (rows[0].pid as number) : 0;
  });
}

/** Starts a migration that waits while it builds the index, because of a transaction that `release` ends. */
async function stuckMigration(): Promise<{ child: ChildProcess; pid: number; release(): Promise<void> }> {
  const blocker = new pg.Client({ connectionString: testDatabase.url });
  await blocker.connect();
  await blocker.query('BEGIN; LOCK TABLE bank.accounts IN ROW EXCLUSIVE MODE');
  const options = JSON.stringify({ url: testDatabase.url, schema, directory: folder });
  const child = spawn(
    process.execPath,
    ['--input-type=module', '-e', `import { migrate } from '@ostiary/database'; await migrate(${options});`],
    { stdio: 'ignore', cwd: import.meta.dirname },
  );
  return { child, pid: await builder(), release: () => blocker.end() };
}

async function kill(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL');
  await once(child, 'exit');
}

describe('an interrupted concurrent index build', () => {
  test('An index whose migration and connection were killed is removed and built again by the next run, which continues.', async () => {
    const { child, pid, release } = await stuckMigration();
    await kill(child);
    await admin.query('SELECT pg_terminate_backend($1)', [pid]);
    await release();
    await eventually(
      async () => !(await admin.query('SELECT 1 FROM pg_stat_activity WHERE pid = $1', [pid])).rowCount,
    );
    const left = await index();
    expect(left?.valid).toBe(false);

    expect((await run()).applied).toEqual(both);
    expect(await index()).toEqual({ oid: expect.any(Number), valid: true });
    expect((await index())?.oid).not.toBe(left?.oid);
    expect((await run()).applied).toEqual([]);
  });

  test('An index that PostgreSQL finished after its migration was killed is awaited, kept and recorded by the next run.', async () => {
    const { child, release } = await stuckMigration();
    await kill(child);
    const begun = await index();
    const next = run();
    await sleep(300);
    await release();
    expect((await next).applied).toEqual(both);
    expect(await index()).toEqual({ oid: begun?.oid, valid: true });
    expect((await run()).applied).toEqual([]);
  });

  test('An index that cannot be built reports the reason each time, and is built once the cause is removed.', async () => {
    await admin.query('CREATE TABLE bank.twins (name text)');
    await admin.query("INSERT INTO bank.twins VALUES ('a'), ('a')");
    await add(
      '20261103000000_index',
      '-- Names are unique from now on; built concurrently.\nCREATE UNIQUE INDEX CONCURRENTLY "accounts_again" ON "twins"("name");',
    );
    for (const _ of [1, 2]) {
      await expect(run()).rejects.toThrow(
        'Migration 20261103000000_index of "bank" failed: could not create unique index "accounts_again" (SQLSTATE 23505).',
      );
      expect((await index())?.valid).toBe(false);
    }
    await admin.query('DELETE FROM bank.twins');
    expect((await run()).applied).toEqual(both);
    expect((await index())?.valid).toBe(true);
  });

  test('A partial index whose row was deleted manually does not stop the next run.', async () => {
    const { child, pid, release } = await stuckMigration();
    await kill(child);
    await admin.query('SELECT pg_terminate_backend($1)', [pid]);
    await release();
    await admin.query('UPDATE bank._prisma_migrations SET rolled_back_at = now() WHERE finished_at IS NULL');
    expect((await run()).applied).toEqual(both);
    expect((await index())?.valid).toBe(true);
  });

  test('An index that was partly dropped is dropped by the next run.', async () => {
    await run();
    await add('20261104000000_drop', 'DROP INDEX CONCURRENTLY IF EXISTS "accounts_again";');
    await admin.query(
      `INSERT INTO bank._prisma_migrations (id, checksum, migration_name, started_at, applied_steps_count)
       VALUES ('1', '', '20261104000000_drop', now(), 0)`,
    );
    await admin.query(
      "UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'bank.accounts_again'::regclass",
    );
    expect((await run()).applied).toEqual(['20261104000000_drop']);
    expect(await index()).toBeUndefined();
  });

  test('Of several concurrent runs after an interruption, one repairs, and the others find nothing to do.', async () => {
    const { child, pid, release } = await stuckMigration();
    await kill(child);
    await admin.query('SELECT pg_terminate_backend($1)', [pid]);
    await release();
    const runs = await Promise.all([run(), run(), run()]);
    expect(runs.flatMap(({ applied }) => applied)).toEqual(both);
    expect((await index())?.valid).toBe(true);
  });

  test('Several statements outside of a transaction are left to an administrator, with instructions.', async () => {
    await add(
      '20261103000000_index',
      'CREATE INDEX CONCURRENTLY "accounts_again" ON "accounts"("id"); DROP INDEX CONCURRENTLY "other";',
    );
    await admin.query(
      `INSERT INTO bank._prisma_migrations (id, checksum, migration_name, started_at, applied_steps_count)
       VALUES ('1', '', '20261103000000_index', now(), 0)`,
    );
    await expect(run()).rejects.toThrow(/did not finish and may have left partial changes/);
  });
});
