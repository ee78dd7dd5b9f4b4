import { AsyncLocalStorage } from 'node:async_hooks';
import type pg from 'pg';
import type { TransactionClient } from '../sql.ts';

/** Runs what Prisma sends on the connection of a transaction. */
export type RunOnConnection = (config: pg.QueryConfig) => Promise<pg.QueryResult>;

interface Loan {
  run: RunOnConnection;
  taken: boolean;
}

/** The client as far as it matters here. */
interface Interactive<P> {
  $transaction<T>(
    work: (client: TransactionClient<P>) => Promise<T>,
    options: { maxWait: number; timeout: number },
  ): Promise<T>;
}

/** How long Prisma lets its side of a transaction take, in ms: as long as it likes. PostgreSQL's own limits count. */
const unlimitedMs = 2 ** 31 - 1;

/** Begun and ended by whom the connection belongs to. */
const boundaries = new Set(['BEGIN', 'COMMIT', 'ROLLBACK']);

/** A Prisma client on a connection that it was lent. */
export interface Borrowing<P> {
  client: TransactionClient<P>;
  /** Ends Prisma's part; sends nothing. Never rejects. */
  end(): Promise<void>;
}

/**
 * Lends Prisma the connection of a transaction that is under way, so that its statements and raw ones are one transaction. For Prisma it is an
 * interactive transaction on a connection of its own; the statements by which it would begin and end it are not sent.
 *
 * The adapter takes its connection from the pool, and knows nothing of who asked for a transaction. So the pool it is given looks
 * for a loan in the asynchronous context of `$transaction`, where nothing else asks for a connection, and which is used up by the first that does.
 */
export class PrismaLoan {
  readonly #loans = new AsyncLocalStorage<Loan>();

  /** The pool for the adapter. */
  poolFor(pool: pg.Pool): pg.Pool {
    const connect = () => {
      const loan = this.#loans.getStore();
      if (loan === undefined || loan.taken) return pool.connect();
      loan.taken = true;
      return Promise.resolve(lentConnection(loan.run));
    };
    return new Proxy(pool, {
      get(target, property) {
        if (property === 'connect') return connect;
        const value: unknown = Reflect.get(target, property, target);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
  }

  /** @throws what Prisma throws when it can't begin */
  async lend<P>(prisma: P, run: RunOnConnection): Promise<Borrowing<P>> {
    const loan: Loan = { run, taken: false };
    const began = Promise.withResolvers<TransactionClient<P>>();
    const ending = Promise.withResolvers<void>();
    const ended = this.#loans
      .run(loan, () =>
        (prisma as Interactive<P>).$transaction(
          (client) => {
            began.resolve(client);
            return ending.promise;
          },
          { maxWait: unlimitedMs, timeout: unlimitedMs },
        ),
      )
      .catch((error: unknown) => began.reject(error));
    const client = await began.promise;
    const end = async () => {
      ending.resolve();
      await ended;
    };
    if (loan.taken) return { client, end };
    await end();
    throw new Error('Prisma began a transaction without the connection that it was lent');
  }
}

/** As much of a connection as the adapter uses: it belongs to somebody else, who listens for its errors and gives it back. */
function lentConnection(run: RunOnConnection): pg.PoolClient {
  const nothing = { rows: [], fields: [], rowCount: 0, command: '', oid: 0 };
  const connection = {
    query: (config: pg.QueryConfig) => (boundaries.has(config.text) ? Promise.resolve(nothing) : run(config)),
    on: () => connection,
    removeListener: () => connection,
    release() {},
  };
  return connection as unknown as pg.PoolClient;
}
