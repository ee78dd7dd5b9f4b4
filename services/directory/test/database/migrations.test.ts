import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createTestDatabase, migrationDrift, type TestDatabase } from '@ostiary/database/testing';
import { migrations, schemaFile } from '../support/harness.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase({ schema: 'directory', directory: migrations });
});
afterAll(() => database.drop());

test('The migrations produce exactly the schema of schema.prisma.', async () => {
  expect(await migrationDrift({ url: database.url, schema: 'directory', schemaFile })).toBeUndefined();
});
