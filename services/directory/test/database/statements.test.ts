import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import {
  checkStatements,
  createTestDatabase,
  statementsIn,
  type TestDatabase,
  undeclaredSql,
} from '@ostiary/database/testing';
import { migrations } from '../support/harness.ts';

const source = fileURLToPath(new URL('../../src', import.meta.url));
let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase({ schema: 'directory', directory: migrations });
});
afterAll(() => database.drop());

test('Every statement agrees with the migrated database: its parameters, its columns and their types.', async () => {
  const statements = await statementsIn(source);
  expect(await checkStatements(database.url, statements)).toEqual([]);
});

test('SQL is sent by statements that are declared, and give their reason.', async () => {
  expect(await undeclaredSql(source)).toEqual([]);
});
