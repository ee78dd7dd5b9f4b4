import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  type Columns,
  composedStatement,
  type Parameters,
  type Registered,
  statement,
  typed,
} from '../../src/index.ts';
import {
  checkStatements,
  createTestDatabase,
  statementsIn,
  type TestDatabase,
  undeclaredSql,
} from '../../src/testing.ts';
import { directory, schema } from '../support/fixture.ts';

let server: TestDatabase;

beforeAll(async () => {
  server = await createTestDatabase({ schema, directory });
});

afterAll(() => server.drop());

let made = 0;
const declared = (text: string, columns: Columns = {}, parameters: Parameters = {}): Registered => {
  made += 1;
  return statement({ name: `check.${made}`, reason: 'set', text, columns, parameters });
};

/** Returns the faults of one statement, without its name. */
const faultsOf = async (one: Registered): Promise<string[]> =>
  (await checkStatements(server.url, [one])).map((fault) => fault.replace(`${one.name}: `, ''));

test('Every statement that a folder declares is found and agrees with the database.', async () => {
  const statements = await statementsIn(join(import.meta.dirname, '../support/declared'));
  expect(statements.map(({ name }) => name)).toEqual([
    'accounts.add',
    'accounts.count',
    'accounts.find',
    'accounts.list',
    // Statement of the package itself.
    'database.notify',
  ]);
  expect(await checkStatements(server.url, statements)).toEqual([]);
});

describe('a statement that fails the check', () => {
  const cases: [what: string, make: () => Registered, fault: RegExp][] = [
    [
      'PostgreSQL does not accept',
      () => declared('SELECT nothing FROM bank.accounts', { nothing: 'text' }),
      /^PostgreSQL rejects it: column "nothing" does not exist\.$/,
    ],
    [
      'declares a column as another type',
      () => declared('SELECT id FROM bank.accounts', { id: 'text' }),
      /^the column id is uuid, declared as text\.$/,
    ],
    [
      'declares a column as an array of another type',
      () => declared('SELECT ARRAY[1] AS list', { list: 'text[]' }),
      /^the column list is int4\[\], declared as text\[\]\.$/,
    ],
    [
      'counts in 64 bits and says 32',
      () => declared('SELECT count(*) AS total FROM bank.accounts', { total: 'int4' }),
      /^the column total is int8, declared as int4\.$/,
    ],
    [
      'declares a column that it does not return',
      () => declared('SELECT id FROM bank.accounts', { id: 'uuid', name: 'text' }),
      /^it returns no column name\.$/,
    ],
    [
      'returns a column that it does not declare',
      () => declared('SELECT id, name FROM bank.accounts', { id: 'uuid' }),
      /^it returns a column name, which is not declared\.$/,
    ],
    [
      'returns rows and declares none',
      () => declared('DELETE FROM bank.accounts RETURNING id'),
      /^it returns a column id, which is not declared\.$/,
    ],
    [
      'returns two columns of one name',
      () => declared('SELECT id, id FROM bank.accounts', { id: 'uuid' }),
      /^it returns two columns of one name\.$/,
    ],
    [
      'declares a column that may be NULL as one that may not',
      () => declared('SELECT tags FROM bank.accounts', { tags: 'text[]' }),
      /^the column tags may be NULL, but is declared as not null\.$/,
    ],
    [
      'declares a narrower type so, through a common table expression',
      () =>
        declared('WITH a AS (SELECT tags FROM bank.accounts) SELECT a.tags FROM a', {
          tags: typed<('x' | 'y')[]>('text[]'),
        }),
      /^the column tags may be NULL, but is declared as not null\.$/,
    ],
    [
      'declares a column that is never NULL as one that may be',
      () => declared('UPDATE bank.accounts SET balance = 1 RETURNING name', { name: 'text?' }),
      /^the column name is never NULL, but is declared as nullable\.$/,
    ],
    [
      'marks as present what is never NULL',
      () => declared('SELECT name FROM bank.accounts', { name: 'text!' }),
      /^the column name is never NULL, but is declared as nullable\.$/,
    ],
    [
      'declares a parameter as another type',
      () => declared('DELETE FROM bank.accounts WHERE id = $id', {}, { id: 'text' }),
      /^the parameter id is uuid, declared as text\.$/,
    ],
    [
      'declares one value where the database takes a list',
      () => declared('DELETE FROM bank.accounts WHERE id = ANY($ids)', {}, { ids: 'uuid' }),
      /^the parameter ids is uuid\[\], declared as uuid\.$/,
    ],
    [
      'is composed with more values than parameters',
      () =>
        composedStatement({
          name: 'check.values',
          reason: 'search',
          columns: {},
          compose: () => ({ text: 'DELETE FROM bank.accounts WHERE id = $1', values: [1, 2] }),
          examples: () => [undefined],
        }),
      /^it has 1 parameters and 2 values\.$/,
    ],
    [
      'is composed and has no example',
      () =>
        composedStatement({
          name: 'check.examples',
          reason: 'search',
          columns: {},
          compose: () => ({ text: 'SELECT', values: [] }),
          examples: () => [],
        }),
      /^it has no example\.$/,
    ],
    [
      'is composed and returns something else in one of its variants',
      () =>
        composedStatement({
          name: 'check.variants',
          reason: 'search',
          columns: { value: 'text' },
          compose: (column: string) => ({ text: `SELECT ${column} AS value FROM bank.accounts`, values: [] }),
          examples: () => ['name', 'id'],
        }),
      /^the column value is uuid, declared as text\.$/,
    ],
  ];

  test.each(cases)('A statement that %s fails the check.', async (_what, make, fault) => {
    const faults = await faultsOf(make());
    expect(faults).toHaveLength(1);
    expect(faults[0]).toMatch(fault);
  });
});

test('A column that an outer join may make NULL, or a condition excludes, is declared so without a fault.', async () => {
  const joined = declared(
    'SELECT a.id, b.name FROM bank.accounts a LEFT JOIN bank.accounts b ON b.tenant = a.name',
    { id: 'uuid', name: 'text?' },
  );
  const present = declared('SELECT tags FROM bank.accounts WHERE tags IS NOT NULL', { tags: 'text[]!' });
  expect(await checkStatements(server.url, [joined, present])).toEqual([]);
});

test('One rejected statement does not hide later ones, and none of them is executed.', async () => {
  const faults = await checkStatements(server.url, [
    declared('SELECT oops'),
    declared('DELETE FROM bank.accounts WHERE id = $1', {}, { id: 'text' }),
    declared('TRUNCATE bank.accounts'),
    declared('SELECT oops again'),
  ]);
  expect(faults).toHaveLength(3);
});

test('SQL without a declaration is reported with its place, except in generated code and tests.', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'undeclared-'));
  try {
    await mkdir(join(folder, 'data/generated'), { recursive: true });
    await writeFile(
      join(folder, 'data/a.ts'),
      "\nawait tx.query<{ a: 1 }>(\n  'SELECT',\n);\nsql.query('x');\n",
    );
    await writeFile(join(folder, 'data/a.test.ts'), "sql.query('x');\n");
    await writeFile(join(folder, 'data/generated/b.ts'), "sql.query('x');\n");
    await writeFile(join(folder, 'c.ts'), "find.run(tx, { query: 'x' });\n");
    await writeFile(
      join(folder, 'd.ts'),
      "tx.query<{ a: 1; b(): 2 }>('x');\nprisma.$queryRaw`x`;\nconst { a } = request.query;\nprisma.$executeRawUnsafe(a);\n",
    );
    expect(await undeclaredSql(folder)).toEqual(['d.ts:1', 'd.ts:2', 'd.ts:4', 'data/a.ts:2', 'data/a.ts:5']);
  } finally {
    await rm(folder, { recursive: true });
  }
});
