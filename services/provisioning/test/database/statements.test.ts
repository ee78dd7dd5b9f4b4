import { join } from 'node:path';
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
import { schemaName } from '../../src/database/data/database.ts';
import { scans } from '../../src/database/data/invariants.ts';

const service = join(import.meta.dirname, '../..');
const source = join(service, 'src');

let server: TestDatabase;

beforeAll(async () => {
  server = await createTestDatabase({ schema: schemaName, directory: join(service, 'prisma/migrations') });
});

afterAll(() => server.drop());

test('Every statement agrees with the migrated database: its parameters, its columns and their types.', async () => {
  for (const scan of scans(60)) scanStatement(scan);
  const statements = await statementsIn(source, { url: server.url, schema: schemaName });
  expect(await checkStatements(server.url, statements)).toEqual([]);
});

test('No statement converts a column for a comparison, which would read every row of its table.', async () => {
  const statements = await statementsIn(source, { url: server.url, schema: schemaName });
  expect(
    await convertedColumns(
      server.url,
      statements.filter(({ name }) => !name.startsWith('scan of ')),
    ),
  ).toEqual([]);
});

test('SQL is sent only by declared statements, which state their reason.', async () => {
  expect(await undeclaredSql(source)).toEqual([]);
});
