import type { Sql } from './sql.ts';

export interface RowsReadOptions {
  /** Pool whose connections did the work. */
  sql: Sql;
  schema: string;
  /** Counted tables of the schema, default all. */
  tables?: readonly string[];
}

/** More than the size of any pool, so that concurrent queries reach each of its connections. */
const everyConnection = 24;
const times = 5;

/** Counts the rows and index entries that PostgreSQL reads: the cost of work independent of the machine. */
export class RowsRead {
  readonly #o: RowsReadOptions;

  constructor(options: RowsReadOptions) {
    this.#o = options;
  }

  /** Returns the reads per run of the work, excluding first-time costs. */
  async by(work: () => Promise<unknown>): Promise<number> {
    await work();
    const before = await this.#soFar();
    for (let time = 0; time < times; time += 1) await work();
    return ((await this.#soFar()) - before) / times;
  }

  /**
   * Returns the reads of the work after the data has grown. Counted up to three times while it is too high:
   * other jobs in the database may contribute once, but a table scan recurs.
   */
  async after(before: number, work: () => Promise<unknown>): Promise<number> {
    let least = await this.by(work);
    for (let count = 1; count < 3 && !staysWithin(before, least); count += 1)
      least = Math.min(least, await this.by(work));
    return least;
  }

  async #soFar(): Promise<number> {
    const { sql, schema, tables } = this.#o;
    // Each connection flushes its statistics on request.
    await Promise.all(
      Array.from({ length: everyConnection }, () =>
        sql.query('SELECT pg_stat_force_next_flush(), pg_sleep(0.1)'),
      ),
    );
    const { rows } = await sql.query<{ read: number }>(
      `SELECT (SELECT sum(seq_tup_read) FROM pg_stat_user_tables
                WHERE schemaname = $1 AND ($2::text[] IS NULL OR relname = ANY ($2)))::float8
            + (SELECT sum(idx_tup_read) FROM pg_stat_user_indexes
                WHERE schemaname = $1 AND ($2::text[] IS NULL OR relname = ANY ($2)))::float8 AS read`,
      [schema, tables ?? null],
    );
    return rows[0]?.read ?? Number.NaN;
  }
}

/**
 * Reports whether the reads stayed within 1.3 times of before. A few more are dead entries of the work
 * before.
 */
export const staysWithin = (before: number, after: number): boolean => after <= 1.3 * before + 5;
