import { statement } from '@ostiary/database';
import type { Connection } from '../../database/data/connection.ts';
import { pruning } from '../../database/data/pruning.ts';
import type { AttemptLimit, Guesses } from '../domain/attempts.ts';

const ms = (expression: string): string => `(${expression}) * interval '1 millisecond'`;

/**
 * Number of guesses forgotten since `at`: $free in $forgetMs milliseconds. A statement that waited for the row lock
 * may have started before `at`; floor() of that negative difference is -1, so without a minimum the guess would count
 * twice.
 */
const forgotten = `greatest(0, floor(extract(epoch FROM statement_timestamp() - g.at) * 1000 * $free::float8 / $forgetMs::float8))`;
const remaining = `(CASE WHEN ${forgotten} >= g.count THEN 0 ELSE g.count - ${forgotten} END + 1)`;
const waitAfter = (count: string): string =>
  `CASE WHEN ${count} >= $free::float8
     THEN statement_timestamp() + ${ms(`least($firstMs::float8 * 2 ^ least(${count} - $free::float8, 30), $maxMs::float8)`)} END`;
const lasts = (count: string): string =>
  `statement_timestamp() + ${ms(`greatest(${count} * $forgetMs::float8 / $free::float8, $maxMs::float8)`)}`;

/** Returns no row if the next guess is not permitted yet. */
const beginGuess = statement({
  name: 'limits.begin',
  reason: 'atomic',
  text: `
INSERT INTO auth.guesses AS g (tenant, account, count, at, next_at, expires_at)
VALUES ($tenant, $account, 1, statement_timestamp(), ${waitAfter('1::float8')}, ${lasts('1::float8')})
ON CONFLICT (tenant, account) DO UPDATE SET
  count = ${remaining},
  at = CASE WHEN ${forgotten} >= g.count THEN statement_timestamp()
       ELSE g.at + ${ms(`${forgotten} * $forgetMs::float8 / $free::float8`)} END,
  next_at = ${waitAfter(remaining)},
  expires_at = ${lasts(remaining)}
WHERE g.next_at IS NULL OR g.next_at <= statement_timestamp()
RETURNING 1 AS begun`,
  parameters: {
    tenant: 'text',
    account: 'text',
    free: 'float8',
    firstMs: 'float8',
    maxMs: 'float8',
    forgetMs: 'float8',
  },
  columns: { begun: 'int4' },
});

const takeBack = statement({
  name: 'limits.take-back',
  reason: 'hot path',
  text: `UPDATE auth.guesses SET count = count - 1, next_at = NULL
          WHERE tenant = $tenant AND account = $account AND count > 1`,
  parameters: { tenant: 'text', account: 'text' },
});

const forgetAll = statement({
  name: 'limits.forget',
  reason: 'hot path',
  text: 'DELETE FROM auth.guesses WHERE tenant = $tenant AND account = $account',
  parameters: { tenant: 'text', account: 'text' },
});

export class PostgresGuesses implements Guesses {
  readonly #sql: Connection;

  constructor(sql: Connection) {
    this.#sql = sql;
  }

  async begin(tenant: string, account: string, limit: AttemptLimit): Promise<number> {
    if ((await beginGuess.count(this.#sql, { tenant, account, ...limit })) > 0) return 0;
    const prisma = await this.#sql.prisma();
    const row = await prisma.guess.findUnique({
      where: { tenant_account: { tenant, account } },
      select: { nextAt: true },
    });
    return Math.max(1, (row?.nextAt?.getTime() ?? 0) - Date.now());
  }

  async succeed(tenant: string, account: string, forget: 'all' | 'this'): Promise<void> {
    if (forget === 'this' && (await takeBack.count(this.#sql, { tenant, account })) > 0) return;
    await forgetAll.run(this.#sql, { tenant, account });
  }
}

export const pruneGuesses = pruning(
  'maintenance.prune-guesses',
  'guesses',
  'expires_at < now()',
  'tenant, account',
);
