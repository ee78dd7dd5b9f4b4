import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { connectReadOnly, statement } from '../src/index.ts';
import { createTestDatabase, type TestDatabase } from '../src/testing.ts';
import { open } from './support/fixture.ts';

const values = statement({
  name: 'read only.values',
  reason: 'set',
  text: `SELECT 42::int8 AS small, 9007199254740993::int8 AS large, '2026-02-03'::date AS day, ARRAY[7::int8] AS list`,
  columns: { small: 'int8', large: 'int8', day: 'date', list: 'int8[]' },
});

let server: TestDatabase;

beforeAll(async () => {
  server = await createTestDatabase();
});
afterAll(() => server.drop());

test('A statement returns the same on a connection that only reads as on one of the pool.', async () => {
  const [pooled, readOnly] = [
    open(server.url),
    await connectReadOnly(server.url, { statementTimeoutMs: 5_000 }),
  ];
  try {
    const expected = { small: 42, large: '9007199254740993', day: '2026-02-03', list: [7] };
    expect(await values.first(pooled.sql)).toEqual(expected);
    expect(await values.first(readOnly)).toEqual(expected);
    await expect(readOnly.query('CREATE TABLE public.written ()')).rejects.toMatchObject({ code: '25006' });
  } finally {
    await readOnly.close();
    await pooled.close();
  }
});
