import type pg from 'pg';

/** Executor of SQL: the pool (one statement, its own transaction) or a transaction. */
export interface Sql {
  /**
   * Runs one parameterised statement. Rows hold: `int8` as number when safe, otherwise string (select `x::text` for
   * 64-bit identifiers); `numeric`, `uuid`, `xid8`, `date` as string; `timestamptz` as Date; `jsonb` as object; `bytea` as Buffer.
   * To write jsonb, pass `JSON.stringify(value)`: an array would be taken for a PostgreSQL array.
   * @throws DatabaseUnavailable (503), or pg's DatabaseError with its SQLSTATE in `code`.
   */
  query<R extends object>(
    text: string,
    values?: readonly unknown[],
  ): Promise<{ rows: R[]; rowCount: number }>;
}

/** The generated client inside of a transaction: its `Prisma.TransactionClient`. */
export type TransactionClient<P> = Omit<P, '$connect' | '$disconnect' | '$on' | '$use' | '$extends'>;

/** SQL and the Prisma client on one connection: the pool, or a transaction. */
export interface Connected<P> extends Sql {
  /**
   * Returns the client on the same connection as `query`: in a transaction both see each other's changes, and
   * commit or roll back together. The same client for each call; not for use after the transaction.
   */
  prisma(): Promise<TransactionClient<P>>;
}

/** Returns raw SQL on a pool or connection. */
export function sqlOn(target: { query(text: string, values: unknown[]): Promise<pg.QueryResult> }): Sql {
  return {
    async query<R extends object>(text: string, values: readonly unknown[] = []) {
      const result = await target.query(text, values as unknown[]);
      return { rows: result.rows as R[], rowCount: result.rowCount ?? 0 };
    },
  };
}
