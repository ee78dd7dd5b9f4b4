import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { createTestDatabase, migrationDrift } from '@ostiary/database/testing';
import { schemaName } from '../../src/database/data/database.ts';
import { migrations } from '../support/service.ts';

test('The migrations produce exactly the schema of schema.prisma.', async () => {
  const database = await createTestDatabase({ schema: schemaName, directory: migrations });
  try {
    const schemaFile = fileURLToPath(new URL('../../prisma/schema.prisma', import.meta.url));
    expect(await migrationDrift({ url: database.url, schema: schemaName, schemaFile })).toBeUndefined();
  } finally {
    await database.drop();
  }
});
