import { derivedFromClaim, readAncestors } from '@ostiary/access';
import { type Sql, statement, typed } from '@ostiary/database';
import { delegationLives } from '../../access/grants/data/delegation-conditions.ts';
import { grantLives } from '../../access/grants/data/grant-conditions.ts';
import type { AccessTokenClaims } from '../../access/index.ts';
import { accountLives, apiTokenLives } from '../../access/machines/data/machine-conditions.ts';
import { clientLives } from '../../clients/data/client-conditions.ts';
import { sessionEnded } from '../../identity/sessions/data/session-conditions.ts';
import { uuidOf } from '../../platform/database/data/uuid-of.ts';
import { noRevocation } from '../../tenancy/users/data/revocations.ts';
import { fromSubject, isActive } from '../../tenancy/users/data/subject-conditions.ts';

/** Returns the condition that a client or service account is enabled, in this epoch or an earlier one. @param id, epoch expressions */
export const programLives = (id: string, epoch: string): string =>
  `${clientLives(id, epoch)} OR ${accountLives(id, epoch)}`;

const ofUser = fromSubject('s', '$tenant', `= ${uuidOf('e.sub')}`);

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
  AND (e.api_token IS NULL OR ${apiTokenLives('e.jti')})
  AND (e.api_token IS NOT DISTINCT FROM 'personal' OR ${programLives('e.client_id', 'e.client_epoch')})
  AND (e.sub_epoch IS NULL OR EXISTS (SELECT 1 ${ofUser} AND ${isActive('s')} AND s.epoch <= e.sub_epoch))
  AND (e.grant_id IS NULL OR ${grantLives('e.grant_id')} OR ${delegationLives('e.grant_id')})
  AND NOT ${sessionEnded('e.sid')} AS live,
  (SELECT s.user_name ${ofUser} AND e.sub_epoch IS NOT NULL AND e.sub = $subject) AS "userName"
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
