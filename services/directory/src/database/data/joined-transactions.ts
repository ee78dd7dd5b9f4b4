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

/** Reports whether this runs inside of `within`: a single statement then has to become a transaction, to take part. */
export const isJoined = (): boolean => storage.getStore() !== undefined;

/** A database whose transactions can become parts of a larger one, without a change in their code. */
export type JoiningDatabase<P> = Database<P> & {
  /**
   * Runs `work` in one transaction, of which every transaction that it begins becomes a part. A failed part is rolled
   * back separately. Statements outside of a transaction still read committed data only. `work` runs again after a
   * deadlock.
   */
  within<T>(work: (tx: Transaction<P>) => Promise<T>): Promise<T>;
};

/**
 * @param most maximum number of concurrent larger transactions: they also read over other connections, some of which
 * must stay free
 */
export function joiningTransactions<P>(database: Database<P>, most = 5): JoiningDatabase<P> {
  if (isJoining(database)) return database;
  const inTurn = pLimit(most);
  return {
    ...database,
    transaction: (work, options) => {
      const joined = storage.getStore();
      // A process has one database: a joined transaction is always one of this database.
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
  // Callbacks of a part that is rolled back must not run after the commit of the whole.
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
