import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { breaksConnection, DatabaseUnavailable, isConnectionError, isRetryable } from './errors.ts';
import { type Sql, sqlOn } from './sql.ts';

export type Isolation = 'read committed' | 'repeatable read' | 'serializable';

export interface Transaction extends Sql {
  /**
   * Tells the listeners of `channel` (Database.listen) once this transaction has committed; those in this process
   * at once, those elsewhere by a NOTIFY after the commit. Nothing is told when it rolls back. Of several notes on one
   * channel the last counts.
   */
  announce(channel: string, note?: string): void;
}

/** Channels that something is to be told on, and what. */
export type Announcements = ReadonlyMap<string, string>;

/** What listeners are told when there is nothing more to say. */
export const plainNote = 'announced';

/** 40001 and 40P01 are tried again this often in all, after 5, 10, 20, … ms with jitter. */
const attempts = 6;

/**
 * Runs `work` in a transaction: committed when it resolves, rolled back when it throws. After a serialization
 * failure or a deadlock the whole of `work` runs again, so it must not have effects outside the transaction.
 */
export async function transaction<T>(
  connect: () => Promise<pg.PoolClient>,
  work: (tx: Transaction) => Promise<T>,
  options: { isolation?: Isolation | undefined; onCommit: (channels: Announcements) => void },
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await once(connect, work, options);
    } catch (error) {
      if (!isRetryable(error) || attempt === attempts) throw error;
      await sleep(2.5 * 2 ** attempt * (0.5 + Math.random()));
    }
  }
}

async function once<T>(
  connect: () => Promise<pg.PoolClient>,
  work: (tx: Transaction) => Promise<T>,
  options: { isolation?: Isolation | undefined; onCommit: (channels: Announcements) => void },
): Promise<T> {
  const client = await connect();
  const channels = new Map<string, string>();
  let open = true;
  // One statement at a time on a connection, also for a caller that starts several at once.
  let queue: Promise<unknown> = Promise.resolve();
  const plain = sqlOn(client);
  const tx: Transaction = {
    query<R extends object>(text: string, values?: readonly unknown[]) {
      const run = queue.then(() => {
        if (!open) throw new Error('This transaction has ended: a statement was not awaited');
        return plain.query<R>(text, values);
      });
      queue = run.catch(() => {});
      return run;
    },
    announce: (channel, note = plainNote) => void channels.set(channel, note),
  };

  let broken: Error | undefined;
  try {
    await client.query(begin(options.isolation));
    const result = await work(tx);
    await queue;
    open = false;
    await commit(client);
    options.onCommit(channels);
    return result;
  } catch (error) {
    await queue;
    open = false;
    if (breaksConnection(error)) broken = error as Error;
    else await client.query('ROLLBACK').catch((failure: Error) => (broken = failure));
    throw error;
  } finally {
    client.release(broken);
  }
}

/** How long PostgreSQL may take to say that a transaction has begun, in ms: there is nothing to wait for but the network. */
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
