import type { Database, Transaction } from '@ostiary/database';

export interface Seen {
  text: string;
  /** Number of pages read; only while explaining. */
  buffers?: number;
  /** Number of rows returned by all nodes of the plan together; only while explaining. */
  rows?: number;
}

interface Plan {
  'Actual Rows': number;
  'Actual Loops': number;
  'Shared Hit Blocks': number;
  'Shared Read Blocks': number;
  Plans?: Plan[];
}

/** Records the statements of a database, including those in transactions, and the pages and rows that they read. */
export class Probe {
  #seen: Seen[] = [];
  #explaining = false;

  /** Returns the statements since the last call. */
  take(): Seen[] {
    const seen = this.#seen;
    this.#seen = [];
    return seen;
  }

  /** Runs work whose statements are all explained (ANALYZE, BUFFERS) before they run. */
  async explaining<T>(work: () => Promise<T>): Promise<T> {
    this.take();
    this.#explaining = true;
    try {
      return await work();
    } finally {
      this.#explaining = false;
    }
  }

  on<P>(database: Database<P>): Database<P> {
    return {
      ...database,
      sql: {
        prisma: database.sql.prisma,
        query: async (text, values) => {
          if (this.#explaining) return database.transaction((tx) => this.#explained(tx, text, values));
          this.#seen.push({ text });
          return database.sql.query(text, values);
        },
      },
      transaction: async (work, options) => {
        this.#seen.push({ text: 'BEGIN' });
        const result = await database.transaction(
          (tx) =>
            work({
              announce: (channel, note) => tx.announce(channel, note),
              afterCommit: (done) => tx.afterCommit(done),
              prisma: () => tx.prisma(),
              query: (text, values) => {
                if (this.#explaining) return this.#explained(tx, text, values);
                this.#seen.push({ text });
                return tx.query(text, values);
              },
            }),
          options,
        );
        this.#seen.push({ text: 'COMMIT' });
        return result;
      },
    };
  }

  /** EXPLAIN ANALYZE executes the statement, so its effect is rolled back before the real execution. */
  async #explained<R extends object>(
    tx: Transaction,
    text: string,
    values: readonly unknown[] = [],
  ): Promise<{ rows: R[]; rowCount: number }> {
    await tx.query('SAVEPOINT probe');
    const { rows } = await tx.query<{ 'QUERY PLAN': { Plan: Plan }[] }>(
      `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${text}`,
      values,
    );
    await tx.query('ROLLBACK TO SAVEPOINT probe');
    const plan = rows[0]?.['QUERY PLAN'][0]?.Plan;
    if (!plan) throw new Error(`no plan for ${text}`);
    this.#seen.push({
      text,
      buffers: plan['Shared Hit Blocks'] + plan['Shared Read Blocks'],
      rows: rowsOf(plan),
    });
    return tx.query<R>(text, values);
  }
}

const rowsOf = (plan: Plan): number =>
  plan['Actual Rows'] * plan['Actual Loops'] +
  (plan.Plans ?? []).reduce((sum, inner) => sum + rowsOf(inner), 0);
