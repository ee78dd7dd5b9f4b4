import type { Sql } from '@ostiary/database';
import type { AllowedApp, AllowedApps } from '../domain/account.ts';

/** Most apps that are shown; more than any user has. */
const maxApps = 200;

export async function listAllowedApps(sql: Sql, tenant: string, subjectId: string): Promise<AllowedApp[]> {
  const { rows } = await sql.query<AllowedApp>(
    `SELECT a.client_id AS "clientId", c.name, min(a.since) AS since,
            array(SELECT DISTINCT unnest(string_to_array(string_agg(array_to_string(a.scopes, ' '), ' '), ' ')) ORDER BY 1) AS scopes
       FROM (SELECT client_id, scopes, granted_at AS since FROM auth.consents
              WHERE tenant = $1 AND subject_id = $2 AND revoked_at IS NULL
             UNION ALL
             SELECT client_id, scopes, created_at FROM auth.grants
              WHERE tenant = $1 AND subject_id = $2 AND revoked_at IS NULL AND expires_at > now()) a
       LEFT JOIN auth.clients c ON c.tenant = $1 AND c.client_id = a.client_id AND c.disabled_at IS NULL
      GROUP BY a.client_id, c.name ORDER BY c.name NULLS LAST, a.client_id LIMIT ${maxApps}`,
    [tenant, subjectId],
  );
  return rows;
}

/** Takes back what a user allowed a client; it has to ask again. */
export async function withdrawConsent(
  tx: Sql,
  tenant: string,
  subjectId: string,
  clientId: string,
): Promise<boolean> {
  const { rowCount } = await tx.query(
    `UPDATE auth.consents SET revoked_at = now()
      WHERE tenant = $1 AND subject_id = $2 AND client_id = $3 AND revoked_at IS NULL`,
    [tenant, subjectId, clientId],
  );
  return rowCount > 0;
}

/**
 * Ids of a person's sessions that nobody has ended, but for the one to keep. Also of those that have expired: what was granted in one may
 * still be waiting to be fetched.
 */
export async function otherSessions(
  tx: Sql,
  tenant: string,
  subjectId: string,
  keep: string | undefined,
): Promise<string[]> {
  const { rows } = await tx.query<{ id: string }>(
    `SELECT id FROM auth.sessions
      WHERE tenant = $1 AND subject_id = $2 AND id IS DISTINCT FROM $3::uuid AND revoked_at IS NULL`,
    [tenant, subjectId, keep ?? null],
  );
  return rows.map((row) => row.id);
}

/**
 * A person's live grants, but for those of the session to keep, if there is one. Of a session that isn't there any more, because it
 * expired long ago, a grant still bears the name: refresh tokens outlive the session.
 */
export async function otherGrants(
  tx: Sql,
  tenant: string,
  subjectId: string,
  keep: string | undefined,
): Promise<{ id: string; subjectId: string; clientId: string }[]> {
  const { rows } = await tx.query<{ id: string; subjectId: string; clientId: string }>(
    `SELECT id, subject_id AS "subjectId", client_id AS "clientId" FROM auth.grants
      WHERE tenant = $1 AND subject_id = $2 AND ($3::uuid IS NULL OR session_id IS DISTINCT FROM $3::uuid)
        AND revoked_at IS NULL AND expires_at > now()`,
    [tenant, subjectId, keep ?? null],
  );
  return rows;
}

/** Notes that the person of a session proved more than before. */
export async function strengthenSession(
  sql: Sql,
  tenant: string,
  sessionId: string,
  authentication: { amr: readonly string[]; acr: string },
): Promise<void> {
  await sql.query(
    `UPDATE auth.sessions SET amr = $3, acr = $4 WHERE tenant = $1 AND id = $2 AND revoked_at IS NULL`,
    [tenant, sessionId, [...authentication.amr], authentication.acr],
  );
}

export const allowedApps: AllowedApps = { list: listAllowedApps, withdraw: withdrawConsent };
