import { setTimeout as sleep } from 'node:timers/promises';
import { PrismaPg } from '@prisma/adapter-pg';
import type pg from 'pg';
import { Announcer } from './announcer.ts';
import { withBriefErrors } from './connection/brief-errors.ts';
import { Listener } from './connection/listener.ts';
import { createPool, type PoolOptions } from './connection/pool.ts';
import { PrismaLoan } from './connection/prisma-loan.ts';
import { connectForProbe, ReadinessProbe } from './connection/readiness.ts';
import { Servers, type TermChange } from './connection/servers.ts';
import { withSingleLookups } from './connection/single-lookups.ts';
import { withWholeConditions } from './connection/whole-conditions.ts';
import { DatabaseUnavailable } from './errors.ts';
import type { DatabaseLog } from './log.ts';
import {
  primaryOnly,
  type ReplicaOptions,
  ReplicaReader,
  type ReplicaReads,
} from './replica/replica-reader.ts';
import { type Connected, type Sql, sqlOn } from './sql.ts';
import { type Isolation, type Transaction, type TransactionParts, transaction } from './transaction.ts';

export interface Database<P> {
  readonly prisma: P;
  /** Raw SQL, one statement at a time, each in its own transaction. */
  readonly sql: Connected<P>;
  /** Reads that may be one second old and that no decision depends on. */
  readonly replica: ReplicaReads<P>;
  /** @see transaction */
  transaction<T>(work: (tx: Transaction<P>) => Promise<T>, options?: { isolation?: Isolation }): Promise<T>;
  /** As Transaction.announce at the commit, for a single statement of `sql`. */
  announce(channel: string, note?: string): void;
  /** As Transaction.afterCommit, for a single statement of `sql`. */
  afterCommit(done: () => void): void;
  /** Resolves when the database answers within two seconds. @throws DatabaseUnavailable */
  ping(): Promise<void>;
  /**
   * Resolves if this version can use the database: writable, with room, these migrations, and all privileges
   * on these tables, on a connection that no request waits for. @throws DatabaseNotReady
   */
  ready(migrations: readonly string[], tables: readonly string[]): Promise<void>;
  /** Current use of the pool. */
  readonly load: { size: number; busy: number; waiting: number };
  /** Time, by performance.now(), at which the latest answered statement of `sql` was sent. */
  readonly answeredAt: number;
  /**
   * Calls `onNotify` for every NOTIFY on the channel and every announce() of this process. An empty payload
   * means that the connection was lost in the meantime: check for changes. Resolves to a function that stops
   * it.
   */
  listen(channel: string, onNotify: (payload: string) => void): Promise<() => Promise<void>>;
  /**
   * Calls `listener` when another timeline becomes the database after a failover. @returns a function that
   * stops it
   */
  onTermChange(listener: (change: TermChange) => void): () => void;
  /** Closes the connections; current statements get five seconds to finish. */
  close(): Promise<void>;
}

export interface DatabaseOptions<P> {
  /**
   * postgres://user:password@host:port/database, or several hosts as in libpq, of which the writable one is
   * used. Read for each connection if it may change, such as its password.
   */
  url: string | (() => string);
  /** Standbys for `replica`, in the same form. Default: all reads use the primary. */
  replicaUrl?: string | (() => string) | undefined;
  /** The service's PostgreSQL schema, in which Prisma finds its tables. Raw SQL names it: `auth.sessions`. */
  schema: string;
  poolSize?: number;
  /** Timeout of a statement at PostgreSQL in ms, default 30,000. */
  statementTimeoutMs?: number;
  /**
   * Time in ms without a response after which a connection is discarded; default two seconds more than the
   * statement timeout.
   */
  answerTimeoutMs?: number;
  /** Whether recurring statements are prepared; disable for poolers that lose them. Default true. */
  prepare?: boolean;
  log: DatabaseLog;
  /** Creates the generated client: `(adapter) => new PrismaClient({ adapter })`. */
  prisma: (adapter: PrismaPg) => P;
}

/** Creates a connection pool for Prisma and raw SQL. Connects at its first use. */
export function createDatabase<P>(options: DatabaseOptions<P>): Database<P> {
  const database = new PooledDatabase(options);
  // A plain object with bound functions, because callers spread and wrap it.
  return {
    prisma: database.prisma,
    sql: database.sql,
    replica: database.replica,
    transaction: (work, o) => database.transaction(work, o),
    announce: (channel, note) => database.announce(channel, note),
    afterCommit: (done) => done(),
    ping: () => database.ping(),
    ready: (migrations, tables) => database.ready(migrations, tables),
    get load() {
      return database.load;
    },
    get answeredAt() {
      return database.answeredAt;
    },
    listen: (channel, onNotify) => database.listen(channel, onNotify),
    onTermChange: (listener) => database.onTermChange(listener),
    close: () => database.close(),
  };
}

class PooledDatabase<P> implements Omit<Database<P>, 'afterCommit'> {
  readonly prisma: P;
  readonly sql: Connected<P>;
  readonly replica: ReplicaReads<P>;
  readonly #standbys: ReplicaReader<P> | undefined;
  readonly #servers: Servers;
  readonly #pool: pg.Pool;
  readonly #listener: Listener;
  readonly #announcer: Announcer;
  readonly #parts: TransactionParts<P>;
  readonly #schema: string;
  #readiness: ReadinessProbe | undefined;
  #answeredAt = Number.NEGATIVE_INFINITY;

  constructor(options: DatabaseOptions<P>) {
    const { url, schema, log } = options;
    const servers = new Servers(url, log);
    servers.watch();
    const pool = createPool({ ...poolOptions(options), servers, name: `ostiary ${schema}` });
    const loan = new PrismaLoan();
    const prisma = withSingleLookups(
      withWholeConditions(withBriefErrors(options.prisma(new PrismaPg(loan.poolFor(pool), { schema })))),
    );
    this.#schema = schema;
    this.#servers = servers;
    this.#pool = pool;
    this.prisma = prisma;
    this.sql = { ...this.#noting(sqlOn(pool)), prisma: () => Promise.resolve(prisma) };
    this.#listener = new Listener(servers, log);
    this.#announcer = new Announcer(this.sql, this.#listener);
    this.#parts = {
      connect: () => pool.connect(),
      lend: (run) => loan.lend(prisma, run),
      onCommit: (announcements) => this.#announcer.announceAll(announcements),
    };
    this.#standbys = replicaOf(options, { primary: this.sql, lend: this.#parts.lend });
    this.replica = this.#standbys ?? primaryOnly();
    if (this.#standbys) servers.onTermChange(() => this.#standbys?.termChanged());
  }

  transaction<T>(
    work: (tx: Transaction<P>) => Promise<T>,
    { isolation }: { isolation?: Isolation } = {},
  ): Promise<T> {
    return transaction(this.#parts, work, isolation);
  }

  announce(channel: string, note?: string): void {
    this.#announcer.announce(channel, note);
  }

  get load(): Database<P>['load'] {
    const { options, totalCount, idleCount, waitingCount } = this.#pool;
    return { size: options.max ?? 10, busy: totalCount - idleCount, waiting: waitingCount };
  }

  get answeredAt(): number {
    return this.#answeredAt;
  }

  /** Records each response as a sign that the database was available when the statement was sent. */
  #noting(sql: Sql): Sql {
    return {
      query: async (text, values) => {
        const sent = performance.now();
        const result = await sql.query(text, values);
        if (sent > this.#answeredAt) this.#answeredAt = sent;
        return result as never;
      },
    };
  }

  async ping(): Promise<void> {
    const answer = this.sql.query('SELECT 1').then(() => true);
    answer.catch(() => {});
    if (!(await Promise.race([answer, sleep(2000, false, { ref: false })]))) throw new DatabaseUnavailable();
  }

  ready(migrations: readonly string[], tables: readonly string[]): Promise<void> {
    const schema = this.#schema;
    this.#readiness ??= new ReadinessProbe({
      connect: () => connectForProbe(this.#servers, schema),
      schema,
      migrations,
      tables,
      onSynchronous: (synchronous) => this.#servers.hear(synchronous),
    });
    return this.#readiness.check();
  }

  listen(channel: string, onNotify: (payload: string) => void): Promise<() => Promise<void>> {
    return this.#listener.listen(channel, onNotify);
  }

  onTermChange(listener: (change: TermChange) => void): () => void {
    return this.#servers.onTermChange(listener);
  }

  async close(): Promise<void> {
    this.#readiness?.close();
    this.#servers.close();
    await this.#listener.close();
    const client = this.prisma as { $disconnect?: () => Promise<void> } | undefined;
    await client?.$disconnect?.();
    const ended = Promise.all([this.#pool.end(), this.#standbys?.close()]);
    await Promise.race([ended, sleep(5000, undefined, { ref: false })]);
  }
}

const poolOptions = <P>(options: DatabaseOptions<P>): Omit<PoolOptions, 'servers'> => ({
  log: options.log,
  ...(options.poolSize !== undefined && { size: options.poolSize }),
  ...(options.prepare !== undefined && { prepare: options.prepare }),
  ...(options.statementTimeoutMs !== undefined && { statementTimeoutMs: options.statementTimeoutMs }),
  ...(options.answerTimeoutMs !== undefined && { answerTimeoutMs: options.answerTimeoutMs }),
});

const replicaOf = <P>(
  { replicaUrl, schema, ...options }: DatabaseOptions<P>,
  parts: Pick<ReplicaOptions<P>, 'primary' | 'lend'>,
): ReplicaReader<P> | undefined =>
  replicaUrl === undefined
    ? undefined
    : new ReplicaReader({
        ...parts,
        url: replicaUrl,
        name: `ostiary ${schema} replica`,
        log: options.log,
        ...(options.poolSize !== undefined && { size: options.poolSize }),
        ...(options.prepare !== undefined && { prepare: options.prepare }),
      });
