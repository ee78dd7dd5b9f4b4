/**
 * What rules know about transactions: that there are some. A rule passes one on to its ports, and cannot run a statement on it; only the
 * data layer knows what it is. `Sql` and `Transaction` of `@ostiary/database` are such.
 */

/** A transaction under way, or the pool, where each statement is a transaction of its own. */
export interface Transaction {
  /** The data layer's. */
  readonly query: unknown;
}

export interface TransactionOptions {
  isolation?: 'read committed' | 'repeatable read' | 'serializable';
}

/** Where transactions come from: `Database` of `@ostiary/database` is one. */
export interface Transactions {
  /** For single statements, each in its own transaction. */
  readonly sql: Transaction;
  /**
   * Runs `work` in a transaction: committed when it resolves, rolled back when it throws. After a serialization failure or a deadlock the
   * whole of `work` runs again, so it must not have effects outside of the transaction.
   */
  transaction<T>(work: (tx: Transaction) => Promise<T>, options?: TransactionOptions): Promise<T>;
}
