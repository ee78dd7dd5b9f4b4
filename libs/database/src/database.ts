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
  /** Reads that may be a second old, and that nothing is decided by. */
  readonly replica: ReplicaReads<P>;
  /** @see transaction */
  transaction<T>(work: (tx: Transaction<P>) => Promise<T>, options?: { isolation?: Isolation }): Promise<T>;
  /** What Transaction.announce does at the commit, for a statement of `sql` that has made a change by itself. */
  announce(channel: string, note?: string): void;
  /** What Transaction.afterCommit does, likewise. */
  afterCommit(done: () => void): void;
  /** Resolves when the database answers within two seconds. @throws DatabaseUnavailable */
  ping(): Promise<void>;
  /**
   * Resolves when this version can work with the database: it takes writes, has room and has these migrations, and all rights in these tables,
   * on a connection that no request waits for. @throws DatabaseNotReady
   */
  ready(migrations: readonly string[], tables: readonly string[]): Promise<void>;
  /** How much of the pool is taken. */
  readonly load: { size: number; busy: number; waiting: number };
  /** When, by performance.now(), the last of the statements of `sql` that were answered had been sent. */
  readonly answeredAt: number;
  /**
   * Calls `onNotify` for every NOTIFY on the channel and every announce() of this process. An empty payload also means:
   * the connection was lost meanwhile, look for yourself. Resolves to the function that stops it.
   */
  listen(channel: string, onNotify: (payload: string) => void): Promise<() => Promise<void>>;
  /** Calls `listener` when another timeline has become the database: after a fail-over. @returns the function that stops it */
  onTermChange(listener: (change: TermChange) => void): () => void;
  /** Statements under way get five seconds to finish. */
  close(): Promise<void>;
}

export interface DatabaseOptions<P> {
  /**
   * postgres://user:password@host:port/database; several hosts as libpq has them: the one that takes writes is found. Asked for each
   * connection where it may change, as a password does.
   */
  url: string | (() => string);
  /** Of standbys of it, for `replica`; the same otherwise. Without, everything is read where it is written. */
  replicaUrl?: string | (() => string) | undefined;
  /** The service's own PostgreSQL schema, where Prisma looks for its tables. Raw SQL names it: `auth.sessions`. */
  schema: string;
  poolSize?: number;
  /** Milliseconds after which PostgreSQL ends a statement; 30,000 unless said. */
  statementTimeoutMs?: number;
  /** How long a connection may be silent after a statement, in ms; two seconds longer than a statement may run unless said. */
  answerTimeoutMs?: number;
  /** Whether statements that are used again and again are prepared; not for poolers that lose them. Default true. */
  prepare?: boolean;
  log: DatabaseLog;
  /** Makes the generated client: `(adapter) => new PrismaClient({ adapter })`. */
  prisma: (adapter: PrismaPg) => P;
}

/** One connection pool, used by Prisma and by raw SQL alike. Connects when first used. */
export function createDatabase<P>(options: DatabaseOptions<P>): Database<P> {
  const database = new PooledDatabase(options);
  // An object whose functions know where they belong: it is spread, and taken apart, by those who put something before one of them.
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

  /** An answer is a sign of life from the database, as of when it was asked. */
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
