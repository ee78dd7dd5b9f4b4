import type pg from 'pg';
import { untilNoVictim } from './again.ts';
import type { Borrowing, RunOnConnection } from './connection/prisma-loan.ts';
import { breaksConnection, DatabaseUnavailable, isConnectionError } from './errors.ts';
import { type Connected, type Sql, sqlOn, type TransactionClient } from './sql.ts';

export type Isolation = 'read committed' | 'repeatable read' | 'serializable';

export interface Transaction<P = unknown> extends Connected<P> {
  /**
   * Notifies the listeners of `channel` (Database.listen) once this transaction has committed: those in this
   * process immediately, others by a NOTIFY after the commit. Not on a rollback. Repeated notes count once.
   */
  announce(channel: string, note?: string): void;
  /**
   * Calls `done`, which never throws, once PostgreSQL has acknowledged the commit; not after a rollback or an
   * unknown outcome.
   */
  afterCommit(done: () => void): void;
}

/** Channels to notify, with their notes. */
export type Announcements = ReadonlyMap<string, ReadonlySet<string>>;

/** Default note of a notification. */
export const plainNote = 'announced';

export interface TransactionParts<P> {
  connect(): Promise<pg.PoolClient>;
  /** Lends the connection to Prisma for the duration of the transaction. */
  lend(run: RunOnConnection): Promise<Borrowing<P>>;
  onCommit(channels: Announcements): void;
}

/**
 * Runs `work` in a transaction: commits if it resolves, rolls back if it throws. After a serialization
 * failure or deadlock, all of `work` runs again, so it must not have effects outside the transaction.
 */
export function transaction<P, T>(
  parts: TransactionParts<P>,
  work: (tx: Transaction<P>) => Promise<T>,
  isolation?: Isolation,
): Promise<T> {
  return untilNoVictim(() => once(parts, work, isolation));
}

async function once<P, T>(
  parts: TransactionParts<P>,
  work: (tx: Transaction<P>) => Promise<T>,
  isolation: Isolation | undefined,
): Promise<T> {
  const client = await parts.connect();
  const tx = new OpenTransaction<P>(client, parts);
  let broken: Error | undefined;
  try {
    await client.query(begin(isolation));
    const result = await work(tx);
    await tx.end();
    await commit(client);
    for (const done of tx.committed) done();
    parts.onCommit(tx.announcements);
    return result;
  } catch (error) {
    await tx.end();
    if (breaksConnection(error)) broken = error as Error;
    else await client.query('ROLLBACK').catch((failure: Error) => (broken = failure));
    throw error;
  } finally {
    client.release(broken);
  }
}

/**
 * Runs `work` in a read-only transaction started by `begin`. It ends with the transaction in any case, and is
 * not repeated.
 * @param begin throws if the connection must not be read
 */
export async function reading<P, T>(
  { connect, lend }: Pick<TransactionParts<P>, 'connect' | 'lend'>,
  begin: (client: pg.PoolClient) => Promise<void>,
  work: (sql: Connected<P>) => Promise<T>,
): Promise<T> {
  const client = await connect();
  const tx = new OpenTransaction<P>(client, { lend });
  let broken: Error | undefined;
  try {
    await begin(client);
    return await work(tx);
  } catch (error) {
    if (breaksConnection(error)) broken = error as Error;
    throw error;
  } finally {
    await tx.end();
    // The data has been read; the end of the transaction need not be awaited.
    if (broken) client.release(broken);
    else
      void client.query('ROLLBACK').then(
        () => client.release(),
        (failure: Error) => client.release(failure),
      );
  }
}

class OpenTransaction<P> implements Transaction<P> {
  readonly announcements = new Map<string, Set<string>>();
  readonly committed: (() => void)[] = [];
  readonly #client: pg.PoolClient;
  readonly #sql: Sql;
  readonly #lend: TransactionParts<P>['lend'];
  #borrowing: Promise<Borrowing<P>> | undefined;
  #open = true;
  /** One statement at a time on a connection, also for concurrent calls. */
  #queue: Promise<unknown> = Promise.resolve();

  constructor(client: pg.PoolClient, { lend }: Pick<TransactionParts<P>, 'lend'>) {
    this.#client = client;
    this.#sql = sqlOn(client);
    this.#lend = lend;
  }

  query<R extends object>(
    text: string,
    values?: readonly unknown[],
  ): Promise<{ rows: R[]; rowCount: number }> {
    return this.#inTurn(() => this.#sql.query<R>(text, values));
  }

  async prisma(): Promise<TransactionClient<P>> {
    if (!this.#open) throw hasEnded();
    this.#borrowing ??= this.#lend((config) => this.#inTurn(() => this.#client.query(config)));
    return (await this.#borrowing).client;
  }

  announce(channel: string, note = plainNote): void {
    const notes = this.announcements.get(channel);
    if (notes) notes.add(note);
    else this.announcements.set(channel, new Set([note]));
  }

  afterCommit(done: () => void): void {
    this.committed.push(done);
  }

  /** Waits for current statements and starts no more. Never rejects. */
  async end(): Promise<void> {
    if (!this.#open) return;
    const borrowing = await this.#borrowing?.catch(() => undefined);
    await borrowing?.end();
    await this.#queue;
    this.#open = false;
  }

  #inTurn<T>(run: () => Promise<T>): Promise<T> {
    const result = this.#queue.then(() => {
      if (!this.#open) throw hasEnded();
      return run();
    });
    this.#queue = result.catch(() => {});
    return result;
  }
}

const hasEnded = () => new Error('This transaction has ended: a statement was not awaited');

/** Timeout in ms of starting a transaction, which waits only for the network. */
const beginMs = 5_000;

const begin = (isolation: Isolation | undefined): { text: string; query_timeout: number } => ({
  text: isolation ? `BEGIN ISOLATION LEVEL ${isolation}` : 'BEGIN',
  query_timeout: beginMs,
});

async function commit(client: pg.PoolClient): Promise<void> {
  let result: pg.QueryResult;
  try {
    result = await client.query('COMMIT');
  } catch (error) {
    if (isConnectionError(error)) {
      const cause = error instanceof DatabaseUnavailable ? error.cause : error;
      throw new DatabaseUnavailable(cause, { commitUnknown: true });
    }
    throw error;
  }
  // PostgreSQL answers COMMIT of a failed transaction with ROLLBACK and no error.
  if (result.command !== 'COMMIT') {
    throw new Error(
      'The transaction was rolled back: a statement in it had failed and its error was ignored',
    );
  }
}
