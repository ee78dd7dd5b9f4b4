import type { Sql } from '@ostiary/database';
import type { FoundNode } from '@ostiary/graph';
import { isUuid } from '@ostiary/service';
import type { Nodes } from '../domain/nodes.ts';

/**
 * What the graph shows of these ids, by the same conditions by which it reads each: one statement, which looks into each
 * primary key.
 */
export async function nodesOf(
  sql: Sql,
  tenant: string,
  ids: readonly string[],
  idleSeconds: number,
): Promise<FoundNode[]> {
  const { rows } = await sql.query<FoundNode>(
    `SELECT 'Client' AS type, client_id AS id, NULL AS "ownerId" FROM auth.clients
      WHERE tenant = $1 AND client_id = ANY($3::text[])
     UNION ALL SELECT 'SigningKey', kid, NULL FROM auth.signing_keys WHERE tenant = $1 AND kid = ANY($3::text[])
     UNION ALL SELECT 'ServiceAccount', id::text, NULL FROM auth.service_accounts
      WHERE tenant = $1 AND id = ANY($2::uuid[])
     UNION ALL SELECT 'Session', id::text, subject_id::text FROM auth.sessions
      WHERE tenant = $1 AND id = ANY($2::uuid[]) AND revoked_at IS NULL AND expires_at > now()
        AND last_seen_at > now() - make_interval(secs => $4::float8)
     UNION ALL SELECT 'Grant', id::text, subject_id::text FROM auth.grants
      WHERE tenant = $1 AND id = ANY($2::uuid[]) AND revoked_at IS NULL AND expires_at > now()
     UNION ALL SELECT CASE WHEN subject_id IS NULL THEN 'ApiKey' ELSE 'PersonalAccessToken' END, id::text, subject_id::text
       FROM auth.api_tokens WHERE tenant = $1 AND id = ANY($2::uuid[]) AND revoked_at IS NULL
     UNION ALL SELECT 'TrustedIssuer', id::text, NULL FROM auth.trusted_issuers WHERE tenant = $1 AND id = ANY($2::uuid[])
     UNION ALL SELECT 'InitialAccessToken', id::text, NULL FROM auth.initial_access_tokens
      WHERE tenant = $1 AND id = ANY($2::uuid[]) AND uses_left > 0 AND expires_at > now()
     UNION ALL SELECT CASE kind WHEN 'webhook' THEN 'Webhook' ELSE 'SignalStream' END, id::text, NULL FROM auth.receivers
      WHERE tenant = $1 AND id = ANY($2::uuid[]) AND kind IN ('webhook', 'ssf')
     UNION ALL SELECT 'Delivery', id::text, NULL FROM auth.deliveries WHERE tenant = $1 AND id = ANY($2::uuid[])
     UNION ALL SELECT 'SecurityEvent', id::text, subject_id::text FROM auth.security_log
      WHERE tenant = $1 AND id = ANY($2::uuid[])`,
    [tenant, ids.filter(isUuid), [...ids], idleSeconds],
  );
  return rows;
}

export const postgresNodes = (sql: Sql, idleSeconds: number): Nodes => ({
  of: (tenant, ids) => nodesOf(sql, tenant, ids, idleSeconds),
});
