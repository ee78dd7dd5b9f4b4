import type { Sql } from '@ostiary/database';
import type { SignInCount } from '../domain/sign-in-counts.ts';

/** Adds to what is counted already. */
export async function addSignInCounts(sql: Sql, counts: readonly SignInCount[]): Promise<void> {
  await sql.query(
    `INSERT INTO auth.sign_in_counts AS c (tenant, day, outcome, total)
     SELECT tenant, day, outcome, total FROM jsonb_to_recordset($1::jsonb) AS e(tenant text, day date, outcome text, total bigint)
     ORDER BY tenant, day, outcome
     ON CONFLICT (tenant, day, outcome) DO UPDATE SET total = c.total + excluded.total`,
    [JSON.stringify(counts)],
  );
}

/** What was counted in a tenant since a day, oldest first. */
export async function signInCounts(sql: Sql, tenant: string, since: string): Promise<SignInCount[]> {
  const { rows } = await sql.query<SignInCount>(
    `SELECT tenant, day::text AS day, outcome, total::float8 AS total FROM auth.sign_in_counts
      WHERE tenant = $1 AND day >= $2::date ORDER BY day, outcome`,
    [tenant, since],
  );
  return rows;
}

/** Deletes what is older than the retention. */
export async function pruneSignInCounts(sql: Sql, retentionSeconds: number, limit: number): Promise<number> {
  const { rowCount } = await sql.query(
    `DELETE FROM auth.sign_in_counts WHERE (tenant, day, outcome) IN (
       SELECT tenant, day, outcome FROM auth.sign_in_counts WHERE day < (now() - make_interval(secs => $1))::date
       LIMIT $2 FOR UPDATE SKIP LOCKED)`,
    [retentionSeconds, limit],
  );
  return rowCount;
}
