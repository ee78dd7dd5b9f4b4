import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { eventually, recordSkip } from '@ostiary/service/testing';
import pg from 'pg';
import { type Database, migrate } from '../src/index.ts';
import { createTestDatabase, type TestDatabase } from '../src/testing.ts';
import { directory, open, schema } from './support/fixture.ts';
import {
  fill,
  type StockPostgres,
  smallDisk,
  stockPostgres,
  withoutStockPostgres,
} from './support/stock-postgres.ts';

const known = ['20261101000000_initial', '20261102000000_search'];

/** Returns `ready`, or the reason why the database is not. */
const readiness = (database: Database<undefined>, migrations: readonly string[] = known): Promise<string> =>
  database.ready(migrations, ['accounts']).then(
    () => 'ready',
    (error: { reason?: string }) => error.reason ?? String(error),
  );

describe('the migrations of a database', () => {
  let testDatabase: TestDatabase;
  let database: Database<undefined>;
  let admin: pg.Client;

  beforeEach(async () => {
    testDatabase = await createTestDatabase();
    database = open(testDatabase.url);
    admin = new pg.Client({ connectionString: testDatabase.url });
    await admin.connect();
  });
  afterEach(async () => {
    await admin.end();
    await database.close();
    await testDatabase.drop();
  });

  test('A database without the schema, with an older one, and with the one that this version knows are distinguished.', async () => {
    expect(await readiness(database)).toBe('schema_missing');
    await migrate({ url: testDatabase.url, schema, directory });
    expect(await readiness(database)).toBe('ready');
    const newer = open(testDatabase.url);
    expect(await readiness(newer, [...known, '20261103000000_next'])).toBe('schema_outdated');
    await newer.close();
  });

  test('A migration that did not finish, or was rolled back, does not count.', async () => {
    await migrate({ url: testDatabase.url, schema, directory });
    await admin.query(
      "UPDATE bank._prisma_migrations SET finished_at = NULL WHERE migration_name = '20261102000000_search'",
    );
    expect(await readiness(database)).toBe('schema_outdated');
    await admin.query('UPDATE bank._prisma_migrations SET finished_at = now(), rolled_back_at = now()');
    expect(await readiness(database)).toBe('schema_missing');
  });

  test('An addition of a later version is accepted; once it has removed a needed table, only the later version is ready.', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'migrations-'));
    const later = [...known, '20261103000000_expand', '20261104000000_contract'];
    const add = async (name: string, sql: string) => {
      await mkdir(join(folder, name));
      await writeFile(join(folder, name, 'migration.sql'), sql);
      await migrate({ url: testDatabase.url, schema, directory: folder });
    };
    await cp(directory, folder, { recursive: true });
    await add('20261103000000_expand', 'ALTER TABLE "accounts" ADD COLUMN "labels" text[];');
    expect(await readiness(database)).toBe('ready');
    await add(
      '20261104000000_contract',
      `ALTER TABLE "accounts" DROP COLUMN "tags"; COMMENT ON TABLE "_prisma_migrations" IS 'needs 20261103000000_expand';`,
    );
    expect(await readiness(database)).toBe('schema_contracted');
    const between = open(testDatabase.url);
    expect(await readiness(between, later.slice(0, 3))).toBe('ready');
    await between.close();
    const upgraded = open(testDatabase.url);
    expect(await readiness(upgraded, later)).toBe('ready');
    await upgraded.close();
    await rm(folder, { recursive: true });
  });

  test('A pool without a free connection does not delay the answer.', async () => {
    await migrate({ url: testDatabase.url, schema, directory });
    const busy = open(testDatabase.url, 1);
    let isHeld = true;
    const over = () => {
      isHeld = false;
    };
    const held = busy.sql.query('SELECT pg_sleep(25)').then(over, over);
    expect(await readiness(busy)).toBe('ready');
    expect(isHeld).toBe(true);
    const ended = "SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE query = 'SELECT pg_sleep(25)'";
    await eventually(
      async () => (await admin.query(`${ended} AND datname = current_database()`)).rowCount,
      (backends) => backends === 1,
    );
    await held;
    await busy.close();
  });

  test('Repeated checks keep one connection, and no transaction open.', async () => {
    await migrate({ url: testDatabase.url, schema, directory });
    await readiness(database);
    for (let each = 0; each < 20; each += 1) await readiness(database);
    const busy = await admin.query(
      "SELECT count(*)::int AS n FROM pg_stat_activity WHERE application_name = 'ostiary bank readiness' AND state <> 'idle' AND datname = current_database()",
    );
    expect(busy.rows).toEqual([{ n: 0 }]);
    const { rows } = await admin.query(
      "SELECT count(*)::int AS n FROM pg_stat_activity WHERE application_name = 'ostiary bank readiness' AND datname = current_database()",
    );
    expect(rows).toEqual([{ n: 1 }]);
  });

  test('Missing rights are distinguished from an unavailable database.', async () => {
    await migrate({ url: testDatabase.url, schema, directory });
    const role = `bare_${Date.now().toString(36)}`;
    await admin.query(`CREATE ROLE ${role} LOGIN PASSWORD 'p'`);
    const as = (password: string): Database<undefined> => {
      const url = new URL(testDatabase.url);
      url.username = role;
      url.password = password;
      return open(url.href);
    };
    const [bare, away] = [as('p'), open('postgres://nobody@127.0.0.1:1/none')];
    expect(await readiness(bare)).toBe('rights_missing');
    await admin.query(
      `GRANT USAGE ON SCHEMA bank TO ${role}; GRANT SELECT ON bank._prisma_migrations TO ${role}`,
    );
    // Each of these rights is needed by some request.
    for (const right of ['SELECT', 'INSERT', 'UPDATE', 'DELETE']) {
      expect([right, await readiness(bare)]).toEqual([right, 'rights_missing']);
      await admin.query(`GRANT ${right} ON bank.accounts TO ${role}`);
    }
    expect(await readiness(bare)).toBe('ready');
    // Tables of others do not concern this role.
    await admin.query('CREATE TABLE bank.notes (line text)');
    expect(await readiness(bare)).toBe('ready');
    expect(await readiness(away)).toBe('unreachable');
    await Promise.all([bare.close(), away.close()]);
    await admin.query(`DROP OWNED BY ${role}; DROP ROLE ${role}`);
  });
});

const missing = withoutStockPostgres();
if (missing !== undefined) recordSkip(missing);
const describeWithPostgres = missing === undefined ? describe : describe.skip;
if (process.getuid?.() !== 0) recordSkip('only root can mount a file system');
const asRoot = process.getuid?.() === 0 ? test : test.skip;

describeWithPostgres(`a stock PostgreSQL 15${missing === undefined ? '' : ` (${missing})`}`, () => {
  let primary: StockPostgres;

  beforeAll(async () => {
    primary = await stockPostgres();
    await migrate({ url: primary.url, schema, directory });
  });
  afterAll(async () => {
    await primary?.remove();
  });

  test('A server that was set to read only is detected on a kept connection, and is ready once it accepts writes.', async () => {
    const database = open(primary.url);
    expect(await readiness(database)).toBe('ready');
    // Processes reload their settings a moment after the signal.
    const becomes = (state: string) =>
      eventually(
        () => readiness(database),
        (said) => said === state,
      );
    await primary.query('ALTER SYSTEM SET default_transaction_read_only = on');
    await primary.query('SELECT pg_reload_conf()');
    await becomes('read_only');
    await primary.query('ALTER SYSTEM RESET default_transaction_read_only');
    await primary.query('SELECT pg_reload_conf()');
    await becomes('ready');
    await database.close();
  });

  test('A streaming standby is read only, and ready after its promotion.', async () => {
    const standby = await stockPostgres({ of: primary });
    const database = open(standby.url);
    expect(await readiness(database)).toBe('read_only');
    await standby.query('SELECT pg_promote()');
    expect(await readiness(database)).toBe('ready');
    await database.close();
    await standby.remove();
  });

  test('A server that was stopped is unreachable, and ready again automatically once it is back.', async () => {
    const database = open(primary.url);
    expect(await readiness(database)).toBe('ready');
    await primary.stop();
    expect(await readiness(database)).toBe('unreachable');
    expect(await readiness(database)).toBe('unreachable');
    await primary.start();
    expect(await readiness(database)).toBe('ready');
    await database.close();
  });

  test('A wrong password, a missing database and a server without a free connection are distinguished.', async () => {
    await primary.query(
      "CREATE ROLE guarded LOGIN PASSWORD 'right' CONNECTION LIMIT 1; GRANT USAGE ON SCHEMA bank TO guarded",
    );
    await primary.query(
      'GRANT SELECT ON bank._prisma_migrations TO guarded; GRANT SELECT, INSERT, UPDATE, DELETE ON bank.accounts TO guarded',
    );
    await writeFile(
      join(primary.data, 'pg_hba.conf'),
      'host all guarded all scram-sha-256\nhost all all all trust\n',
    );
    await primary.query('SELECT pg_reload_conf()');
    const as = (password: string, name = 'postgres'): Database<undefined> =>
      open(primary.url.replace('postgres@', `guarded:${password}@`).replace(/postgres$/, name));
    await eventually(
      async () => {
        const stranger = as('wrong');
        return readiness(stranger).finally(() => stranger.close());
      },
      (said) => said === 'credential_rejected',
    );
    const databases = [as('wrong'), as('right', 'nowhere'), as('right'), as('right')];
    const answers: string[] = [];
    for (const each of databases) answers.push(await readiness(each));
    expect(answers).toEqual(['credential_rejected', 'database_missing', 'ready', 'too_many_connections']);
    await Promise.all(databases.map((each) => each.close()));
  });

  asRoot(
    'A full disk makes the process unready although reads succeed, and free space makes it ready again.',
    async () => {
      const disk = smallDisk(80);
      const server = await stockPostgres({ folder: disk.path });
      await migrate({ url: server.url, schema, directory });
      await server.query('CREATE TABLE bank.filled (line text)');
      const database = open(server.url);
      expect(await readiness(database)).toBe('ready');
      const makeRoom = fill(disk);
      const refusal = await server
        .query("INSERT INTO bank.filled SELECT repeat('x', 1000) FROM generate_series(1, 1000)")
        .catch((error: pg.DatabaseError) => error.code);
      expect(refusal).toBe('53100');
      expect((await server.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
      expect(await readiness(database)).toBe('disk_full');
      makeRoom();
      expect(await readiness(database)).toBe('ready');
      await database.close();
      await server.remove();
      disk.remove();
    },
  );
});
