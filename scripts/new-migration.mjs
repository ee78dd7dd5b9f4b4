#!/usr/bin/env node
/**
 * Writes the migration from a service's existing migrations to its prisma/schema.prisma.
 *
 *   cd services/<service> && node ../../scripts/new-migration.mjs add_login_attempts
 *
 * The PostgreSQL schema is the folder's name, or the second argument. TEST_DATABASE_URL or DATABASE_URL names a server
 * for
 * a temporary database; other databases on it are unchanged.
 */
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';

const fail = (sentence) => {
  console.error(sentence);
  process.exit(1);
};

const { createMigration } = await import('@ostiary/database/migrations').catch(() =>
  fail('Build libs/database first: npx turbo run build --filter=@ostiary/database'),
);

const [name, schema = basename(process.cwd())] = process.argv.slice(2);
const url = process.env.TEST_DATABASE_URL ?? process.env.DATABASE_URL;
if (!name) fail('Usage: new-migration.mjs NAME [SCHEMA], in the folder of a service.');
if (!url)
  fail(
    'Set TEST_DATABASE_URL or DATABASE_URL to a PostgreSQL server on which a temporary database can be created.',
  );

const schemaFile = join('prisma', 'schema.prisma');
await readFile(schemaFile).catch(() => fail(`There is no ${schemaFile} here.`));
try {
  const directory = join('prisma', 'migrations');
  const folder = await createMigration({ url, schema, schemaFile, directory, name });
  process.stdout.write(folder ? `${join(directory, folder, 'migration.sql')}\n` : 'Nothing to change.\n');
} catch (error) {
  fail(error instanceof Error ? error.message : String(error));
}
