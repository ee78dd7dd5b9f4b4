import { context, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import pg from 'pg';
import { untilNoVictim } from '../again.ts';
import {
  asDatabaseError,
  breaksConnection,
  isConnectionError,
  isOutdatedPlan,
  sqlState,
  withoutValues,
} from '../errors.ts';
import type { DatabaseLog } from '../log.ts';
import { PreparedStatements } from './prepared.ts';
import { RoutedClient, type Routing } from './routed-client.ts';
import type { Routes } from './servers.ts';
import { statementName } from './span-name.ts';

const int8 = 20;
const int8Array = 1016;
const date = 1082;

/** A 64-bit integer as a number when that loses nothing, otherwise its digits. */
const parseInt8 = (text: string): number | string => {
  const value = Number(text);
  return Number.isSafeInteger(value) ? value : text;
};

const parseTextArray = pg.types.getTypeParser(int8Array as never, 'text') as (
  text: string,
) => (string | null)[];

/** How what raw SQL reads is parsed, on every connection: Prisma brings its own parsers with every query. */
export const types = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    if (format !== 'binary') {
      if (oid === int8) return parseInt8;
      if (oid === int8Array) {
        return (text: string) => parseTextArray(text).map((item) => (item === null ? null : parseInt8(item)));
      }
      // A calendar day isn't a moment: pg would make it local midnight.
      if (oid === date) return (text: string) => text;
    }
    return pg.types.getTypeParser(oid, format as 'text');
  },
} as pg.CustomTypesConfig;

const tracer = () => trace.getTracer('@ostiary/database');

/** Runs one statement inside a span, if there is a recording parent; costs one map lookup when there isn't. */
async function traced<T>(text: string, namespace: string, run: () => Promise<T>): Promise<T> {
  if (!trace.getSpan(context.active())?.isRecording()) return run();
  const name = statementName(text);
  const span = tracer().startSpan(name.summary, {
    kind: SpanKind.CLIENT,
    attributes: {
      'db.system.name': 'postgresql',
      'db.namespace': namespace,
      'db.operation.name': name.operation,
      'db.query.summary': name.summary,
      ...(name.collection && { 'db.collection.name': name.collection }),
    },
  });
  try {
    return await run();
  } catch (error) {
    // The message may quote values; the SQLSTATE can't.
    const code = sqlState(error) ?? 'unavailable';
    span.setAttribute('db.response.status_code', code);
    span.setStatus({ code: SpanStatusCode.ERROR, message: code });
    throw error;
  } finally {
    span.end();
  }
}

type Statement = string | (pg.QueryConfig & { submit?: unknown });

/** A connection whose statements are traced and whose failures are told apart from the statement's own. */
class Connection extends RoutedClient {
  readonly #prepared: PreparedStatements | undefined;

  constructor(config: pg.ClientConfig & Routing & { prepared?: PreparedStatements }) {
    super(config);
    this.#prepared = config.prepared;
    // A connection that breaks while checked out reports it here and to the statement under way; without a
    // listener the first report would end the process.
    this.on('error', () => {});
  }

  // @ts-expect-error pg's twelve overloads; this takes and gives what each of them does.
  override query(statement: Statement, values?: unknown, callback?: unknown): unknown {
    const plain = super.query.bind(this) as (...args: unknown[]) => unknown;
    const text = typeof statement === 'string' ? statement : statement.text;
    const deferred = typeof statement !== 'string' && statement.submit !== undefined;
    if (deferred || callback || typeof values === 'function') return plain(statement, values, callback);
    const name =
      typeof statement === 'string' && Array.isArray(values) ? this.#prepared?.nameOf(text) : undefined;
    const send = () =>
      (name === undefined ? plain(statement, values) : plain({ name, text, values })) as Promise<unknown>;
    return traced(text, this.database ?? '', send).catch((error: unknown) => {
      // Nobody knows what a connection that was silent for so long will still say, and to whom: it is closed at once.
      if (isSilence(error)) void this.end().catch(() => {});
      // What was the primary has become a standby, or read-only: what it reads is of the past.
      if (sqlState(error) === readOnlyTransaction) {
        this.refused();
        void this.end().catch(() => {});
      }
      if (isOutdatedPlan(error)) this.#prepared?.renew(text);
      throw asDatabaseError(withoutValues(error));
    });
  }
}

const readOnlyTransaction = '25006';

/** pg's word for it when `query_timeout` has passed. */
const isSilence = (error: unknown): boolean =>
  error instanceof Error && error.message === 'Query read timeout';

class ObservedPool extends pg.Pool {
  // @ts-expect-error as above: both forms of connect, with errors mapped.
  override connect(
    callback?: (error: Error | undefined, client: pg.PoolClient | undefined, done: () => void) => void,
  ): unknown {
    if (callback) {
      return super.connect((error, client, done) =>
        callback(asDatabaseError(error) as Error | undefined, client, done),
      );
    }
    return this.#connectAgain().catch((error: unknown) => {
      throw asDatabaseError(error);
    });
  }

  /** Where there are several hosts, the one that was known may be gone, and another is looked for. */
  async #connectAgain(): Promise<pg.PoolClient> {
    const { servers } = this.options as unknown as Routing;
    try {
      return await super.connect();
    } catch (error) {
      if (servers.address.hosts.length === 0 || !isConnectionError(error)) throw error;
      return super.connect();
    }
  }

  // @ts-expect-error only the promise form; pg's own drops the connection after every failed statement, so each
  // unique violation would cost a reconnect. What is asked of the pool is a transaction of its own.
  override query(statement: Statement, values?: unknown[]): Promise<pg.QueryResult> {
    return untilNoVictim(() => this.#once(statement, values));
  }

  async #once(statement: Statement, values?: unknown[]): Promise<pg.QueryResult> {
    const client = await (this.connect() as Promise<pg.PoolClient>);
    try {
      const result = await client.query(statement, values);
      client.release();
      return result;
    } catch (error) {
      client.release(breaksConnection(error) ? (error as Error) : undefined);
      throw error;
    }
  }
}

export interface PoolOptions {
  servers: Routes;
  /** Connections at most; 10 unless said. */
  size?: number;
  /** How long one statement may run before PostgreSQL ends it (→ DatabaseUnavailable); 30,000 unless said. */
  statementTimeoutMs?: number;
  /**
   * How long a connection may be silent after a statement before it is taken for dead and thrown away (→ DatabaseUnavailable);
   * two seconds longer than PostgreSQL lets a statement run unless said, so that it is only ever the network's doing.
   */
  answerTimeoutMs?: number;
  /** How long to wait for a connection before giving up; 5,000 unless said. */
  connectTimeoutMs?: number;
  name?: string;
  /** Whether statements that are used again and again are prepared; not for poolers that lose them. Default true. */
  prepare?: boolean;
  log: DatabaseLog;
}

/** How long a transaction may wait for its process, in ms. Nothing that goes well takes a tenth of it. */
const idleInTransactionMs = 5_000;

/**
 * Milliseconds after which the system asks a connection on which nothing happens whether the other end is still there: what a firewall or a
 * dead machine took away silently is noticed before somebody needs it.
 */
export const keepAliveAfterMs = 10_000;

/** The one pool of a process, shared by Prisma and raw SQL. */
export function createPool(options: PoolOptions): pg.Pool {
  const { servers, size = 10, statementTimeoutMs = 30_000, connectTimeoutMs = 5000, log } = options;
  const { answerTimeoutMs = statementTimeoutMs + 2_000 } = options;
  const settings = [
    // Prisma writes timestamps without an offset and counts on this.
    "SET TIME ZONE 'UTC'",
    `SET statement_timeout = ${Math.trunc(statementTimeoutMs)}`,
    // A process that hangs, or is cut off, inside a transaction must not hold its locks: a departure may wait for them.
    `SET idle_in_transaction_session_timeout = ${idleInTransactionMs}`,
  ].join('; ');
  const pool = new ObservedPool({
    servers,
    settings,
    max: size,
    connectionTimeoutMillis: connectTimeoutMs,
    idleTimeoutMillis: 30_000,
    // Lets a restarted or rebalanced database get its share of connections back.
    maxLifetimeSeconds: 30 * 60,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveAfterMs,
    query_timeout: answerTimeoutMs,
    application_name: options.name ?? 'ostiary',
    types,
    prepared: (options.prepare ?? true) ? new PreparedStatements() : undefined,
    Client: Connection as unknown as new () => pg.ClientBase,
  } as pg.PoolConfig);
  pool.on('error', (error) =>
    log.warn({ event: 'database.idle_connection_lost', err: error.message }, 'Idle database connection lost'),
  );
  return pool as unknown as pg.Pool;
}
