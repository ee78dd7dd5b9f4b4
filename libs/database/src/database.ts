import { setTimeout as sleep } from 'node:timers/promises';
import { PrismaPg } from '@prisma/adapter-pg';
import { DatabaseUnavailable } from './errors.ts';
import { Listener } from './listener.ts';
import type { DatabaseLog } from './log.ts';
import { createPool } from './pool.ts';
import { type Sql, sqlOn } from './sql.ts';
import {
  type Announcements,
  type Isolation,
  plainNote,
  type Transaction,
  transaction,
} from './transaction.ts';

export interface Database<P> {
  readonly prisma: P;
  /** Raw SQL, one statement at a time, each in its own transaction. */
  readonly sql: Sql;
  /** @see transaction */
  transaction<T>(work: (tx: Transaction) => Promise<T>, options?: { isolation?: Isolation }): Promise<T>;
  /** What Transaction.announce does at the commit, for a statement of `sql` that has made a change by itself. */
  announce(channel: string, note?: string): void;
  /** Resolves when the database answers within two seconds. @throws DatabaseUnavailable */
  ping(): Promise<void>;
  /**
   * Calls `onNotify` for every NOTIFY on the channel and every announce() of this process. An empty payload also means:
   * the connection was lost meanwhile, look for yourself. Resolves to the function that stops it.
   */
  listen(channel: string, onNotify: (payload: string) => void): Promise<() => Promise<void>>;
  /** Statements under way get five seconds to finish. */
  close(): Promise<void>;
}

export interface DatabaseOptions<P> {
  /** postgres://user:password@host:port/database */
  url: string;
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
  const { url, schema, log } = options;
  const pool = createPool({
    url,
    log,
    name: `ostiary ${schema}`,
    ...(options.poolSize !== undefined && { size: options.poolSize }),
    ...(options.prepare !== undefined && { prepare: options.prepare }),
    ...(options.statementTimeoutMs !== undefined && { statementTimeoutMs: options.statementTimeoutMs }),
    ...(options.answerTimeoutMs !== undefined && { answerTimeoutMs: options.answerTimeoutMs }),
  });
  const prisma = options.prisma(new PrismaPg(pool, { schema }));
  const sql = sqlOn(pool);
  const listener = new Listener(url, log);
  /** Channels a NOTIFY is under way on, with the note that has come since then. */
  const notifying = new Map<string, string | undefined>();

  /** After the commit and outside of it: NOTIFY inside a transaction makes all commits of the server wait in line. */
  const notify = (channel: string, note: string): void => {
    if (notifying.has(channel)) {
      notifying.set(channel, note);
      return;
    }
    notifying.set(channel, undefined);
    sql
      .query('SELECT pg_notify($1, $2)', [channel, note])
      .catch(() => {})
      .finally(() => {
        const next = notifying.get(channel);
        notifying.delete(channel);
        if (next !== undefined) notify(channel, next);
      });
  };

  const announce = (channel: string, note = plainNote): void => {
    if (!listener.tell(channel, note)) notify(channel, note);
  };

  const onCommit = (announcements: Announcements): void => {
    for (const [channel, note] of announcements) announce(channel, note);
  };

  return {
    prisma,
    sql,
    transaction: (work, { isolation } = {}) =>
      transaction(() => pool.connect(), work, { isolation, onCommit }),
    announce,
    async ping() {
      const answer = sql.query('SELECT 1').then(() => true);
      answer.catch(() => {});
      if (!(await Promise.race([answer, sleep(2000, false, { ref: false })])))
        throw new DatabaseUnavailable();
    },
    listen: (channel, onNotify) => listener.listen(channel, onNotify),
    async close() {
      await listener.close();
      const client = prisma as { $disconnect?: () => Promise<void> } | undefined;
      await client?.$disconnect?.();
      await Promise.race([pool.end(), sleep(5000, undefined, { ref: false })]);
    },
  };
}
