import type { Sql } from '@ostiary/database';
import { changesBetween } from '../domain/changes.ts';
import { recordClause } from './security-log.ts';

/** The scopes a person has allowed a client before, and not taken back. */
export async function consentedScopes(
  sql: Sql,
  tenant: string,
  subjectId: string,
  clientId: string,
): Promise<ReadonlySet<string>> {
  const { rows } = await sql.query<{ scopes: string[] }>(
    `SELECT scopes FROM auth.consents
      WHERE tenant = $1 AND subject_id = $2 AND client_id = $3 AND revoked_at IS NULL`,
    [tenant, subjectId, clientId],
  );
  return new Set(rows[0]?.scopes ?? []);
}

/** Whether a person took back what they had allowed a client, and didn't allow it anew. */
export async function isConsentWithdrawn(
  sql: Sql,
  tenant: string,
  subjectId: string,
  clientId: string,
): Promise<boolean> {
  const { rowCount } = await sql.query(
    `SELECT 1 FROM auth.consents
      WHERE tenant = $1 AND subject_id = $2 AND client_id = $3 AND revoked_at IS NOT NULL`,
    [tenant, subjectId, clientId],
  );
  return rowCount > 0;
}

/** Remembers what a person allowed a client, added to what they allowed it before. */
export async function rememberConsent(
  sql: Sql,
  tenant: string,
  subjectId: string,
  clientId: string,
  scopes: readonly string[],
): Promise<void> {
  const event = recordClause(
    tenant,
    {
      action: 'user.app_allowed',
      resourceType: 'Client',
      resourceId: clientId,
      subjectId,
      changes: changesBetween(undefined, { scopes: [...scopes] }),
    },
    { firstParameter: 5 },
  );
  await sql.query(
    `WITH ${event.text}
     INSERT INTO auth.consents AS c (tenant, subject_id, client_id, scopes) VALUES ($1, $2, $3, $4)
     ON CONFLICT (tenant, subject_id, client_id) DO UPDATE SET
       scopes = CASE WHEN c.revoked_at IS NULL
                     THEN ARRAY(SELECT DISTINCT unnest(c.scopes || excluded.scopes) ORDER BY 1)
                     ELSE excluded.scopes END,
       granted_at = now(), revoked_at = NULL`,
    [tenant, subjectId, clientId, [...scopes], ...event.values],
  );
}
