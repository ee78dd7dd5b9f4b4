import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { type Database, migrate } from '../../src/index.ts';
import { createMigration, migrationDrift } from '../../src/migrations.ts';
import { createTestDatabase, type TestDatabase } from '../../src/testing.ts';
import { directory, open, schema, schemaFile } from '../support/fixture.ts';

let testDatabase: TestDatabase;
let database: Database<undefined>;
let folder: string;

beforeEach(async () => {
  testDatabase = await createTestDatabase();
  database = open(testDatabase.url);
  folder = await mkdtemp(join(tmpdir(), 'migrations-'));
  await cp(directory, folder, { recursive: true });
});

afterEach(async () => {
  await database.close();
  await testDatabase.drop();
  await rm(folder, { recursive: true });
});

const add = async (name: string, sql: string) => {
  await mkdir(join(folder, name));
  await writeFile(join(folder, name, 'migration.sql'), sql);
};

const all = ['20261101000000_initial', '20261102000000_search'];

describe('migrate', () => {
  test('The migrate function applies missing migrations, once, into the given schema.', async () => {
    expect(await migrate({ url: testDatabase.url, schema, directory })).toEqual({ applied: all });
    expect(await migrate({ url: testDatabase.url, schema, directory })).toEqual({ applied: [] });
    const { rows } = await database.sql.query<{ at: string }>(
      "SELECT table_schema || '.' || table_name AS at FROM information_schema.tables WHERE table_name IN ('accounts', '_prisma_migrations') ORDER BY 1",
    );
    expect(rows.map(({ at }) => at)).toEqual(['bank._prisma_migrations', 'bank.accounts']);
  });

  test('The migrate function keeps a history per schema in one database.', async () => {
    await migrate({ url: testDatabase.url, schema, directory });
    expect(await migrate({ url: testDatabase.url, schema: 'other', directory })).toEqual({ applied: all });
  });

  test('Each migration is applied by exactly one of several concurrent runs.', async () => {
    const runs = await Promise.all(
      Array.from({ length: 5 }, () => migrate({ url: testDatabase.url, schema, directory })),
    );
    expect(runs.flatMap(({ applied }) => applied).sort()).toEqual(all);
  });

  test('A concurrent index build does not wait for migrations of another schema, nor do they wait for it.', async () => {
    await add('20261103000000_index', 'CREATE INDEX CONCURRENTLY "accounts_again" ON "accounts" ("id");');
    const runs = await Promise.all(
      ['bank', 'other', 'third'].map((one) =>
        migrate({ url: testDatabase.url, schema: one, directory: folder }),
      ),
    );
    expect(runs.map(({ applied }) => applied.length)).toEqual([3, 3, 3]);
  });

  test('A migration that fails reports the reason in one sentence, changes nothing, and is tried again.', async () => {
    await add('20261103000000_bad', 'CREATE TABLE half (id int); SELECT no_such_function();');
    const failure = await migrate({ url: testDatabase.url, schema, directory: folder }).catch(
      (e: Error) => e.message,
    );
    expect(failure).toBe(
      'Migration 20261103000000_bad of "bank" failed: function no_such_function() does not exist (SQLSTATE 42883).',
    );
    const { rows } = await database.sql.query<{ half: string | null }>(
      "SELECT to_regclass('bank.half') AS half",
    );
    expect(rows).toEqual([{ half: null }]);

    await writeFile(join(folder, '20261103000000_bad', 'migration.sql'), 'CREATE TABLE half (id int);');
    expect(await migrate({ url: testDatabase.url, schema, directory: folder })).toEqual({
      applied: ['20261103000000_bad'],
    });
  });

  test('A process killed in the middle of a migration does not stop the next run.', async () => {
    await migrate({ url: testDatabase.url, schema, directory });
    await add('20261103000000_slow', 'CREATE TABLE slow (id int); SELECT pg_sleep(2);');
    const child = spawn(
      process.execPath,
      [
        '--input-type=module',
        '-e',
        `import { migrate } from '@ostiary/database'; await migrate(${JSON.stringify({ url: testDatabase.url, schema, directory: folder })});`,
      ],
      { stdio: 'inherit', cwd: import.meta.dirname },
    );
    for (let running = 0; running === 0; ) {
      const { rows } = await database.sql.query<{ n: number }>(
        "SELECT count(*) AS n FROM pg_stat_activity WHERE query LIKE '%pg_sleep(2)%' AND state = 'active' AND pid <> pg_backend_pid() AND datname = current_database()",
      );
      running = rows[0]?.n ?? 0;
    }
    child.kill('SIGKILL');
    await once(child, 'exit');
    // The server finishes the script; the next run waits for it and must not start it a second time.
    await migrate({ url: testDatabase.url, schema, directory: folder });
    const { rows } = await database.sql.query<{ slow: string }>("SELECT to_regclass('bank.slow') AS slow");
    expect(rows).toEqual([{ slow: 'bank.slow' }]);
    expect(await migrate({ url: testDatabase.url, schema, directory: folder })).toEqual({ applied: [] });
  });

  test('A database that cannot be reached is named in one sentence, without the password.', async () => {
    const url = 'postgres://someone:hush@127.0.0.1:1/nowhere';
    const failure = await migrate({ url, schema, directory }).catch((e: Error) => e.message);
    expect(failure).toBe(
      'Cannot connect to the database 127.0.0.1:1/nowhere: connect ECONNREFUSED 127.0.0.1:1.',
    );
  });

  test('A missing migration folder is named in the error.', async () => {
    await expect(migrate({ url: testDatabase.url, schema, directory: '/nowhere' })).rejects.toThrow(
      'There are no migrations in /nowhere.',
    );
  });
});

describe('migrationDrift', () => {
  test('The migration drift is undefined when the migrations create the schema of schema.prisma.', async () => {
    await migrate({ url: testDatabase.url, schema, directory });
    expect(await migrationDrift({ url: testDatabase.url, schema, schemaFile })).toBeUndefined();
  });

  test('The migration drift is the missing SQL when the migrations differ from schema.prisma.', async () => {
    await migrate({ url: testDatabase.url, schema, directory });
    await database.sql.query('ALTER TABLE bank.accounts DROP COLUMN tags');
    expect(await migrationDrift({ url: testDatabase.url, schema, schemaFile })).toMatch(
      /ADD COLUMN\s+"tags" TEXT\[\]/,
    );
  });
});

describe('createMigration', () => {
  test('The createMigration function writes the difference to schema.prisma, and nothing when there is none.', async () => {
    const edited = join(folder, 'schema.prisma');
    const text = await readFile(schemaFile, 'utf8');
    await writeFile(edited, text.replace('tags      String[]', 'tags      String[]\n  note      String?'));
    const options = { url: testDatabase.url, schema, schemaFile: edited, directory: folder };

    const name = await createMigration({ ...options, name: 'Add a note' });
    expect(name).toMatch(/^\d{14}_add_a_note$/);
    const sql = await readFile(join(folder, name ?? '', 'migration.sql'), 'utf8');
    expect(sql).toContain('ALTER TABLE "accounts" ADD COLUMN     "note" TEXT;');
    expect(await readdir(folder)).toContain('migration_lock.toml');

    expect(await createMigration({ ...options, name: 'nothing' })).toBeUndefined();
  });

  test('The createMigration function writes the first migration of a schema with an xid8 column.', async () => {
    const empty = await mkdtemp(join(tmpdir(), 'migrations-'));
    const name = await createMigration({
      url: testDatabase.url,
      schema,
      schemaFile,
      directory: empty,
      name: 'initial',
    });
    expect(await readFile(join(empty, name ?? '', 'migration.sql'), 'utf8')).toBe(
      await readFile(join(directory, '20261101000000_initial', 'migration.sql'), 'utf8'),
    );
    await rm(empty, { recursive: true });
  });
});
