import { migrate } from './migrate.ts';
import { createScratchDatabase, type ScratchDatabase } from './scratch.ts';

export { migrationDrift } from './migrations.ts';

export type TestDatabase = ScratchDatabase;

/**
 * A database of the suite's own on the server of TEST_DATABASE_URL (or `url`), migrated if `directory` is given.
 * @throws Error when TEST_DATABASE_URL is missing; MigrationError
 */
export async function createTestDatabase(
  o: { schema?: string; directory?: string; url?: string } = {},
): Promise<TestDatabase> {
  const server = o.url ?? process.env.TEST_DATABASE_URL;
  if (!server)
    throw new Error('TEST_DATABASE_URL is not set: `npm test` at the root starts a database and sets it.');
  const database = await createScratchDatabase(server, `test_${o.schema ?? 'empty'}`);
  if (o.schema && o.directory) {
    try {
      await migrate({ url: database.url, schema: o.schema, directory: o.directory });
    } catch (error) {
      await database.drop();
      throw error;
    }
  }
  return database;
}
