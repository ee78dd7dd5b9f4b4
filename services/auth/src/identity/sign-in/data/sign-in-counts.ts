import { type Sql, statement, typed } from '@ostiary/database';
import type { Connection } from '../../../platform/database/data/connection.ts';
import type { SignInCount, SignInOutcome } from '../domain/sign-in-counts.ts';

/** Counts of many tenants at a time. */
const add = statement({
  name: 'sign_in_counts.add',
  reason: 'set',
  text: `INSERT INTO auth.sign_in_counts AS c (tenant, day, outcome, total)
     SELECT tenant, day, outcome, total FROM jsonb_to_recordset($counts::jsonb) AS e(tenant text, day date, outcome text, total bigint)
     ORDER BY tenant, day, outcome
     ON CONFLICT (tenant, day, outcome) DO UPDATE SET total = c.total + excluded.total`,
  parameters: { counts: typed<readonly SignInCount[]>('jsonb') },
});

/** Adds to the stored counts. */
export async function addSignInCounts(sql: Sql, counts: readonly SignInCount[]): Promise<void> {
  await add.run(sql, { counts });
}

/** Returns the counts of a tenant since a day, oldest first. */
export async function signInCounts(sql: Connection, tenant: string, since: string): Promise<SignInCount[]> {
  const prisma = await sql.prisma();
  const rows = await prisma.signInCount.findMany({
    where: { tenant, day: { gte: new Date(since) } },
    orderBy: [{ day: 'asc' }, { outcome: 'asc' }],
  });
  return rows.map((row) => ({
    tenant,
    day: row.day.toISOString().slice(0, 10),
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
