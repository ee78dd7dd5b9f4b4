import { isActive, subjectAs } from '../../../tenancy/users/data/subject-conditions.ts';

const isLive = 'g.revoked_at IS NULL AND g.expires_at > now()';

/**
 * Returns the condition that a grant is live. OFFSET makes PostgreSQL look up each id instead of hashing all grants of
 * the tenant. @param id expression
 */
export const grantLives = (id: string): string =>
  `EXISTS (SELECT 1 FROM auth.grants g WHERE g.tenant = $tenant AND g.id = ${id} AND ${isLive} OFFSET 0)`;

/** Returns the condition that a client has a live grant, of a user if given. @param tenant, clientId, subjectId expressions */
export const hasGrants = (tenant: string, clientId: string, subjectId?: string): string =>
  `EXISTS (SELECT 1 FROM auth.grants g WHERE g.tenant = ${tenant} AND g.client_id = ${clientId} AND ${isLive}
     ${subjectId === undefined ? '' : `AND g.subject_id = ${subjectId}`})`;

/** Returns the beginning of a query of the live grants `g` of a session: FROM and conditions. @param tenant, id expressions */
export const fromGrantsOfSession = (tenant: string, id: string): string =>
  `FROM auth.grants g WHERE g.tenant = ${tenant} AND g.session_id = ${id} AND ${isLive}`;

/** Condition that grant `g` of a token and its user `s` are live. */
export const grantAndUserLive = `${isActive('s')} AND ${isLive}`;

/**
 * Beginning of a query of the grant `g` of a token and its user `s`: FROM and conditions. The concatenations force the
 * plan: the grant is found by its key and the subject from it, as for refreshing (grant-store.ts).
 */
export const fromGrantOfToken = `FROM auth.grants g JOIN ${subjectAs('s', "g.tenant || ''", 'g.subject_id')}
  WHERE g.tenant = $tenant AND g.id = $grantId::uuid AND g.client_id || '' = $clientId
    AND ($subjectId::uuid IS NULL OR g.subject_id = $subjectId)`;

/** Stores the grant of an assertion, with the carried roles of the row in `allowed`. */
export const storingGrantOfIssuer = `INSERT INTO auth.grants (tenant, id, client_id, subject_id, subject_epoch,
    client_epoch, scopes, resources, amr, expires_at, trusted_issuer_id, carried_roles)
  SELECT $tenant, $id, $clientId, $subjectId, $subjectEpoch, $clientEpoch, $scopes, $resources, '{}',
         now() + $lifetimeSeconds * interval '1 second', $trustedIssuerId, carried_roles FROM allowed
  RETURNING extract(epoch FROM expires_at)::float8 AS "expiresAt"`;

/** Returns a statement that revokes grants. Sets their expiry, by which retention is measured. @param which condition */
export const endingGrants = (which: string): string =>
  `UPDATE auth.grants SET revoked_at = now(), expires_at = LEAST(expires_at, now() + interval '1 day')
    WHERE ${which} AND revoked_at IS NULL`;

/**
 * Returns a statement that moves the live grants of client `$id` to its next epoch. @param changed relation with the
 * epoch
 */
export const keepingGrants = (changed: string): string =>
  `UPDATE auth.grants g SET client_epoch = ${changed}.epoch FROM ${changed}
    WHERE g.tenant = $tenant AND g.client_id = $id AND g.client_epoch = ${changed}.epoch - 1 AND ${isLive}`;

/** Returns a statement that revokes refresh tokens. @param which condition */
export const endingFamilies = (which: string): string =>
  `UPDATE auth.refresh_families SET revoked_at = now() WHERE ${which} AND revoked_at IS NULL`;

/** Returns a query of the clients to notify of the end of sessions. @param which comparison of the session's id */
export const notedClients = (which: string): string =>
  `SELECT client_id, session_id FROM auth.session_clients WHERE tenant = $tenant AND session_id ${which}`;

/** Returns a query of the clients with a grant of a session or a note of it. @param id expression */
export const clientsOfSession = (id: string): string =>
  `${notedClients(`= ${id}`)} UNION SELECT client_id, session_id FROM auth.grants WHERE session_id = ${id} AND tenant = $tenant`;

/** Counts the live grants of a tenant. */
export const countingGrants = `SELECT count(*)::int FROM auth.grants g WHERE g.tenant = $tenant AND ${isLive}`;
