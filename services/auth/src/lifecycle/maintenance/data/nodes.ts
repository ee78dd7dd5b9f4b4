import { type Sql, statement, typed } from '@ostiary/database';
import type { FoundNode } from '@ostiary/graph';
import { isUuid } from '@ostiary/service';
import type { Nodes } from '../nodes.ts';

const findNodes = statement({
  name: 'upkeep.nodes',
  reason: 'set',
  text: `SELECT 'Client' AS type, client_id AS id, NULL AS "ownerId" FROM auth.clients
      WHERE tenant = $tenant AND client_id = ANY($ids::text[])
     UNION ALL SELECT 'SigningKey', kid, NULL FROM auth.signing_keys WHERE tenant = $tenant AND kid = ANY($ids::text[])
     UNION ALL SELECT 'ServiceAccount', id::text, NULL FROM auth.service_accounts
      WHERE tenant = $tenant AND id = ANY($uuids::uuid[])
     UNION ALL SELECT 'Session', id::text, subject_id::text FROM auth.sessions
      WHERE tenant = $tenant AND id = ANY($uuids::uuid[]) AND revoked_at IS NULL AND expires_at > now()
        AND last_seen_at > now() - make_interval(secs => $idleSeconds::float8)
     UNION ALL SELECT 'Grant', id::text, subject_id::text FROM auth.grants
      WHERE tenant = $tenant AND id = ANY($uuids::uuid[]) AND revoked_at IS NULL AND expires_at > now()
     UNION ALL SELECT CASE WHEN subject_id IS NULL THEN 'ApiKey' ELSE 'PersonalAccessToken' END, id::text, subject_id::text
       FROM auth.api_tokens WHERE tenant = $tenant AND id = ANY($uuids::uuid[]) AND revoked_at IS NULL
     UNION ALL SELECT 'TrustedIssuer', id::text, NULL FROM auth.trusted_issuers WHERE tenant = $tenant AND id = ANY($uuids::uuid[])
     UNION ALL SELECT 'InitialAccessToken', id::text, NULL FROM auth.initial_access_tokens
      WHERE tenant = $tenant AND id = ANY($uuids::uuid[]) AND uses_left > 0 AND expires_at > now()
     UNION ALL SELECT CASE kind WHEN 'webhook' THEN 'Webhook' ELSE 'SignalStream' END, id::text, NULL FROM auth.receivers
      WHERE tenant = $tenant AND id = ANY($uuids::uuid[]) AND kind IN ('webhook', 'ssf')
     UNION ALL SELECT 'Delivery', id::text, NULL FROM auth.deliveries WHERE tenant = $tenant AND id = ANY($uuids::uuid[])
     UNION ALL SELECT 'SignInAttempt', id::text, subject_id::text FROM auth.sign_in_attempts
      WHERE tenant = $tenant AND id = ANY($uuids::uuid[])
     UNION ALL SELECT 'SecurityEvent', id::text, subject_id::text FROM auth.security_log
      WHERE tenant = $tenant AND id = ANY($uuids::uuid[])`,
  parameters: { tenant: 'text', uuids: 'uuid[]', ids: 'text[]', idleSeconds: 'float8' },
  columns: { type: typed<FoundNode['type']>('text'), id: 'text', ownerId: 'text?' },
});

/**
 * Returns the objects of the graph with these ids, by the conditions with which the graph reads each type: one
 * statement with a lookup in each primary key.
 */
export const nodesOf = (
  sql: Sql,
  tenant: string,
  ids: readonly string[],
  idleSeconds: number,
): Promise<FoundNode[]> => findNodes.rows(sql, { tenant, uuids: ids.filter(isUuid), ids, idleSeconds });

export const postgresNodes = (sql: Sql, idleSeconds: number): Nodes => ({
  of: (tenant, ids) => nodesOf(sql, tenant, ids, idleSeconds),
});
