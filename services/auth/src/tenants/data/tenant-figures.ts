import type { Sql } from '@ostiary/database';
import type { TenantFigures } from '../domain/tenant-figures.ts';

/** Counts what is live in a tenant; reads all of its rows, so it is not for every request. */
export async function tenantFigures(sql: Sql, tenant: string, idleSeconds: number): Promise<TenantFigures> {
  const { rows } = await sql.query<TenantFigures>(
    `SELECT
       (SELECT count(*)::int FROM auth.sessions WHERE tenant = $1 AND revoked_at IS NULL AND expires_at > now()
           AND last_seen_at > now() - make_interval(secs => $2)) AS sessions,
       (SELECT count(*)::int FROM auth.grants WHERE tenant = $1 AND revoked_at IS NULL AND expires_at > now()) AS grants,
       (SELECT count(*)::int FROM auth.api_tokens WHERE tenant = $1 AND subject_id IS NOT NULL AND revoked_at IS NULL
           AND expires_at > now()) AS "personalAccessTokens",
       (SELECT count(*)::int FROM auth.api_tokens WHERE tenant = $1 AND service_account_id IS NOT NULL
           AND revoked_at IS NULL AND expires_at > now()) AS "apiKeys",
       (SELECT count(*)::int FROM auth.clients WHERE tenant = $1 AND disabled_at IS NULL) AS clients,
       (SELECT count(*)::int FROM auth.service_accounts WHERE tenant = $1 AND disabled_at IS NULL) AS "serviceAccounts"`,
    [tenant, idleSeconds],
  );
  return rows[0] as TenantFigures;
}

