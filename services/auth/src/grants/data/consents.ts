import type { Sql } from '@ostiary/database';
import { recordClause } from '../../audit/data/index.ts';
import { changesBetween } from '../../audit/index.ts';
import type { ConsentingPerson, ConsentStore } from '../domain/consents.ts';

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

export async function rememberConsent(
  sql: Sql,
  tenant: string,
  { session: { id, subjectId, subjectEpoch }, withdrawals }: ConsentingPerson,
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
    { firstParameter: 8, onlyIf: 'person' },
  );
  await sql.query(
    `WITH person AS (
       SELECT 1 FROM auth.subjects s, auth.sessions o
        WHERE s.tenant = $1 AND s.id = $2 AND s.active AND NOT s.deleted AND s.epoch = $5
          AND COALESCE((s.withdrawals->>$3::text)::int, 0) = $6
          AND o.tenant = $1 AND o.id = $7 AND o.subject_id = s.id AND o.revoked_at IS NULL
       FOR SHARE OF s, o
     ), ${event.text}
     INSERT INTO auth.consents AS c (tenant, subject_id, client_id, scopes) SELECT $1, $2, $3, $4 FROM person
     ON CONFLICT (tenant, subject_id, client_id) DO UPDATE SET
       scopes = CASE WHEN c.revoked_at IS NULL
                     THEN ARRAY(SELECT DISTINCT unnest(c.scopes || excluded.scopes) ORDER BY 1)
                     ELSE excluded.scopes END,
       granted_at = now(), revoked_at = NULL`,
    [tenant, subjectId, clientId, [...scopes], subjectEpoch, withdrawals, id, ...event.values],
  );
}

export async function forgetConsents(tx: Sql, tenant: string, subjectId: string): Promise<void> {
  await tx.query(
    'UPDATE auth.consents SET revoked_at = now() WHERE tenant = $1 AND subject_id = $2 AND revoked_at IS NULL',
    [tenant, subjectId],
  );
}

export const postgresConsents: ConsentStore = { consentedScopes, rememberConsent, forgetConsents };
