import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually, recordSkip } from '@ostiary/service/testing';
import pg from 'pg';
import { migrate } from '../../src/index.ts';
import { directory, schema } from '../support/fixture.ts';
import { type StockPostgres, stockPostgres, withoutStockPostgres } from '../support/stock-postgres.ts';

const missing = withoutStockPostgres();
if (missing !== undefined) recordSkip(missing);
const describeStock = missing ? describe.skip : describe;

describeStock("PostgreSQL's own log", () => {
  let server: StockPostgres;
  beforeAll(async () => {
    server = await stockPostgres({
      settings: ['logging_collector = on', "log_directory = 'log'", "log_filename = 'server.log'"],
    });
  });
  afterAll(() => server.remove());

  const log = (): string => readFileSync(join(server.data, 'log', 'server.log'), 'utf8');
  const as = (role: string): string => server.url.replace('//postgres@', `//${role}@`);

  /** Inserts a value twice. @returns the error of the second insertion */
  async function insertTwice(role: string, value: string): Promise<pg.DatabaseError> {
    const client = new pg.Client({ connectionString: as(role) });
    await client.connect();
    const insert = () => client.query('INSERT INTO bank.names VALUES ($1)', [value]);
    await insert();
    const error = await insert().then(
      () => new Error('The value was inserted twice.'),
      (violation: pg.DatabaseError) => violation,
    );
    await client.query(`SELECT 1/0 /* after ${value.length} */`).catch(() => undefined);
    await client.end();
    return error as pg.DatabaseError;
  }

  const entriesFor = (value: string): Promise<unknown> =>
    eventually(async () => log().includes(`/* after ${value.length} */`));

  test('A unique violation of a migrated role reaches the client with its value, and the log without it.', async () => {
    const role = { name: 'bank_service' };
    const warned: unknown[] = [];
    const warnings = { debug() {}, info() {}, error() {}, warn: (line: unknown) => void warned.push(line) };
    await migrate({ url: server.url, schema, directory, role, log: warnings });
    await migrate({ url: server.url, schema, directory, role, log: warnings });
    await server.query('CREATE TABLE bank.names (name text PRIMARY KEY)');

    const error = await insertTwice('bank_service', 'ann@acme.test');
    expect([error.code, error.detail]).toEqual(['23505', 'Key (name)=(ann@acme.test) already exists.']);
    await entriesFor('ann@acme.test');
    expect(log()).toMatch(/duplicate key value violates unique constraint "names_pkey"/);
    expect(log()).not.toContain('ann@acme.test');
    expect(warned).toEqual([]);

    // The server logs the value for a role that was not migrated, so the setting is the cause.
    await server.query('CREATE ROLE other LOGIN IN ROLE bank_service');
    await insertTwice('other', 'a-longer-name@acme.test');
    await entriesFor('a-longer-name@acme.test');
    expect(log()).toContain('Key (name)=(a-longer-name@acme.test) already exists.');
  });

  test('A migrating role without the right to set it warns with the statement for an administrator, and sets it after the grant.', async () => {
    await server.query('CREATE ROLE migrator LOGIN CREATEROLE');
    await server.query('CREATE DATABASE second OWNER migrator');
    const url = as('migrator').replace(/\/postgres$/, '/second');
    const role = { name: 'second_service' };
    const warned: { statement?: string }[] = [];
    const warnings = { debug() {}, info() {}, error() {}, warn: (line: object) => void warned.push(line) };
    await migrate({ url, schema, directory, role, log: warnings });
    expect(warned).toMatchObject([
      { statement: `ALTER ROLE "second_service" SET log_error_verbosity = 'terse'` },
    ]);
    await server.query('GRANT SET ON PARAMETER log_error_verbosity TO migrator');
    await migrate({ url, schema, directory, role, log: warnings });
    await migrate({ url, schema, directory, role, log: warnings });
    expect(warned).toHaveLength(1);
    const { rows } = await server.query("SELECT rolconfig FROM pg_roles WHERE rolname = 'second_service'");
    expect(rows).toEqual([{ rolconfig: ['log_error_verbosity=terse'] }]);
  });
});
