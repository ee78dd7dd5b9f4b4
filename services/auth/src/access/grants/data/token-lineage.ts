import { derivedFromClaim, readAncestors } from '@ostiary/access';
import { type Sql, statement, typed } from '@ostiary/database';
import { noRevocation } from '../../../tenancy/users/data/revocations.ts';
import type { AccessTokenClaims } from '../domain/access-token-claims.ts';

const uuid = '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$';

/**
 * Reads all ancestors in one statement, as the `derived_from` claim lists them. A grant is looked up by its id alone,
 * because in a chain of exchanges only the first token was issued to the grant's own client.
 */
const lineage = statement({
  name: 'grants.lineage',
  reason: 'hot path',
  text: `
WITH ancestors AS (
  SELECT * FROM jsonb_to_recordset($ancestors::jsonb) AS e(
    jti text, sub text, client_id text, client_epoch int, sub_epoch int, grant_id uuid, sid uuid, api_token text)
)
SELECT
  ${noRevocation('jti', 'e.jti')}
  AND (e.api_token IS NULL OR EXISTS (
    SELECT 1 FROM auth.api_tokens t
    WHERE t.tenant = $tenant AND t.id = CASE WHEN e.jti ~ '${uuid}' THEN e.jti::uuid END
      AND t.revoked_at IS NULL AND t.expires_at > now()))
  AND (e.api_token IS NOT DISTINCT FROM 'personal' OR EXISTS (
    SELECT 1 FROM auth.clients c
    WHERE c.tenant = $tenant AND c.client_id = e.client_id AND c.disabled_at IS NULL AND c.epoch <= e.client_epoch)
    OR EXISTS (
    SELECT 1 FROM auth.service_accounts a
    WHERE a.tenant = $tenant AND a.disabled_at IS NULL AND a.epoch <= e.client_epoch
      AND a.id = CASE WHEN e.client_id ~ '${uuid}' THEN e.client_id::uuid END))
  AND (e.sub_epoch IS NULL OR EXISTS (
    SELECT 1 FROM auth.subjects s
    WHERE s.tenant = $tenant AND s.id = CASE WHEN e.sub ~ '${uuid}' THEN e.sub::uuid END
      AND s.active AND NOT s.deleted AND s.epoch <= e.sub_epoch))
  AND (e.grant_id IS NULL OR EXISTS (
    SELECT 1 FROM auth.grants g
    WHERE g.tenant = $tenant AND g.id = e.grant_id AND g.revoked_at IS NULL AND g.expires_at > now()))
  AND NOT EXISTS (SELECT 1 FROM auth.sessions o
                  WHERE o.tenant = $tenant AND o.id = e.sid AND o.revoked_at IS NOT NULL) AS live,
  (SELECT s.user_name FROM auth.subjects s
   WHERE e.sub_epoch IS NOT NULL AND e.sub = $subject AND s.tenant = $tenant
     AND s.id = CASE WHEN e.sub ~ '${uuid}' THEN e.sub::uuid END) AS "userName"
FROM ancestors e`,
  parameters: { tenant: 'text', ancestors: typed<Record<string, unknown>[]>('jsonb'), subject: 'text' },
  columns: { live: 'bool', userName: 'text?' },
});

/** Reports whether every ancestor of a token is valid, and returns the user name of its user. */
export async function lineageStatus(
  sql: Sql,
  tenant: string,
  claims: AccessTokenClaims,
): Promise<{ live: boolean; userName?: string }> {
  const ancestors = derivedFromClaim(readAncestors(claims.derived_from));
  const rows = await lineage.rows(sql, { tenant, ancestors, subject: claims.sub });
  if (rows.length !== ancestors.length || !rows.every(({ live }) => live)) return { live: false };
  const userName = rows.find((row) => row.userName !== null)?.userName;
  return typeof userName === 'string' ? { live: true, userName } : { live: true };
}
