import { fileURLToPath } from 'node:url';
import { migrate, runtimeRoleFrom } from '@ostiary/database';
import { createKit, EnvironmentError, migrationEnv, parseEnv } from '@ostiary/service';
import { schemaName } from './database/data/database.ts';

/** Path of the migrations, relative to the source and to the build alike. */
const directory = fileURLToPath(new URL('../prisma/migrations', import.meta.url));

async function run(): Promise<void> {
  try {
    const env = parseEnv(migrationEnv);
    const { log } = createKit({ name: 'provisioning-migrate', logLevel: env.LOG_LEVEL });
    const { applied } = await migrate({
      url: env.DATABASE_URL,
      schema: schemaName,
      directory,
      role: runtimeRoleFrom(env),
      log,
    });
    log.info({ event: 'migration.completed', applied }, 'Schema is up to date');
  } catch (error) {
    const problems = error instanceof EnvironmentError ? error.problems : [(error as Error).message];
    for (const problem of problems) console.error(`provisioning: ${problem}`);
    process.exitCode = 1;
  }
}

void run();
