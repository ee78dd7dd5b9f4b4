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
import { scans } from '../../../src/invariants.ts';

const service = join(import.meta.dirname, '../../..');
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

test('No statement converts a column for a comparison, which would read every row of the table.', async () => {
  const statements = await statementsIn(source, { url: server.url, schema: 'auth' });
  // Reads the deliveries of one user, or the few receivers and initial access tokens of a tenant.
  const few = ['offboarding.deliveries', 'credential_owners.end_initial_access_tokens'];
  const scanned = (name: string): boolean => name.startsWith('scan of ');
  expect(
    await convertedColumns(
      server.url,
      statements.filter(({ name }) => !few.includes(name) && !scanned(name)),
    ),
  ).toEqual([]);
});

test('Every SQL statement is declared with its reason.', async () => {
  expect(await undeclaredSql(source)).toEqual([]);
});
