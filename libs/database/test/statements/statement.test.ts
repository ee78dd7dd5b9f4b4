import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import {
  type Columns,
  type ColumnTypes,
  composedStatement,
  type Database,
  fragment,
  plannedAnew,
  type RowOf,
  registeredStatements,
  statement,
  type ValuesOf,
} from '../../src/index.ts';
import { createTestDatabase, statementsDuring, type TestDatabase } from '../../src/testing.ts';
import { id } from '../support/account.ts';
import { addAccount, countAccounts, findAccount, listAccounts } from '../support/declared/accounts.ts';
import { directory, open, schema } from '../support/fixture.ts';

let server: TestDatabase;
let database: Database<undefined>;

beforeAll(async () => {
  server = await createTestDatabase({ schema, directory });
  database = open(server.url);
});

afterAll(async () => {
  await database.close();
  await server.drop();
});

beforeEach(() => database.sql.query('TRUNCATE bank.accounts'));

const profile = { city: 'Ghent', lines: ['a', 'b'] };
const first = { id: id(1), tenant: 'demo', name: 'first', profile, tags: ['x', 'y'] };

/** Compiles when the two types are the same. */
const same = <A, B>(..._: [A] extends [B] ? ([B] extends [A] ? [] : ['differ']) : ['differ']): void => {};

test('Parameters are passed by name, and rows have the declared types.', async () => {
  expect(await addAccount.count(database.sql, first)).toBe(1);
  expect(await addAccount.count(database.sql, first)).toBe(0);
  const row = await findAccount.first(database.sql, { tenant: 'demo', id: id(1) });
  same<
    typeof row,
    | undefined
    | {
        id: string;
        name: string;
        balance: number;
        createdAt: Date;
        profile: { city: string; lines: string[] };
        tags: string[];
        owed: number | string | null;
      }
  >();
  expect(row).toEqual({
    id: id(1),
    name: 'first',
    balance: 0,
    createdAt: expect.any(Date),
    profile,
    tags: ['x', 'y'],
    owed: null,
  });
  expect(await findAccount.first(database.sql, { tenant: 'rival', id: id(1) })).toBeUndefined();
  expect(await countAccounts.rows(database.sql, { tenant: 'demo', names: ['first', null] })).toEqual([
    { total: 1 },
  ]);
});

test('A statement also runs in a transaction, and is rolled back with it.', async () => {
  const failing = database.transaction(async (tx) => {
    await addAccount.run(tx, first);
    expect(await findAccount.rows(tx, { tenant: 'demo', id: id(1) })).toHaveLength(1);
    throw new Error('no');
  });
  await expect(failing).rejects.toThrow('no');
  expect(await findAccount.rows(database.sql, { tenant: 'demo', id: id(1) })).toEqual([]);
});

test('Undeclared parameters and types do not compile.', () => {
  // @ts-expect-error a parameter is missing
  const missing = () => findAccount.run(database.sql, { tenant: 'demo' });
  // @ts-expect-error a parameter of another type
  const wrong = () => findAccount.run(database.sql, { tenant: 'demo', id: 7 });
  // @ts-expect-error a value that the type doesn't have
  const other = () => addAccount.run(database.sql, { ...first, profile: { city: 7 } });
  // @ts-expect-error no values at all
  const none = () => countAccounts.run(database.sql);
  expect([missing, wrong, other, none]).toHaveLength(4);
});

test('A statement without parameters takes none, and one without columns returns rows that have none.', async () => {
  const touch = statement({
    name: 'test.touch',
    reason: 'set',
    text: 'UPDATE bank.accounts SET balance = 1',
  });
  await addAccount.run(database.sql, first);
  const { rows, rowCount } = await touch.run(database.sql);
  expect({ rows, rowCount }).toEqual({ rows: [], rowCount: 1 });
});

test('JSON is passed as the value itself: a list, a text, null as JSON or as NULL.', async () => {
  const echo = statement({
    name: 'test.json',
    reason: 'set',
    text: `SELECT $list::jsonb AS list, $text::jsonb AS text, $json::jsonb IS NULL AS json, $none::jsonb IS NULL AS none,
                  $each::jsonb[] AS each`,
    parameters: { list: 'jsonb', text: 'jsonb', json: 'jsonb', none: 'jsonb?', each: 'jsonb[]' },
    columns: { list: 'jsonb', text: 'jsonb', json: 'bool', none: 'bool', each: 'jsonb[]' },
  });
  expect(
    await echo.first(database.sql, {
      list: [1, 'a'],
      text: 'a',
      json: null,
      none: null,
      each: [{ a: [1] }, 'b'],
    }),
  ).toEqual({ list: [1, 'a'], text: 'a', json: false, none: true, each: [{ a: [1] }, 'b'] });
  expect(
    await echo.first(database.sql, { list: 1, text: '', json: 0, none: undefined, each: [null] }),
  ).toMatchObject({ none: true, each: [null] });
});

test('Every type that can be declared for a column is returned as the corresponding TypeScript type.', async () => {
  /** Run-time check of each type, for an array of its elements; a new type must be added here. */
  const seen: { [K in keyof ColumnTypes]: [expression: string, is: (value: ColumnTypes[K]) => boolean] } = {
    text: ["'a'::text", (v) => typeof v === 'string'],
    varchar: ["'a'::varchar", (v) => typeof v === 'string'],
    bpchar: ["'a'::char", (v) => typeof v === 'string'],
    name: ["'a'::name", (v) => typeof v === 'string'],
    uuid: [`'${id(1)}'::uuid`, (v) => v === id(1)],
    int8: ['7::int8', (v) => v === 7],
    int4: ['7::int4', (v) => v === 7],
    int2: ['7::int2', (v) => v === 7],
    oid: ['7::oid', (v) => v === 7],
    float8: ['1.5::float8', (v) => v === 1.5],
    float4: ['1.5::float4', (v) => v === 1.5],
    numeric: ['1.5::numeric', (v) => v === '1.5'],
    bool: ['true', (v) => v === true],
    timestamptz: ['now()', (v) => v instanceof Date],
    date: ["'2026-02-03'::date", (v) => v === '2026-02-03'],
    xid8: ["'42'::xid8", (v) => v === '42'],
    inet: ["'10.0.0.1'::inet", (v) => v === '10.0.0.1'],
    bytea: ["'\\x01'::bytea", (v) => v.equals(Buffer.from([1]))],
    json: ["'[1]'::json", (v) => Array.isArray(v)],
    jsonb: ["'[1]'::jsonb", (v) => Array.isArray(v)],
    void: ['pg_sleep(0)', (v) => v === ''],
    'text[]': ["ARRAY['a']", (v) => v[0] === 'a'],
    'varchar[]': ["ARRAY['a']::varchar[]", (v) => v[0] === 'a'],
    'uuid[]': [`ARRAY['${id(1)}']::uuid[]`, (v) => v[0] === id(1)],
    'int8[]': ['ARRAY[7]::int8[]', (v) => v[0] === 7],
    'int4[]': ['ARRAY[7]', (v) => v[0] === 7],
    'int2[]': ['ARRAY[7]::int2[]', (v) => v[0] === 7],
    'float8[]': ['ARRAY[1.5]::float8[]', (v) => v[0] === 1.5],
    'bool[]': ['ARRAY[true]', (v) => v[0] === true],
    'timestamptz[]': ['ARRAY[now()]', (v) => v[0] instanceof Date],
    'bytea[]': ["ARRAY['\\x01'::bytea]", (v) => v[0]?.equals(Buffer.from([1])) === true],
    'jsonb[]': ["ARRAY['{}'::jsonb]", (v) => typeof v[0] === 'object'],
  };
  for (const [type, [expression, is]] of Object.entries(seen)) {
    const { rows } = await database.sql.query<{ value: never }>(`SELECT ${expression} AS value`);
    expect([type, is(rows[0]?.value as never)]).toEqual([type, true]);
  }
});

test('A mark on a type states that the value may be NULL.', () => {
  const columns = { a: 'text', b: 'text?', c: 'text!' } as const satisfies Columns;
  same<RowOf<typeof columns>, { a: string; b: string | null; c: string }>();
  same<ValuesOf<{ a: 'text'; b: 'text?' }>, { readonly a: string; readonly b: string | null | undefined }>();
  expect(Object.keys(columns)).toHaveLength(3);
});

test('A text that is composed for each use also returns the declared rows.', async () => {
  await addAccount.run(database.sql, first);
  await addAccount.run(database.sql, { ...first, id: id(2), name: 'second' });
  const rows = await listAccounts.rows(database.sql, { tenant: 'demo', order: 'DESC', atLeast: 0 });
  expect(rows.map(({ name }) => name)).toEqual(['second', 'first']);
  expect((await listAccounts.first(database.sql, { tenant: 'demo', order: 'ASC' }))?.name).toBe('first');
  expect(await listAccounts.rows(database.sql, { tenant: 'rival', order: 'ASC' })).toEqual([]);
});

test('A text names all declared parameters.', () => {
  const declare = (text: string) => () =>
    statement({ name: 'test.names', reason: 'set', text, parameters: { tenant: 'text' } });
  expect(declare('SELECT $tenent')).toThrow('has no parameter $tenent');
  expect(declare('SELECT $1, $2')).toThrow('has no parameter $2');
  expect(declare('SELECT 1')).toThrow('no place for its parameter tenant');
  expect(registeredStatements().map(({ name }) => name)).not.toContain('test.names');
});

test('A parameter may be named in several places, beside casts and texts that only resemble a parameter.', async () => {
  const twice = statement({
    name: 'test.twice',
    reason: 'set',
    text: `${plannedAnew}SELECT $a::text || $b::text || $a AS joined, '^x$' AS pattern`,
    parameters: { b: 'text', a: 'text' },
    columns: { joined: 'text', pattern: 'text' },
  });
  expect(twice.text).toContain('SELECT $2::text || $1::text || $2 AS');
  expect(await twice.first(database.sql, { a: '1', b: '2' })).toEqual({ joined: '121', pattern: '^x$' });
});

test('A statement is sent as without a declaration: in one message, prepared when it is used repeatedly.', async () => {
  const sent = await statementsDuring(
    async () => {
      for (let use = 0; use < 5; use += 1)
        await findAccount.first(database.sql, { tenant: 'demo', id: id(1) });
    },
    () => true,
  );
  expect(sent).toEqual(Array(5).fill(findAccount.text));
  const single = open(server.url, 1);
  const { rows } = await single.transaction(async (tx) => {
    for (let use = 0; use < 3; use += 1) await findAccount.first(tx, { tenant: 'demo', id: id(1) });
    return tx.query<{ statement: string }>('SELECT statement FROM pg_prepared_statements');
  });
  await single.close();
  expect(rows.map((row) => row.statement)).toContain(findAccount.text);
});

test('A fragment is inserted into a template as its text.', () => {
  expect(`SELECT ${fragment('a, b', { a: 'text', b: 'text' })} FROM c`).toBe('SELECT a, b FROM c');
});

test('Two statements of one name are detected, of either kind.', () => {
  composedStatement({
    name: 'accounts.find',
    reason: 'search',
    columns: {},
    compose: () => ({ text: 'SELECT', values: [] }),
    examples: () => [],
  });
  expect(() => registeredStatements()).toThrow('two statements with the name accounts.find');
});
