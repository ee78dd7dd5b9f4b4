#!/usr/bin/env node
/**
 * Generates the Prisma client of the package in the current directory (prisma/schema.prisma).
 *
 * `prisma generate` insists on having a schema engine although the generated client has none: it would download a
 * binary. Naming any executable as that engine is enough, so this works without a network.
 */
import { spawnSync } from 'node:child_process';
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
process.stdout.write('Prisma client generated.\n');
