import { AsyncLocalStorage } from 'node:async_hooks';
import type pg from 'pg';
import type { TransactionClient } from '../sql.ts';

/** Runs a statement of Prisma on the connection of a transaction. */
export type RunOnConnection = (config: pg.QueryConfig) => Promise<pg.QueryResult>;

interface Loan {
  run: RunOnConnection;
  taken: boolean;
}

/** Method of the client that starts interactive transactions. */
interface Interactive<P> {
  $transaction<T>(
    work: (client: TransactionClient<P>) => Promise<T>,
    options: { maxWait: number; timeout: number },
  ): Promise<T>;
}

/** Prisma's timeout of a transaction in ms, effectively unlimited. PostgreSQL's own timeouts apply. */
const unlimitedMs = 2 ** 31 - 1;

/** Sent by the owner of the connection instead. */
const boundaries = new Set(['BEGIN', 'COMMIT', 'ROLLBACK']);

/** A Prisma client on a borrowed connection. */
export interface Borrowing<P> {
  client: TransactionClient<P>;
  /** Ends Prisma's part without sending a statement. Never rejects. */
  end(): Promise<void>;
}

/**
 * Lends Prisma the connection of a transaction in progress, so that its statements and raw ones are one
 * transaction. For Prisma it is an interactive transaction on a connection of its own; the statements that
 * would begin and end it are not sent.
 * The adapter takes its connection from the pool without the caller's identity. So its pool looks for a loan
 * in the asynchronous context of `$transaction`, where no other code requests a connection; the first request
 * uses it up.
 */
export class PrismaLoan {
  readonly #loans = new AsyncLocalStorage<Loan>();

  /** Returns the pool for the adapter. */
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

  /** @throws Prisma's error if it cannot begin */
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

/**
 * Returns the methods of a connection that the adapter uses. The owner handles its errors and releases it.
 */
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
