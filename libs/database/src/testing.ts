import { createHash } from 'node:crypto';
import pg from 'pg';
import { connect, migrate, readMigrations } from './migration/migrate.ts';
import { type Administer, createScratchDatabase, type ScratchDatabase } from './migration/scratch.ts';
import type { Sql } from './sql.ts';

export { migrationDrift } from './migrations.ts';

export { RowsRead, staysWithin } from './rows-read.ts';
export { checkStatements } from './statements/check.ts';
export { convertedColumns } from './statements/plans.ts';
export { statementsIn, undeclaredSql } from './statements/source.ts';

export type TestDatabase = ScratchDatabase;

/**
 * Creates a database for a test suite on the server of TEST_DATABASE_URL (or `url`), migrated if `directory`
 * is given. Migrating takes a second, so it is done once for all suites of a run, which get copies.
 * @throws Error if TEST_DATABASE_URL is missing; MigrationError
 */
export async function createTestDatabase(
  o: { schema?: string; directory?: string; url?: string } = {},
): Promise<TestDatabase> {
  const server = o.url ?? process.env.TEST_DATABASE_URL;
  if (!server)
    throw new Error('TEST_DATABASE_URL is not set: `npm test` at the root starts a database and sets it.');
  const template =
    o.schema && o.directory ? await migratedTemplate(server, o.schema, o.directory) : 'template0';
  return createScratchDatabase(server, `test_${o.schema ?? 'empty'}`, { template, administer });
}

/** Its types omit the methods that let the process end. */
type Referable = pg.Client & { ref(): void; unref(): void };

/**
 * Connection on which databases are created and dropped, with its number of users. It does not keep an idle
 * process running.
 */
interface Administrator {
  connection: Promise<Referable>;
  working: number;
}

/** Of this process, by server: connecting costs more than copying a database. */
const administrators = new Map<string, Administrator>();

const administer: Administer = async (url, work) => {
  const administrator = administrators.get(url) ?? connectAdministrator(url);
  administrator.working += 1;
  try {
    const admin = await administrator.connection;
    admin.ref();
    return await work(admin);
  } finally {
    administrator.working -= 1;
    if (administrator.working === 0)
      await administrator.connection.then(
        (admin) => admin.unref(),
        () => {},
      );
  }
};

function connectAdministrator(url: string): Administrator {
  const administrator = { connection: connect(url) as Promise<Referable>, working: 0 };
  administrators.set(url, administrator);
  const forget = () => void administrators.delete(url);
  administrator.connection.then((admin) => admin.once('end', forget), forget);
  return administrator;
}

/** Of this process, by server and folder: migrations do not change while tests run. */
const templates = new Map<string, Promise<string>>();

function migratedTemplate(server: string, schema: string, directory: string): Promise<string> {
  const key = `${schema} ${directory} ${server}`;
  const known = templates.get(key) ?? findTemplate(server, schema, directory);
  templates.set(key, known);
  known.catch(() => templates.delete(key));
  return known;
}

/** Returns the name of a template database with exactly these migrations, creating it if needed. */
async function findTemplate(server: string, schema: string, directory: string): Promise<string> {
  const migrations = JSON.stringify((await readMigrations(directory)).migrationDirectories);
  const digest = createHash('sha256').update(migrations).digest('hex').slice(0, 16);
  const name = `template_${schema}_${digest}`;
  // A separate connection, which may wait for another process, and releases the lock when it closes.
  const locking = await connect(server);
  try {
    await locking.query('SELECT pg_advisory_lock(hashtextextended($1, 0))', [name]);
    const { rowCount } = await locking.query('SELECT 1 FROM pg_database WHERE datname = $1', [name]);
    if (rowCount === 0) await makeTemplate(locking, { server, name, schema, directory });
  } finally {
    await locking.end();
  }
  return name;
}

/** Renames the database when complete: a failed or interrupted one is no template. */
async function makeTemplate(
  admin: pg.Client,
  o: { server: string; name: string; schema: string; directory: string },
): Promise<void> {
  const draft = await createScratchDatabase(o.server, `draft_${o.schema}`, { administer });
  try {
    await migrate({ url: draft.url, schema: o.schema, directory: o.directory });
    const made = new URL(draft.url).pathname.slice(1);
    await admin.query(`ALTER DATABASE ${pg.escapeIdentifier(made)} RENAME TO ${pg.escapeIdentifier(o.name)}`);
  } catch (error) {
    await draft.drop();
    throw error;
  }
}

/** A statement sent to PostgreSQL. */
export interface SentStatement {
  text: string;
  values: readonly unknown[];
}

/**
 * Records all statements that connections of this process send during the work, including those of Prisma and
 * transactions, except the settings of new connections.
 * @param counts filter of statements, because background work sends statements too
 */
export async function sentDuring(
  work: () => Promise<unknown>,
  counts: () => boolean,
): Promise<SentStatement[]> {
  const sent: SentStatement[] = [];
  const { prototype } = pg.Client;
  const { query } = prototype;
  prototype.query = function (this: pg.Client, ...call: unknown[]) {
    const [statement, given] = call as [string | { text: string; values?: unknown[] }, unknown];
    const text = typeof statement === 'string' ? statement : statement.text;
    const values = typeof statement === 'string' || !statement.values ? given : statement.values;
    if (!text.startsWith('SET ') && counts())
      sent.push({ text, values: Array.isArray(values) ? values : [] });
    return (query as (...args: unknown[]) => unknown).apply(this, call);
  } as typeof query;
  try {
    await work();
  } finally {
    prototype.query = query;
  }
  return sent;
}

/** Returns the texts of the statements sent during the work. */
export async function statementsDuring(
  work: () => Promise<unknown>,
  counts: () => boolean,
): Promise<string[]> {
  return (await sentDuring(work, counts)).map(({ text }) => text);
}

/** Returns the number of rows of each table of a schema. */
export async function rowsByTable(sql: Sql, schema: string): Promise<Map<string, number>> {
  const { rows } = await sql.query<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.tables
      WHERE table_schema = $1 AND table_type = 'BASE TABLE' ORDER BY table_name`,
    [schema],
  );
  const counts = rows.map(
    ({ name }) => `SELECT '${name}' AS name, count(*)::int AS total FROM "${schema}"."${name}"`,
  );
  const counted = await sql.query<{ name: string; total: number }>(counts.join(' UNION ALL '));
  return new Map(counted.rows.map(({ name, total }) => [name, total]));
}
