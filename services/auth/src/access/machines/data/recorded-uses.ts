import { type Sql, statement } from '@ostiary/database';

/**
 * Declares the record of the last uses of credentials. An earlier time than the stored one has no effect. Rows locked by
 * other transactions are skipped: these revoke credentials in their own order and must not wait for this statement.
 */
export function recordingUses(table: 'api_tokens' | 'service_account_keys') {
  const touch = statement({
    name: `${table}.touch`,
    reason: 'set',
    text: `WITH used AS (
           SELECT t.tenant, t.id, u.at FROM unnest($tenants::text[], $ids::uuid[], $instants::timestamptz[]) AS u(tenant, id, at)
             JOIN auth.${table} t ON t.tenant = u.tenant AND t.id = u.id AND (t.last_used_at IS NULL OR t.last_used_at < u.at)
              FOR NO KEY UPDATE OF t SKIP LOCKED
         ) UPDATE auth.${table} t SET last_used_at = used.at FROM used WHERE t.tenant = used.tenant AND t.id = used.id`,
    parameters: { tenants: 'text[]', ids: 'uuid[]', instants: 'timestamptz[]' },
  });
  return async (sql: Sql, used: readonly { tenant: string; id: string; at: Date }[]): Promise<void> => {
    await touch.run(sql, {
      tenants: used.map(({ tenant }) => tenant),
      ids: used.map(({ id }) => id),
      instants: used.map(({ at }) => at),
    });
  };
}
