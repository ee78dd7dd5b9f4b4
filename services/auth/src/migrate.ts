import { fileURLToPath } from 'node:url';
import { createDatabase, migrate, runtimeRoleFrom } from '@ostiary/database';
import { createKit, EnvironmentError, migrationEnv, parseEnv } from '@ostiary/service';
import { PrismaClient } from './platform/database/generated/client.ts';
import { rekeyUserNames } from './tenancy/users/data/user-names.ts';

/** Directory of the migrations, relative to src/ and dist/. */
const directory = fileURLToPath(new URL('../prisma/migrations', import.meta.url));

/** Migrates the schema `auth` to the current version and exits: 0 on success, 1 with one sentence on failure. */
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
