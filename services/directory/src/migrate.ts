import { fileURLToPath } from 'node:url';
import { createDatabase, migrate, runtimeRoleFrom } from '@ostiary/database';
import { createLog, EnvironmentError, migrationEnv, parseEnv } from '@ostiary/service';
import { PrismaClient } from './database/generated/client.ts';
import { rekeyGroupNames } from './groups/data/group-names.ts';
import { countTwins, rekeyUserNames } from './users/data/user-names.ts';

/** Path of the migrations, relative to src and dist alike. */
export const migrationsDirectory = fileURLToPath(new URL('../prisma/migrations', import.meta.url));

/** Migrates the schema `directory`, then exits. Exits with 1 and one sentence when that fails. */
async function run(): Promise<void> {
  const env = parseEnv(migrationEnv);
  const log = createLog('directory-migrate', env.LOG_LEVEL);
  const { applied } = await migrate({
    url: env.DATABASE_URL,
    schema: 'directory',
    directory: migrationsDirectory,
    role: runtimeRoleFrom(env),
    log,
  });
  log.info({ event: 'migration.completed', applied }, 'Schema is up to date');

  const database = createDatabase({
    url: env.DATABASE_URL,
    schema: 'directory',
    poolSize: 1,
    log,
    prisma: (adapter) => new PrismaClient({ adapter }),
  });
  try {
    let made = await rekeyUserNames(database.sql);
    made += await rekeyGroupNames(database.sql);
    if (made > 0)
      log.info(
        { event: 'migration.name_keys_rebuilt', made, shared: await countTwins(database.sql) },
        'Name keys rebuilt',
      );
  } finally {
    await database.close();
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  run().catch((error: unknown) => {
    const problems = error instanceof EnvironmentError ? error.problems : [(error as Error).message];
    for (const problem of problems) console.error(`directory: ${problem}`);
    process.exitCode = 1;
  });
}
