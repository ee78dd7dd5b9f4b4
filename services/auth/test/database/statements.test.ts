import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { scanStatement } from '@ostiary/database';
import {
  checkStatements,
  createTestDatabase,
  statementsIn,
  type TestDatabase,
  undeclaredSql,
} from '@ostiary/database/testing';
import { scans } from '../../src/upkeep/data/invariants.ts';

const service = join(import.meta.dirname, '../..');
const source = join(service, 'src');

let server: TestDatabase;

beforeAll(async () => {
  server = await createTestDatabase({ schema: 'auth', directory: join(service, 'prisma/migrations') });
});

afterAll(() => server.drop());

test('Every statement agrees with the migrated database: its parameters, its columns and their types.', async () => {
  for (const scan of scans(60)) scanStatement(scan);
  const statements = await statementsIn(source, { url: server.url, schema: 'auth' });
  expect(await checkStatements(server.url, statements)).toEqual([]);
});

test('SQL is sent by statements that are declared, and give their reason.', async () => {
  expect(await undeclaredSql(source)).toEqual([]);
});
