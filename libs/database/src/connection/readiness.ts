import pg from 'pg';
import { sqlState } from '../errors.ts';
import { keepAliveAfterMs } from './pool.ts';
import { RoutedClient } from './routed-client.ts';
import { type Servers, UnfitServer } from './servers.ts';
import { synchronousColumn } from './term.ts';

/** Reasons why the database is unusable, with the codes of `failureReasons` in @ostiary/service. */
type Reason =
  | 'unreachable'
  | 'timeout'
  | 'starting'
  | 'failing'
  | 'credential_rejected'
  | 'rights_missing'
  | 'read_only'
  | 'disk_full'
  | 'out_of_memory'
  | 'too_many_connections'
  | 'database_missing'
  | 'schema_missing'
  | 'schema_outdated'
  | 'schema_contracted';

export class DatabaseNotReady extends Error {
  readonly reason: Reason;

  constructor(reason: Reason, cause?: unknown) {
    super(`The database is not ready: ${reason}`, { cause });
    this.name = 'DatabaseNotReady';
    this.reason = reason;
  }
}

const answerMs = 1_500;
/**
 * Maximum age of a connection in ms: a failed login, such as after a password change, is detected only by a
 * new one.
 */
const keptMs = 60_000;

const reasons: readonly (readonly [RegExp, Reason])[] = [
  [/^53100$/, 'disk_full'],
  [/^53200$/, 'out_of_memory'],
  [/^53/, 'too_many_connections'],
  [/^25006$/, 'read_only'],
  [/^28/, 'credential_rejected'],
  [/^3D000$/, 'database_missing'],
  [/^42501$/, 'rights_missing'],
  [/^(42P01|3F000)$/, 'schema_missing'],
  [/^57P0/, 'starting'],
  [/^57014$/, 'timeout'],
];

function reasonOf(error: unknown): Reason {
  if (error instanceof UnfitServer) return 'read_only';
  const state = sqlState(error);
  if (state === undefined) return 'unreachable';
  return reasons.find(([pattern]) => pattern.test(state))?.[1] ?? 'failing';
}

/** Requirement stated by a contracting migration: see docs/guides/migrate-the-databases.md. */
const need = /\bneeds (\d{14}_\w+)\b/;

interface Row {
  readOnly: boolean;
  synchronous: boolean;
  needs: string | null;
  applied: number;
  permitted: boolean;
}

/**
 * Probe of a service's database: it responds, is writable, has room, and has the tables of this version with
 * the role's privileges. Uses a separate connection, kept between probes: one of the pool would wait behind
 * requests and make a busy process look unavailable.
 */
export class ReadinessProbe {
  readonly #connect: () => Promise<pg.Client>;
  readonly #text: string;
  readonly #migrations: readonly string[];
  readonly #onSynchronous: (synchronous: boolean) => void;
  #client: pg.Client | undefined;
  #connectedAt = 0;

  /** @param o.migrations names of the migrations of this version @param o.tables tables that it uses */
  constructor(o: {
    connect: () => Promise<pg.Client>;
    schema: string;
    migrations: readonly string[];
    tables: readonly string[];
    /** Called with every response, stating whether commits wait for a standby. */
    onSynchronous?: (synchronous: boolean) => void;
  }) {
    this.#connect = o.connect;
    this.#migrations = o.migrations;
    this.#onSynchronous = o.onSynchronous ?? (() => undefined);
    this.#text = question(o.schema, o.migrations, o.tables);
  }

  /** @throws DatabaseNotReady */
  async check(): Promise<void> {
    const isKept = this.#client !== undefined;
    const row = await this.#ask().catch(async (error: unknown) => {
      this.close();
      // A kept connection may be outdated by a failover: a new one is more reliable.
      if (isKept && reasonOf(error) === 'unreachable') return this.#anew();
      throw error instanceof DatabaseNotReady ? error : new DatabaseNotReady(reasonOf(error), error);
    });
    if (row.readOnly) throw new DatabaseNotReady('read_only');
    const needed = need.exec(row.needs ?? '')?.[1];
    if (needed !== undefined && !this.#migrations.includes(needed))
      throw new DatabaseNotReady('schema_contracted');
    if (row.applied < this.#migrations.length)
      throw new DatabaseNotReady(row.applied === 0 ? 'schema_missing' : 'schema_outdated');
    if (!row.permitted) throw new DatabaseNotReady('rights_missing');
  }

  close(): void {
    void this.#client?.end().catch(() => {});
    this.#client = undefined;
  }

  async #anew(): Promise<Row> {
    return this.#ask().catch((error: unknown) => {
      this.close();
      throw new DatabaseNotReady(reasonOf(error), error);
    });
  }

  async #connected(): Promise<pg.Client> {
    this.#client = await this.#connect();
    this.#connectedAt = performance.now();
    return this.#client;
  }

  async #ask(): Promise<Row> {
    if (performance.now() - this.#connectedAt > keptMs) this.close();
    const client = this.#client ?? (await this.#connected());
    const results = (await client.query(this.#text)) as unknown as pg.QueryResult<Row>[];
    const row = results.flatMap(({ rows }) => rows).find((one) => 'applied' in one);
    if (!row) throw new DatabaseNotReady('failing');
    if (!row.readOnly) this.#onSynchronous(row.synchronous);
    return row;
  }
}

/**
 * Query in one message. A full disk is detected without writing: the work memory is set so low that a few
 * thousand numbers go to a temporary file, which leaves neither a row nor a log record.
 */
function question(schema: string, migrations: readonly string[], tables: readonly string[]): string {
  const table = `${pg.escapeIdentifier(schema)}._prisma_migrations`;
  const listed = (names: readonly string[]) => names.map((name) => pg.escapeLiteral(name)).join(', ') || "''";
  // A list of privileges requires only one of them.
  const permitted = ['SELECT', 'INSERT', 'UPDATE', 'DELETE']
    .map((right) => `has_table_privilege(oid, '${right}')`)
    .join(' AND ');
  return `BEGIN; SET LOCAL statement_timeout = ${answerMs}; SET LOCAL work_mem = '64kB';
SELECT current_setting('transaction_read_only') = 'on' AS "readOnly", ${synchronousColumn},
  obj_description(${pg.escapeLiteral(table)}::regclass, 'pg_class') AS needs,
  (SELECT count(DISTINCT migration_name)::int FROM ${table}
   WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL AND migration_name IN (${listed(migrations)})) AS applied,
  (SELECT coalesce(bool_and(${permitted}), true) FROM pg_class
   WHERE relnamespace = to_regnamespace(${pg.escapeLiteral(pg.escapeIdentifier(schema))}) AND relname IN (${listed(tables)})) AS permitted;
SELECT count(*) AS spilled FROM generate_series(1, 6000);
ROLLBACK`;
}

/** Connects for the probe, outside of the pool and with a short timeout. */
export async function connectForProbe(servers: Servers, schema: string): Promise<pg.Client> {
  const client = new RoutedClient({
    servers,
    settings: "SET TIME ZONE 'UTC'",
    application_name: `ostiary ${schema} readiness`,
    connectionTimeoutMillis: answerMs,
    query_timeout: answerMs + 300,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveAfterMs,
  });
  client.on('error', () => {});
  try {
    await client.connect();
    return client;
  } catch (error) {
    await client.end().catch(() => {});
    throw error;
  }
}
