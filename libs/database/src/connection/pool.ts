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

/** Returns a 64-bit integer as a number if it is safe, otherwise as digits. */
const parseInt8 = (text: string): number | string => {
  const value = Number(text);
  return Number.isSafeInteger(value) ? value : text;
};

const parseTextArray = pg.types.getTypeParser(int8Array as never, 'text') as (
  text: string,
) => (string | null)[];

/** Parsers for raw SQL on every connection; Prisma passes its own with every query. */
export const types = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    if (format !== 'binary') {
      if (oid === int8) return parseInt8;
      if (oid === int8Array) {
        return (text: string) => parseTextArray(text).map((item) => (item === null ? null : parseInt8(item)));
      }
      // A calendar day is not a moment: pg would convert it to local midnight.
      if (oid === date) return (text: string) => text;
    }
    return pg.types.getTypeParser(oid, format as 'text');
  },
} as pg.CustomTypesConfig;

const tracer = () => trace.getTracer('@ostiary/database');

/** Runs one statement inside a span if there is a recording parent; otherwise it costs one map lookup. */
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
    // The message may quote values; the SQLSTATE cannot.
    const code = sqlState(error) ?? 'unavailable';
    span.setAttribute('db.response.status_code', code);
    span.setStatus({ code: SpanStatusCode.ERROR, message: code });
    throw error;
  } finally {
    span.end();
  }
}

type Statement = string | (pg.QueryConfig & { submit?: unknown });

/** A connection with traced statements that distinguishes its own failures from those of the statement. */
class Connection extends RoutedClient {
  readonly #prepared: PreparedStatements | undefined;

  constructor(config: pg.ClientConfig & Routing & { prepared?: PreparedStatements }) {
    super(config);
    this.#prepared = config.prepared;
    // A connection that breaks while checked out reports it here and to the current statement; without a
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
      // After a long silence a response could be attributed to another statement, so the connection is
      // closed.
      if (isSilence(error)) void this.end().catch(() => {});
      // The former primary is a standby or read-only, so its data is outdated.
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

/** pg's message after `query_timeout`. */
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

  /** With several hosts, the known one may be gone, so another is tried. */
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
  /** Maximum number of connections, default 10. */
  size?: number;
  /** Timeout of a statement in ms at PostgreSQL (→ DatabaseUnavailable), default 30,000. */
  statementTimeoutMs?: number;
  /**
   * Time in ms without a response after which a connection is discarded (→ DatabaseUnavailable); default two
   * seconds more than the statement timeout, so that only the network can be the cause.
   */
  answerTimeoutMs?: number;
  /** Timeout in ms of waiting for a connection, default 5,000. */
  connectTimeoutMs?: number;
  name?: string;
  /** Whether recurring statements are prepared; disable for poolers that lose them. Default true. */
  prepare?: boolean;
  log: DatabaseLog;
}

/** Maximum idle time of a transaction in ms; ordinary ones take less than a tenth of it. */
const idleInTransactionMs = 5_000;

/**
 * Idle milliseconds before TCP probes, so that a connection lost without notice (firewall, failed machine) is
 * detected before it is needed.
 */
export const keepAliveAfterMs = 10_000;

/** The one pool of a process, shared by Prisma and raw SQL. */
export function createPool(options: PoolOptions): pg.Pool {
  const { servers, size = 10, statementTimeoutMs = 30_000, connectTimeoutMs = 5000, log } = options;
  const { answerTimeoutMs = statementTimeoutMs + 2_000 } = options;
  const settings = [
    // Prisma writes timestamps without an offset and relies on it.
    "SET TIME ZONE 'UTC'",
    `SET statement_timeout = ${Math.trunc(statementTimeoutMs)}`,
    // A process that hangs or is disconnected inside a transaction must not hold its locks, for which an
    // offboarding may wait.
    `SET idle_in_transaction_session_timeout = ${idleInTransactionMs}`,
  ].join('; ');
  const pool = new ObservedPool({
    servers,
    settings,
    max: size,
    connectionTimeoutMillis: connectTimeoutMs,
    idleTimeoutMillis: 30_000,
    // Rebalances connections to a restarted database.
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
