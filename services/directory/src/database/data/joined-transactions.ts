import { AsyncLocalStorage } from 'node:async_hooks';
import { type Database, statement, type Transaction } from '@ostiary/database';
import pLimit from 'p-limit';

const storage = new AsyncLocalStorage<Transaction>();

const beginPart = statement({ name: 'database.begin part', reason: 'atomic', text: 'SAVEPOINT part' });
const endPart = statement({ name: 'database.end part', reason: 'atomic', text: 'RELEASE SAVEPOINT part' });
const undoPart = statement({
  name: 'database.undo part',
  reason: 'atomic',
  text: 'ROLLBACK TO SAVEPOINT part',
});

/** Whether this happens inside of `within`: then a statement by itself has to be made a transaction, to take part. */
export const isJoined = (): boolean => storage.getStore() !== undefined;

/** A database whose transactions can be made parts of a larger one, by those who know nothing of it. */
export type JoiningDatabase<P> = Database<P> & {
  /**
   * Runs `work` in one transaction, and every transaction that it begins as a part of that: one that fails is undone by
   * itself. Statements that are no transaction's see what is committed, as ever. `work` runs again after a deadlock.
   */
  within<T>(work: (tx: Transaction<P>) => Promise<T>): Promise<T>;
};

/**
 * @param most how many larger transactions run at once: they read by other connections meanwhile, and must leave some
 */
export function joiningTransactions<P>(database: Database<P>, most = 5): JoiningDatabase<P> {
  if (isJoining(database)) return database;
  const inTurn = pLimit(most);
  return {
    ...database,
    transaction: (work, options) => {
      const joined = storage.getStore();
      // There is one database in a process: what is joined is a transaction of this one.
      return joined ? part(joined as Transaction<P>, work) : database.transaction(work, options);
    },
    announce: (channel, note) => {
      const joined = storage.getStore();
      if (joined) joined.announce(channel, note);
      else database.announce(channel, note);
    },
    afterCommit: (done) => {
      const joined = storage.getStore();
      if (joined) joined.afterCommit(done);
      else database.afterCommit(done);
    },
    within: (work) => inTurn(() => database.transaction((tx) => storage.run(tx, () => work(tx)))),
  };
}

async function part<P, T>(tx: Transaction<P>, work: (tx: Transaction<P>) => Promise<T>): Promise<T> {
  await beginPart.run(tx);
  const committed: (() => void)[] = [];
  // What is undone by itself is not committed with the whole.
  const own: Transaction<P> = {
    query: tx.query.bind(tx) as Transaction<P>['query'],
    prisma: () => tx.prisma(),
    announce: (channel, note) => tx.announce(channel, note),
    afterCommit: (done) => void committed.push(done),
  };
  try {
    const result = await storage.run(own, () => work(own));
    await endPart.run(tx);
    for (const done of committed) tx.afterCommit(done);
    return result;
  } catch (error) {
    await undoPart.run(tx);
    await endPart.run(tx);
    throw error;
  }
}

const isJoining = <P>(database: Database<P>): database is JoiningDatabase<P> => 'within' in database;
