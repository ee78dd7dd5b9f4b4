import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { MigrationList } from '@prisma/schema-engine-wasm/schema_engine_bg';
import pg from 'pg';
import { isConnectionError } from '../errors.ts';
import type { DatabaseLog } from '../log.ts';
import { grantToRuntimeRole, type RuntimeRole } from './runtime-role.ts';
import {
  type EngineQuery,
  type EngineSession,
  enginePanic,
  filters,
  isAtomic,
  openEngine,
} from './schema-engine.ts';

/** Why migrating did not work, in one sentence for the person who started it. */
export class MigrationError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'MigrationError';
  }
}

export interface MigrateOptions {
  /** A direct connection, not a transaction pooler: a lock is held across statements. */
  url: string;
  /** The PostgreSQL schema to migrate; made if it isn't there. It holds its own _prisma_migrations. */
  schema: string;
  /** The service's prisma/migrations. */
  directory: string;
  /** Who is to work with it afterwards, if not its owner. */
  role?: RuntimeRole | undefined;
  log?: DatabaseLog;
  /** How long to wait for another process that is migrating the same schema; 60,000 unless said. */
  lockTimeoutMs?: number;
}

/**
 * Applies the migrations that the schema doesn't have yet, each in one transaction, and says which. Safe to start
 * several times at once: one works, the others wait and find nothing left to do. A migration that failed, or whose
 * process was killed, left nothing behind and is tried again the next time.
 * @throws MigrationError
 */
export async function migrate(options: MigrateOptions): Promise<{ applied: string[] }> {
  const { url, schema, directory, role, log, lockTimeoutMs = 60_000 } = options;
  const migrationsList = await readMigrations(directory);
  await (await connect(url)).end();
  let session: EngineSession | undefined;
  try {
    session = await openEngine(url, schema, async (query) => {
      await lock(query, schema, lockTimeoutMs);
      await createSchema(query, schema);
    });
    const applied = await apply(session, migrationsList, schema, log);
    if (role) await grantTo(url, schema, role);
    for (const name of applied) log?.info({ schema, migration: name }, 'migration applied');
    return { applied };
  } catch (error) {
    if (error instanceof MigrationError) throw error;
    if (isConnectionError(error))
      throw new MigrationError(`The database went away while migrating ${schema}.`, error);
    throw new MigrationError(
      `Migrating the schema "${schema}" failed: ${enginePanic() ?? sentence(error)}`,
      error,
    );
  } finally {
    await session?.close();
  }
}

async function grantTo(url: string, schema: string, role: RuntimeRole): Promise<void> {
  const client = await connect(url);
  try {
    await grantToRuntimeRole((text, values) => client.query(text, values), schema, role);
  } finally {
    await client.end();
  }
}

async function apply(
  session: EngineSession,
  migrationsList: MigrationList,
  schema: string,
  log?: DatabaseLog,
): Promise<string[]> {
  const { engine } = session;
  const state = await engine.diagnoseMigrationHistory({
    migrationsList,
    optInToShadowDatabase: false,
    filters,
  });
  for (const name of state.editedMigrationNames) {
    log?.warn({ schema, migration: name }, 'a migration was edited after it had been applied');
  }
  for (const migrationName of state.failedMigrationNames) {
    if (!isAtomic(scriptOf(migrationsList, migrationName))) {
      throw new MigrationError(
        `Migration ${migrationName} of "${schema}" did not finish and may have left something behind: ` +
          'remove that, then set rolled_back_at in its row of _prisma_migrations.',
      );
    }
    await engine.markMigrationRolledBack({ migrationName });
  }
  try {
    const { appliedMigrationNames } = await engine.applyMigrations({ migrationsList, filters });
    return appliedMigrationNames;
  } catch (error) {
    const reason = session.scriptError();
    if (!reason) throw error;
    const after = await engine.diagnoseMigrationHistory({
      migrationsList,
      optInToShadowDatabase: false,
      filters,
    });
    const name = after.failedMigrationNames[0] ?? 'unknown';
    const code = reason.code ? ` (SQLSTATE ${reason.code})` : '';
    throw new MigrationError(`Migration ${name} of "${schema}" failed: ${sentence(reason)}${code}.`, error);
  }
}

/** Reads a Prisma migrations folder: one folder per migration, in the order of their names. */
export async function readMigrations(directory: string): Promise<MigrationList> {
  const entries = await readdir(directory, { withFileTypes: true }).catch((error: unknown) => {
    throw new MigrationError(`There are no migrations in ${directory}.`, error);
  });
  const names = entries
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort();
  return {
    baseDir: directory,
    lockfile: {
      path: 'migration_lock.toml',
      content: await readFile(join(directory, 'migration_lock.toml'), 'utf8').catch(() => null),
    },
    shadowDbInitScript: '',
    migrationDirectories: await Promise.all(
      names.map(async (name) => {
        const value = await readFile(join(directory, name, 'migration.sql'), 'utf8').catch(
          (error: unknown) => {
            throw new MigrationError(
              `Migration ${name} in ${directory} has no readable migration.sql.`,
              error,
            );
          },
        );
        return { path: name, migrationFile: { path: 'migration.sql', content: { tag: 'ok', value } } };
      }),
    ),
  };
}

const scriptOf = (list: MigrationList, name: string): string => {
  const content = list.migrationDirectories.find(({ path }) => path === name)?.migrationFile.content;
  return content?.tag === 'ok' ? content.value : '';
};

/** Connects, or says where it could not; never with the password. */
export async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5000 });
  client.on('error', () => {});
  try {
    await client.connect();
    return client;
  } catch (error) {
    await client.end().catch(() => {});
    const place = `${client.host}:${client.port}/${client.database ?? ''}`;
    throw new MigrationError(`Cannot connect to the database ${place}: ${sentence(error)}.`, error);
  }
}

/**
 * Taken on the engine's own connection: when this process is killed, the server goes on with the script it was given, and
 * the lock must last as long as that. One for all schemas of a database: whose migration has its turn second would wait in a
 * statement for the engine's own lock, which is one for all, and a CREATE INDEX CONCURRENTLY waits for every statement there is.
 */
async function lock(query: EngineQuery, schema: string, timeoutMs: number): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const [row] = await query<{ locked: boolean }>(
      "SELECT pg_try_advisory_lock(hashtextextended('ostiary migrate', 0)) AS locked",
    );
    if (row?.locked) return;
    if (Date.now() > deadline) {
      throw new MigrationError(
        `Another process has been migrating the database of the schema "${schema}" for too long; gave up.`,
      );
    }
    await sleep(100);
  }
}

/** Checked first, as CREATE SCHEMA IF NOT EXISTS wants the right to create even where there is nothing to create. */
async function createSchema(query: EngineQuery, schema: string): Promise<void> {
  const existing = await query('SELECT 1 AS found FROM pg_namespace WHERE nspname = $1', [schema]);
  if (existing.length === 0) {
    await query(`CREATE SCHEMA IF NOT EXISTS ${pg.escapeIdentifier(schema)}`);
  }
}

function sentence(error: unknown): string {
  const { errors, message } = error as { errors?: unknown[]; message?: unknown };
  if (Array.isArray(errors) && errors.length > 0) return sentence(errors[0]);
  return (
    String(message ?? error)
      .trim()
      .split('\n', 1)[0] ?? ''
  ).replace(/\.$/, '');
}
