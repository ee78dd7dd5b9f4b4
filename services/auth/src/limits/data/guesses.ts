import type { Sql } from '@ostiary/database';
import type { AttemptLimit, Guesses } from '../domain/attempts.ts';

const ms = (expression: string): string => `(${expression}) * interval '1 millisecond'`;

/** How many of the guesses have been forgotten since `at`: $3 free ones in $6 milliseconds. */
const forgotten = `floor(extract(epoch FROM statement_timestamp() - g.at) * 1000 * $3::float8 / $6::float8)`;
const remaining = `(CASE WHEN ${forgotten} >= g.count THEN 0 ELSE g.count - ${forgotten} END + 1)`;
const waitAfter = (count: string): string =>
  `CASE WHEN ${count} >= $3::float8
     THEN statement_timestamp() + ${ms(`least($4::float8 * 2 ^ least(${count} - $3::float8, 30), $5::float8)`)} END`;
const lasts = (count: string): string =>
  `statement_timestamp() + ${ms(`greatest(${count} * $6::float8 / $3::float8, $5::float8)`)}`;

/** Without a row nothing was counted: the next may not be made yet. */
const beginStatement = `
INSERT INTO auth.guesses AS g (tenant, account, count, at, next_at, expires_at)
VALUES ($1, $2, 1, statement_timestamp(), ${waitAfter('1::float8')}, ${lasts('1::float8')})
ON CONFLICT (tenant, account) DO UPDATE SET
  count = ${remaining},
  at = CASE WHEN ${forgotten} >= g.count THEN statement_timestamp()
       ELSE g.at + ${ms(`${forgotten} * $6::float8 / $3::float8`)} END,
  next_at = ${waitAfter(remaining)},
  expires_at = ${lasts(remaining)}
WHERE g.next_at IS NULL OR g.next_at <= statement_timestamp()
RETURNING 1`;

/** Counts of guesses in PostgreSQL. */
export class PostgresGuesses implements Guesses {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  async begin(tenant: string, account: string, limit: AttemptLimit): Promise<number> {
    const { free, firstMs, longestMs, forgetMs } = limit;
    const counted = await this.#sql.query(beginStatement, [
      tenant,
      account,
      free,
      firstMs,
      longestMs,
      forgetMs,
    ]);
    if (counted.rowCount > 0) return 0;
    const { rows } = await this.#sql.query<{ wait: number }>(
      `SELECT ceil(extract(epoch FROM next_at - clock_timestamp()) * 1000)::float8 AS wait
         FROM auth.guesses WHERE tenant = $1 AND account = $2`,
      [tenant, account],
    );
    return Math.max(1, rows[0]?.wait ?? 1);
  }

  async succeed(tenant: string, account: string, forget: 'all' | 'this'): Promise<void> {
    if (forget === 'this') {
      const { rowCount } = await this.#sql.query(
        `UPDATE auth.guesses SET count = count - 1, next_at = NULL
          WHERE tenant = $1 AND account = $2 AND count > 1`,
        [tenant, account],
      );
      if (rowCount > 0) return;
    }
    await this.#sql.query('DELETE FROM auth.guesses WHERE tenant = $1 AND account = $2', [tenant, account]);
  }
}
