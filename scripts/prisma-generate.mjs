#!/usr/bin/env node
/**
 * Generates the Prisma client of the package in the current directory (prisma/schema.prisma), and the lists of its migrations and tables,
 * by which a process tells whether a database is one it can work with: migrations.ts beside the client.
 *
 * `prisma generate` requires a schema engine and would download a binary, although the generated client has none. Any
 * executable satisfies it, so this works without a network.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const require = createRequire(import.meta.url);
const prisma = join(dirname(require.resolve('prisma/package.json')), 'build', 'index.js');

const run = spawnSync(
  process.execPath,
  [prisma, 'generate', '--schema', 'prisma/schema.prisma', '--no-hints'],
  {
    encoding: 'utf8',
    env: {
      ...process.env,
      PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
      PRISMA_HIDE_UPDATE_MESSAGE: '1',
      CHECKPOINT_DISABLE: '1',
    },
  },
);

if (run.error) throw run.error;
if (run.status !== 0) {
  process.stderr.write(`${run.stdout}${run.stderr}`);
  process.exit(run.status ?? 1);
}
const migrations = join('prisma', 'migrations');
const schema = readFileSync(join('prisma', 'schema.prisma'), 'utf8');
const generated = join('prisma', /output\s*=\s*"(.+)"/.exec(schema)?.[1] ?? '');
// A test's schema has its client elsewhere, and no version.
if (existsSync(migrations) && existsSync(generated)) {
  const names = readdirSync(migrations, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();
  const tables = [...schema.matchAll(/@@map\("(\w+)"\)/g)].map(([, name]) => name).sort();
  const listed = (list) => JSON.stringify(list, null, 2);
  writeFileSync(
    join(generated, 'migrations.ts'),
    `/** Every migration that this version knows. */\nexport const migrations: readonly string[] = ${listed(names)};\n
/** Every table that this version works with. */\nexport const tables: readonly string[] = ${listed(tables)};\n`,
  );
}
process.stdout.write('Prisma client generated.\n');
