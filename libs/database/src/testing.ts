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
 * A database of the suite's own on the server of TEST_DATABASE_URL (or `url`), migrated if `directory` is given. Migrating takes a
 * second, so it is done once for all suites of a run, which then get copies.
 * @throws Error when TEST_DATABASE_URL is missing; MigrationError
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

/** Its types leave out that it may let the process end. */
type Referable = pg.Client & { ref(): void; unref(): void };

/** A connection on which databases are made and removed, and how many are about it: it keeps no process alive that has nothing else to do. */
interface Administrator {
  connection: Promise<Referable>;
  working: number;
}

/** Of this process, by server: to connect costs more than to copy a database. */
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

/** Of this process, by server and folder: nobody changes a service's migrations while its tests run. */
const templates = new Map<string, Promise<string>>();

function migratedTemplate(server: string, schema: string, directory: string): Promise<string> {
  const key = `${schema} ${directory} ${server}`;
  const known = templates.get(key) ?? findTemplate(server, schema, directory);
  templates.set(key, known);
  known.catch(() => templates.delete(key));
  return known;
}

/** The name of a database to copy, in which these very migrations have been applied; made by whoever needs it first. */
async function findTemplate(server: string, schema: string, directory: string): Promise<string> {
  const migrations = JSON.stringify((await readMigrations(directory)).migrationDirectories);
  const digest = createHash('sha256').update(migrations).digest('hex').slice(0, 16);
  const name = `template_${schema}_${digest}`;
  // On a connection of its own, which may wait for another process, and gives the lock back when it ends.
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

/** Gets its name when it is done: what failed, or was interrupted, is no template. */
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

/** What was sent to PostgreSQL. */
export interface SentStatement {
  text: string;
  values: readonly unknown[];
}

/**
 * All statements that connections of this process send while the work goes on, those of Prisma and of transactions
 * too; not what each connection is told when it is opened.
 * @param counts asked when one is sent: what runs beside the work sends statements too
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

/** The texts of what is `sentDuring` the work. */
export async function statementsDuring(
  work: () => Promise<unknown>,
  counts: () => boolean,
): Promise<string[]> {
  return (await sentDuring(work, counts)).map(({ text }) => text);
}

/** How many rows each table of a schema has. */
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
