import { type Sql, statement, typed } from '@ostiary/database';
import type { Connection } from '../../../platform/database/data/connection.ts';
import { pruning } from '../../../platform/database/data/pruning.ts';
import type { SignInPeriods } from '../../../tenancy/index.ts';
import type { SignInCount, SignInOutcome } from '../domain/sign-in-counts.ts';

/** Counts of many tenants at a time, in both tables. */
const add = statement({
  name: 'sign_in_counts.add',
  reason: 'set',
  text: `WITH e AS (
       SELECT tenant, start, outcome, total
         FROM jsonb_to_recordset($counts::jsonb) AS e(tenant text, start timestamptz, outcome text, total bigint)
     ), days AS (
       INSERT INTO auth.sign_in_counts AS c (tenant, day, outcome, total)
       SELECT tenant, (start AT TIME ZONE 'UTC')::date AS day, outcome, sum(total) FROM e
        GROUP BY tenant, day, outcome ORDER BY tenant, day, outcome
       ON CONFLICT (tenant, day, outcome) DO UPDATE SET total = c.total + excluded.total
     )
     INSERT INTO auth.sign_in_hours AS h (tenant, hour, outcome, total)
     SELECT tenant, start, outcome, total FROM e ORDER BY tenant, start, outcome
     ON CONFLICT (tenant, hour, outcome) DO UPDATE SET total = h.total + excluded.total`,
  parameters: { counts: typed<readonly SignInCount[]>('jsonb') },
});

/** Adds counts of hours to the stored ones. */
export async function addSignInCounts(sql: Sql, counts: readonly SignInCount[]): Promise<void> {
  await add.run(sql, { counts });
}

/** Returns the counts of a tenant since the start of a day or an hour, oldest first. */
export async function signInCounts(
  sql: Connection,
  tenant: string,
  { per, since }: SignInPeriods,
): Promise<SignInCount[]> {
  const prisma = await sql.prisma();
  const start = { gte: new Date(since) };
  const order = { outcome: 'asc' } as const;
  const rows =
    per === 'hour'
      ? (
          await prisma.signInHour.findMany({
            where: { tenant, hour: start },
            orderBy: [{ hour: 'asc' }, order],
          })
        ).map(({ hour, ...row }) => ({ ...row, start: hour }))
      : (
          await prisma.signInCount.findMany({
            where: { tenant, day: start },
            orderBy: [{ day: 'asc' }, order],
          })
        ).map(({ day, ...row }) => ({ ...row, start: day }));
  return rows.map((row) => ({
    tenant,
    start: row.start.toISOString(),
    outcome: row.outcome as SignInOutcome,
    total: Number(row.total),
  }));
}

const prune = statement({
  name: 'sign_in_counts.prune',
  reason: 'set',
  text: `DELETE FROM auth.sign_in_counts WHERE (tenant, day, outcome) IN (
       SELECT tenant, day, outcome FROM auth.sign_in_counts
        WHERE day < (now() - make_interval(secs => $retentionSeconds))::date
        LIMIT $limit FOR UPDATE SKIP LOCKED)`,
  parameters: { retentionSeconds: 'float8', limit: 'int8' },
});

/** Deletes counts older than the retention. */
export const pruneSignInCounts = (sql: Sql, retentionSeconds: number, limit: number): Promise<number> =>
  prune.count(sql, { retentionSeconds, limit });

/** Deletes counts of hours older than two weeks. */
export const pruneSignInHours = pruning(
  'sign_in_hours.prune',
  'sign_in_hours',
  "hour < now() - interval '14 days'",
  'tenant, hour, outcome',
);
