import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { MigrationError, migrate } from './migration/migrate.ts';
import { filters, openEngine } from './migration/schema-engine.ts';
import { createScratchDatabase } from './migration/scratch.ts';

export { type MigrateOptions, MigrationError, migrate } from './migration/migrate.ts';

/** Returns the SQL that migrates a database to schemaFile; empty if there is no difference. */
async function difference(url: string, schema: string, schemaFile: string): Promise<string> {
  const content = await readFile(schemaFile, 'utf8');
  const session = await openEngine(url, schema);
  try {
    const result = await session.engine.diff({
      // The engine's own connection, independent of the file.
      from: { tag: 'schemaDatasource', files: [{ path: schemaFile, content }], configDir: '.' },
      to: { tag: 'schemaDatamodel', files: [{ path: schemaFile, content }] },
      script: true,
      exitCode: true,
      filters,
    });
    return result.exitCode === 0 ? '' : (result.stdout ?? '');
  } finally {
    await session.close();
  }
}

/**
 * Returns the difference between a migrated database and schema.prisma as SQL; undefined if there is none.
 * Expression and partial indexes, checks, functions and triggers, which schema.prisma cannot express, are not
 * compared.
 */
export async function migrationDrift(o: {
  url: string;
  schema: string;
  schemaFile: string;
}): Promise<string | undefined> {
  const sql = await difference(o.url, o.schema, o.schemaFile);
  return sql.trim() === '' ? undefined : sql;
}

/**
 * Writes the migration from the existing ones to schema.prisma:
 * `<directory>/<timestamp>_<name>/migration.sql`. The existing ones are applied to a temporary database on
 * the server of `url`.
 * @returns the name of the new folder, or undefined if there is no difference
 * @throws MigrationError
 */
export async function createMigration(o: {
  url: string;
  schema: string;
  schemaFile: string;
  directory: string;
  name: string;
}): Promise<string | undefined> {
  const slug = o.name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_|_$/g, '');
  if (!slug) throw new MigrationError('A migration needs a name made of letters and digits.');
  await mkdir(o.directory, { recursive: true });
  const scratch = await createScratchDatabase(o.url, 'ostiary_migration');
  try {
    await migrate({ url: scratch.url, schema: o.schema, directory: o.directory });
    const sql = await difference(scratch.url, o.schema, o.schemaFile);
    if (sql.trim() === '') return undefined;
    const timestamp = new Date().toISOString().replace(/\D/g, '').slice(0, 14);
    const folder = `${timestamp}_${slug}`;
    await mkdir(join(o.directory, folder));
    await writeFile(join(o.directory, folder, 'migration.sql'), sql.endsWith('\n') ? sql : `${sql}\n`);
    await writeLockfile(o.directory);
    return folder;
  } finally {
    await scratch.drop();
  }
}

/** Required by `prisma migrate deploy`. */
async function writeLockfile(directory: string): Promise<void> {
  const file = join(directory, 'migration_lock.toml');
  const exists = await stat(file).then(
    () => true,
    () => false,
  );
  if (!exists) await writeFile(file, '# Written by scripts/new-migration.mjs\nprovider = "postgresql"\n');
}
