import { fileURLToPath } from 'node:url';
import { createDatabase, migrate, runtimeRoleFrom } from '@ostiary/database';
import { createKit, EnvironmentError, migrationEnv, parseEnv } from '@ostiary/service';
import { PrismaClient } from './database/generated/client.ts';
import { rekeyUserNames } from './subjects/data/index.ts';

/** Where the migrations are, seen from src/ and from dist/. */
const directory = fileURLToPath(new URL('../prisma/migrations', import.meta.url));

/** One-shot: brings the schema `auth` up to date. Exit code 0 when it is, 1 with one sentence when it couldn't be. */
async function run(): Promise<void> {
  try {
    const env = parseEnv(migrationEnv);
    const { log } = createKit({ name: 'auth', logLevel: env.LOG_LEVEL });
    const { applied } = await migrate({
      url: env.DATABASE_URL,
      schema: 'auth',
      directory,
      role: runtimeRoleFrom(env),
    });
    log.info({ event: 'migration.completed', applied }, 'Schema is up to date');
    const database = createDatabase({
      url: env.DATABASE_URL,
      schema: 'auth',
      poolSize: 1,
      log,
      prisma: (adapter) => new PrismaClient({ adapter }),
    });
    try {
      const made = await rekeyUserNames(database.sql);
      if (made > 0) log.info({ event: 'migration.name_keys_rebuilt', made }, 'User name keys rebuilt');
    } finally {
      await database.close();
    }
  } catch (error) {
    const sentences =
      error instanceof EnvironmentError ? error.problems : [error instanceof Error ? error.message : error];
    for (const sentence of sentences) console.error(`auth: ${sentence}`);
    process.exitCode = 1;
  }
}

void run();
