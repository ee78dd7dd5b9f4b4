import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import {
  checkStatements,
  createTestDatabase,
  statementsIn,
  type TestDatabase,
  undeclaredSql,
} from '@ostiary/database/testing';
import { schemaName } from '../../src/database/data/database.ts';

const service = join(import.meta.dirname, '../..');
const source = join(service, 'src');

let server: TestDatabase;

beforeAll(async () => {
  server = await createTestDatabase({ schema: schemaName, directory: join(service, 'prisma/migrations') });
});

afterAll(() => server.drop());

test('Every statement agrees with the migrated database: its parameters, its columns and their types.', async () => {
  expect(await checkStatements(server.url, await statementsIn(source))).toEqual([]);
});

test('SQL is sent by statements that are declared, and give their reason.', async () => {
  expect(await undeclaredSql(source)).toEqual([]);
});
