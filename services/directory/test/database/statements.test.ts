import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { scanStatement } from '@ostiary/database';
import {
  checkStatements,
  convertedColumns,
  createTestDatabase,
  statementsIn,
  type TestDatabase,
  undeclaredSql,
} from '@ostiary/database/testing';
import { scans } from '../../src/database/data/invariants.ts';
import { migrations } from '../support/harness.ts';

const source = fileURLToPath(new URL('../../src', import.meta.url));
let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase({ schema: 'directory', directory: migrations });
});
afterAll(() => database.drop());

test('Every statement agrees with the migrated database: its parameters, its columns and their types.', async () => {
  for (const scan of scans(60)) scanStatement(scan);
  const statements = await statementsIn(source, { url: database.url, schema: 'directory' });
  expect(await checkStatements(database.url, statements)).toEqual([]);
});

test('No statement converts a column for a comparison, which would read every row of its table.', async () => {
  const statements = await statementsIn(source, { url: database.url, schema: 'directory' });
  expect(
    await convertedColumns(
      database.url,
      statements.filter(({ name }) => !name.startsWith('scan of ')),
    ),
  ).toEqual([]);
});

test('SQL is sent only by declared statements, which state their reason.', async () => {
  expect(await undeclaredSql(source)).toEqual([]);
});
