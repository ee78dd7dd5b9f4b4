import type { Sql } from './sql.ts';

export interface RowsReadOptions {
  /** A pool all of whose connections did the work. */
  sql: Sql;
  schema: string;
  /** Tables of it that count; all when absent. */
  tables?: readonly string[];
}

/** More than any pool has, so that each of its connections gets one of so many questions that are asked at once. */
const everyConnection = 24;
const times = 5;

/** Counts the rows and index entries that PostgreSQL reads: what a piece of work costs on any machine. */
export class RowsRead {
  readonly #o: RowsReadOptions;

  constructor(options: RowsReadOptions) {
    this.#o = options;
  }

  /** What the work reads each time, of several; whatever it does the first time only isn't counted. */
  async by(work: () => Promise<unknown>): Promise<number> {
    await work();
    const before = await this.#soFar();
    for (let time = 0; time < times; time += 1) await work();
    return ((await this.#soFar()) - before) / times;
  }

  /**
   * What the work reads after everything has grown. Counted again, three times in all, while it is too much: what else goes on in the database
   * meanwhile, such as a job that is due now, isn't the work's, and a table that is read through is so each time.
   */
  async after(before: number, work: () => Promise<unknown>): Promise<number> {
    let least = await this.by(work);
    for (let count = 1; count < 3 && !staysWithin(before, least); count += 1)
      least = Math.min(least, await this.by(work));
    return least;
  }

  async #soFar(): Promise<number> {
    const { sql, schema, tables } = this.#o;
    // Each connection says what it has read, when it is asked to.
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
 * Whether work reads as much after everything has grown as before, by 1.3 at most. A few entries more are dead ones of the work
 * before.
 */
export const staysWithin = (before: number, after: number): boolean => after <= 1.3 * before + 5;
