/**
 * Transactions as the domain sees them: opaque values that it passes to its ports. It cannot run statements;
 * only the data layer can. `Sql` and `Transaction` of `@ostiary/database` implement them.
 */

/** A transaction in progress, or the pool, where each statement is its own transaction. */
export interface Transaction {
  /** For the data layer only. */
  readonly query: unknown;
}

export interface TransactionOptions {
  isolation?: 'read committed' | 'repeatable read' | 'serializable';
}

/** Source of transactions, such as `Database` of `@ostiary/database`. */
export interface Transactions {
  /** For single statements, each in its own transaction. */
  readonly sql: Transaction;
  /**
   * Runs `work` in a transaction: commits if it resolves, rolls back if it throws. After a serialization
   * failure or deadlock, all of `work` runs again, so it must not have effects outside of the transaction.
   */
  transaction<T>(work: (tx: Transaction) => Promise<T>, options?: TransactionOptions): Promise<T>;
}
