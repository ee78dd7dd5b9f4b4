import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { MigrationList } from '@prisma/schema-engine-wasm/schema_engine_bg';
import pg from 'pg';
import { RoutedClient, routingTo } from '../connection/routed-client.ts';
import { requireSupportedDatabase } from '../connection/supported.ts';
import { isConnectionError } from '../errors.ts';
import type { DatabaseLog } from '../log.ts';
import { clearIndex, loneIndexOf, scriptOf } from './interrupted.ts';
import { askingAdministrator, refusalOf } from './preparation.ts';
import {
  grantToRuntimeRole,
  keepValuesOutOfLog,
  makeRuntimeRole,
  type Query,
  type RuntimeRole,
  terse,
  unfitFor,
} from './runtime-role.ts';
import {
  type EngineQuery,
  type EngineSession,
  enginePanic,
  filters,
  isAtomic,
  openEngine,
} from './schema-engine.ts';

/** Reason of a failed migration, as one sentence for the operator. */
export class MigrationError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'MigrationError';
  }
}

export interface MigrateOptions {
  /** A direct connection, not a transaction pooler: a lock is held across statements. */
  url: string;
  /** PostgreSQL schema to migrate, created if missing. It has its own _prisma_migrations. */
  schema: string;
  /** The service's prisma/migrations. */
  directory: string;
  /** Role that works with the schema, if not its owner. */
  role?: RuntimeRole | undefined;
  log?: DatabaseLog;
  /** Timeout in ms of waiting for another process that migrates the same schema, default 60,000. */
  lockTimeoutMs?: number;
}

/**
 * Applies missing migrations, each in one transaction, and returns them. Safe to run concurrently: one
 * process works, the others wait and find nothing left. A failed or interrupted migration leaves nothing
 * behind and is retried at the next run.
 * @throws MigrationError, UnsupportedDatabase
 */
export async function migrate(options: MigrateOptions): Promise<{ applied: string[] }> {
  const { url, schema, directory, role, log, lockTimeoutMs = 60_000 } = options;
  const migrationsList = await readMigrations(directory);
  await requireSupportedDatabase(url);
  await (await connect(url)).end();
  let session: EngineSession | undefined;
  try {
    session = await openEngine(url, schema, async (query) => {
      await lock(query, schema, lockTimeoutMs);
      await createSchema(query, schema);
    });
    if (role) await onConnection(url, (query) => prepareRole(query, role, log));
    const applied = await apply({ session, migrationsList, schema, log });
    if (role) await onConnection(url, (query) => grantToRuntimeRole(query, schema, role));
    for (const name of applied)
      log?.info({ event: 'migration.applied', schema, migration: name }, 'Migration applied');
    return { applied };
  } catch (error) {
    const refused = refusalOf(error, session?.scriptError());
    if (refused !== undefined) throw await lackingRights(options, refused, error);
    if (error instanceof MigrationError) throw error;
    if (isConnectionError(error))
      throw new MigrationError(
        `The connection to the database was lost during the migration of ${schema}.`,
        error,
      );
    throw new MigrationError(
      `Migrating the schema "${schema}" failed: ${enginePanic() ?? sentence(error)}`,
      error,
    );
  } finally {
    await session?.close();
  }
}

async function prepareRole(query: Query, role: RuntimeRole, log: DatabaseLog | undefined): Promise<void> {
  const unfit = await unfitFor(query, role);
  if (unfit !== undefined) throw new MigrationError(unfit);
  await makeRuntimeRole(query, role);
  if (await keepValuesOutOfLog(query, role.name)) return;
  log?.warn(
    { event: 'migration.verbose_error_log', role: role.name, statement: terse(role.name) },
    'PostgreSQL logs row values with errors of this role; a database administrator must run the statement',
  );
}

/** Runs work that names the schema itself. */
async function onConnection<T>(url: string, work: (query: Query) => Promise<T>): Promise<T> {
  const client = await connect(url);
  try {
    return await work((text, values) => client.query(text, values));
  } finally {
    await client.end();
  }
}

async function lackingRights(o: MigrateOptions, refused: string, cause: unknown): Promise<MigrationError> {
  const { schema, role } = o;
  const message = await onConnection(o.url, (query) => askingAdministrator(query, { schema, role, refused }));
  return new MigrationError(message, cause);
}

interface Applying {
  session: EngineSession;
  migrationsList: MigrationList;
  schema: string;
  log?: DatabaseLog | undefined;
}

const diagnose = ({ session, migrationsList }: Applying) =>
  session.engine.diagnoseMigrationHistory({ migrationsList, optInToShadowDatabase: false, filters });

async function apply(o: Applying): Promise<string[]> {
  const { session, migrationsList, schema, log } = o;
  const { engine } = session;
  const state = await diagnose(o);
  for (const name of state.editedMigrationNames) {
    log?.warn(
      { event: 'migration.edited', schema, migration: name },
      'Migration was edited after it had been applied',
    );
  }
  const healed = await heal(o, state.failedMigrationNames);
  try {
    const { appliedMigrationNames } = await engine.applyMigrations({ migrationsList, filters });
    return [...healed, ...appliedMigrationNames];
  } catch (error) {
    const reason = session.scriptError();
    if (!reason) throw error;
    const name = (await diagnose(o)).failedMigrationNames[0] ?? 'unknown';
    const code = reason.code ? ` (SQLSTATE ${reason.code})` : '';
    throw new MigrationError(`Migration ${name} of "${schema}" failed: ${sentence(reason)}${code}.`, reason);
  }
}

/**
 * Resolves interrupted migrations. A script in one transaction left nothing and is applied again; a
 * concurrently built index may exist partly, or completely but unrecorded.
 * @returns the migrations that were complete
 */
async function heal(o: Applying, failed: readonly string[]): Promise<string[]> {
  const { session, migrationsList, schema, log } = o;
  const done: string[] = [];
  for (const migrationName of failed) {
    const script = scriptOf(migrationsList, migrationName);
    const lone = loneIndexOf(script);
    if (!lone && !isAtomic(script)) {
      throw new MigrationError(
        `Migration ${migrationName} of "${schema}" did not finish and may have left partial changes: ` +
          'remove them, then set rolled_back_at in its row of _prisma_migrations.',
      );
    }
    if (lone && (await clearIndex(session.query, schema, lone)) === 'done') {
      await session.engine.markMigrationApplied({ migrationName, migrationsList });
      done.push(migrationName);
    } else {
      log?.info(
        { event: 'migration.retried', schema, migration: migrationName },
        'Retrying an unfinished migration',
      );
      await session.engine.markMigrationRolledBack({ migrationName });
    }
  }
  await clearUnnoted(o);
  return done;
}

/** Drops partial indexes of migrations without a row, whose rows an operator removed. */
async function clearUnnoted({ session, migrationsList, schema }: Applying): Promise<void> {
  const applied = await session
    .query<{ name: string }>(
      'SELECT migration_name AS name FROM _prisma_migrations WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL',
    )
    .catch(() => []);
  const isApplied = new Set(applied.map(({ name }) => name));
  for (const { path } of migrationsList.migrationDirectories) {
    const lone = isApplied.has(path) ? undefined : loneIndexOf(scriptOf(migrationsList, path));
    if (lone?.action === 'create') await clearIndex(session.query, schema, lone);
  }
}

/** Reads a Prisma migrations folder: one folder per migration, in the order of names. */
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

/** Connects, or throws an error with the address, without the password. */
export async function connect(url: string): Promise<pg.Client> {
  const client = new RoutedClient({ ...routingTo(url), connectionTimeoutMillis: 5000 });
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
 * On the engine's own connection: if this process is killed, the server continues the script, and the lock
 * must last as long. One lock for all schemas of a database: otherwise a waiting migration would hold a
 * statement open at the engine's own lock, and CREATE INDEX CONCURRENTLY waits for every statement.
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
        `Another process holds the migration lock of the schema "${schema}" for too long.`,
      );
    }
    await sleep(100);
  }
}

/** Checked first, because CREATE SCHEMA IF NOT EXISTS requires the privilege even for an existing schema. */
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
