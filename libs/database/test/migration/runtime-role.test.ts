import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { recordSkip } from '@ostiary/service/testing';
import pg from 'pg';
import { migrate } from '../../src/index.ts';
import { grantToRuntimeRole, makeRuntimeRole, type Query } from '../../src/migration/runtime-role.ts';
import { createTestDatabase, type TestDatabase } from '../../src/testing.ts';
import { directory, schema } from '../support/fixture.ts';
import { type StockPostgres, stockPostgres, withoutStockPostgres } from '../support/stock-postgres.ts';

const unique = (name: string): string => `${name}_${randomBytes(4).toString('hex')}`;

let databases: TestDatabase[];
let admin: pg.Client;
let service: string;
let migrator: string;

beforeEach(async () => {
  databases = [await createTestDatabase(), await createTestDatabase(), await createTestDatabase()];
  admin = new pg.Client({ connectionString: first().url });
  await admin.connect();
  service = unique('service');
  migrator = unique('Migrator');
  await admin.query(`CREATE ROLE "${migrator}" LOGIN PASSWORD 'm'`);
});

afterEach(async () => {
  await admin.end();
  const url = first().url;
  await Promise.all(databases.map((one) => one.drop()));
  const last = new URL(url);
  last.pathname = '/postgres';
  const cleaner = new pg.Client({ connectionString: last.href });
  await cleaner.connect();
  for (const role of [service, migrator]) await cleaner.query(`DROP ROLE IF EXISTS "${role}"`);
  await cleaner.end();
});

const first = (): TestDatabase => databases[0] as TestDatabase;

/** Returns the URL of a database for another role. */
function as(role: string, password: string, { url }: TestDatabase = first()): string {
  const address = new URL(url);
  address.username = role;
  address.password = password;
  return address.href;
}

async function asked(url: string, statement: string): Promise<string> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const answer = await client.query(statement).then(
    () => 'done',
    (error: pg.DatabaseError) => error.code ?? error.message,
  );
  await client.end();
  return answer;
}

describe('the role of a service', () => {
  test('A missing role gets exactly the rights it needs, also on tables of later migrations, and a second run changes nothing.', async () => {
    const role = { name: service, password: 's' };
    await migrate({ url: first().url, schema, directory, role });
    await migrate({ url: first().url, schema, directory, role });
    const url = as(service, 's');
    expect(await asked(url, 'SELECT * FROM bank.accounts')).toBe('done');
    expect(await asked(url, 'SELECT migration_name FROM bank._prisma_migrations')).toBe('done');
    expect(await asked(url, 'DELETE FROM bank._prisma_migrations')).toBe('42501');
    expect(await asked(url, 'DROP TABLE bank.accounts')).toBe('42501');
    expect(await asked(url, 'CREATE TABLE bank.mine (id int)')).toBe('42501');
    await admin.query('CREATE TABLE bank.later (id int)');
    expect(await asked(url, 'INSERT INTO bank.later VALUES (1)')).toBe('done');
  });

  test('At no time of a run may the service change the record of applied migrations.', async () => {
    const role = { name: service, password: 's' };
    await migrate({ url: first().url, schema, directory, role });
    const url = as(service, 's');
    const query: Query = async (text, values) => {
      const answer = await admin.query(text, values);
      expect([text, await asked(url, 'DELETE FROM bank._prisma_migrations')]).toEqual([text, '42501']);
      return answer;
    };
    await grantToRuntimeRole(query, schema, role);
  });

  test('A role with more rights than a service needs is rejected: the migrating role, and a superuser.', async () => {
    const owner = new URL(first().url).username;
    const refused = (name: string) =>
      migrate({ url: first().url, schema, directory, role: { name } }).then(
        () => 'done',
        (error: Error) => error.message,
      );
    expect(await refused(decodeURIComponent(owner))).toMatch(/^DATABASE_ROLE must not be /);
    await admin.query(`CREATE ROLE "${service}" LOGIN SUPERUSER`);
    expect(await refused(service)).toMatch(/^DATABASE_ROLE names a role with too many privileges: /);
    await admin.query(`ALTER ROLE "${service}" NOSUPERUSER`);
    expect(await refused(service)).toBe('done');
  });

  test('Concurrent runs of two jobs, in one database and in three with the same role, all succeed.', async () => {
    const role = { name: service, password: 's' };
    const runs = await Promise.all(
      databases.flatMap(({ url }) => [
        migrate({ url, schema, directory, role }),
        migrate({ url, schema, directory, role }),
      ]),
    );
    expect(runs.flatMap(({ applied }) => applied)).toHaveLength(6);
    for (const one of databases)
      expect(await asked(as(service, 's', one), 'SELECT * FROM bank.accounts')).toBe('done');
  });

  test('A migrating role without rights reports the statements for an administrator, without a password, and succeeds after them.', async () => {
    const url = as(migrator, 'm');
    await admin.query('REVOKE CREATE ON SCHEMA public FROM PUBLIC');
    const role = { name: service, password: 'very secret' };
    const failures: string[] = [];
    for (let attempt = 0; attempt < 5; attempt += 1) {
      const { password: _, ...known } = role;
      const failure = await migrate({ url, schema, directory, role: attempt === 0 ? role : known }).then(
        () => undefined,
        (error: Error) => error.message,
      );
      if (failure === undefined) break;
      expect(failure).toMatch(
        /^The migrating role lacks privileges that the schema "bank" needs: permission denied/,
      );
      expect(failure).not.toContain('secret');
      failures.push(failure);
      const statements = failure.split('\n').filter((line) => line.startsWith('  '));
      expect(statements.length).toBeGreaterThan(0);
      for (const statement of statements) await admin.query(statement);
    }
    expect(failures).toHaveLength(1);
    expect(failures[0]).toContain(`CREATE ROLE "${service}" LOGIN PASSWORD 'choose one';`);
    expect(failures[0]).toContain(`CREATE SCHEMA "bank" AUTHORIZATION "${migrator}";`);
    expect(await asked(as(service, 'choose one'), 'SELECT * FROM bank.accounts')).toBe('done');
  });
});

const missing = withoutStockPostgres();
if (missing !== undefined) recordSkip(missing);
const describeStock = missing ? describe.skip : describe;

describeStock('the password of the role', () => {
  let server: StockPostgres;

  beforeAll(async () => {
    server = await stockPostgres({ settings: ["log_statement = 'none'"] });
    const rules = 'host all postgres all trust\nhost all all all scram-sha-256\n';
    writeFileSync(join(server.data, 'pg_hba.conf'), rules);
    await server.query('SELECT pg_reload_conf()');
  });
  afterAll(() => server.remove());

  test.each(['ascii-only', 'pässwörd ﬁ Ⅸ'])(
    'The role logs in with the password %j only, which no statement contains: a server logs rejected statements.',
    async (password) => {
      const said: string[] = [];
      const query: Query = async (text) => {
        said.push(text);
        return text.includes('pg_roles') ? { rowCount: 0, rows: [] } : server.query(text);
      };
      const name = unique('service');
      await makeRuntimeRole(query, { name, password });
      expect(said.filter((text) => text.includes('PASSWORD'))).toHaveLength(1);
      expect(said.join('\n')).not.toContain(password);
      const login = (word: string) => {
        const url = new URL(server.url);
        Object.assign(url, { username: name, password: encodeURIComponent(word) });
        return asked(url.href, 'SELECT 1').catch((error: pg.DatabaseError) => error.code);
      };
      // Clients prepare it in the same way (RFC 4013 §2.2).
      expect(await login(password.normalize('NFKC'))).toBe('done');
      expect(await login(`${password}.`)).toBe('28P01');
    },
  );
});
