import type { Sql } from '@ostiary/database';
import type { InvitationStore, LiveInvitation, NewInvitation } from '../domain/credential-store.ts';

/** Makes the only invitation of a user: one made before is worth nothing from then on. */
export async function replaceInvitation(tx: Sql, tenant: string, invitation: NewInvitation): Promise<Date> {
  await tx.query('DELETE FROM auth.invitations WHERE tenant = $1 AND subject_id = $2', [
    tenant,
    invitation.subjectId,
  ]);
  const { rows } = await tx.query<{ expiresAt: Date }>(
    `INSERT INTO auth.invitations (tenant, id, subject_id, subject_epoch, digest, expires_at, resets)
     VALUES ($1, $2, $3, $4, $5, now() + make_interval(secs => $6), $7) RETURNING expires_at AS "expiresAt"`,
    [
      tenant,
      invitation.id,
      invitation.subjectId,
      invitation.subjectEpoch,
      invitation.digest,
      invitation.lifetimeSeconds,
      invitation.resets,
    ],
  );
  const row = rows[0];
  if (!row) throw new Error('an invitation was not written');
  return row.expiresAt;
}

/**
 * Live: not used, not expired, and its user active without a break since; still without a way to sign in, unless it
 * is there to replace that.
 */
const live = `i.used_at IS NULL AND i.expires_at > now() AND s.active AND NOT s.deleted AND s.epoch = i.subject_epoch
  AND (i.resets OR (
    NOT EXISTS (SELECT 1 FROM auth.credentials c WHERE c.tenant = i.tenant AND c.subject_id = i.subject_id
                   AND c.activated_at IS NOT NULL AND c.replaced_at IS NULL)
    AND NOT EXISTS (SELECT 1 FROM auth.passkeys p WHERE p.tenant = i.tenant AND p.subject_id = i.subject_id)))`;

/** The invitation behind a token, as long as it can be accepted. Looking doesn't use it up: link scanners look too. */
export async function findInvitation(
  sql: Sql,
  tenant: string,
  digest: Buffer,
): Promise<LiveInvitation | undefined> {
  const { rows } = await sql.query<LiveInvitation>(
    `SELECT i.id, i.subject_id AS "subjectId", i.resets, s.user_name AS "userName", s.profile->>'displayName' AS "displayName"
       FROM auth.invitations i JOIN auth.subjects s ON s.tenant = i.tenant AND s.id = i.subject_id
      WHERE i.tenant = $1 AND i.digest = $2 AND ${live}`,
    [tenant, digest],
  );
  return rows[0];
}

/** Uses an invitation up: of any number of callers, one gets true. */
export async function spendInvitation(tx: Sql, tenant: string, id: string): Promise<boolean> {
  const { rowCount } = await tx.query(
    `UPDATE auth.invitations i SET used_at = now() FROM auth.subjects s
      WHERE i.tenant = $1 AND i.id = $2 AND s.tenant = i.tenant AND s.id = i.subject_id AND ${live}`,
    [tenant, id],
  );
  return rowCount > 0;
}

/** Ends what waits to be accepted: a holder of the link gets no account that is worth more than when it was made. */
export async function deleteInvitations(tx: Sql, tenant: string, subjectId: string): Promise<void> {
  await tx.query('DELETE FROM auth.invitations WHERE tenant = $1 AND subject_id = $2 AND used_at IS NULL', [
    tenant,
    subjectId,
  ]);
}

/** Whether a user has a password or a passkey. */
export async function canSignIn(sql: Sql, tenant: string, subjectId: string): Promise<boolean> {
  const { rows } = await sql.query<{ able: boolean }>(
    `SELECT EXISTS (SELECT 1 FROM auth.credentials WHERE tenant = $1 AND subject_id = $2
                       AND activated_at IS NOT NULL AND replaced_at IS NULL)
         OR EXISTS (SELECT 1 FROM auth.passkeys WHERE tenant = $1 AND subject_id = $2) AS able`,
    [tenant, subjectId],
  );
  return rows[0]?.able === true;
}

/** Deletes invitations that were used or expired more than a day ago; returns how many. */
export async function pruneInvitations(sql: Sql, limit: number): Promise<number> {
  const { rowCount } = await sql.query(
    `DELETE FROM auth.invitations WHERE (tenant, id) IN (
       SELECT tenant, id FROM auth.invitations
        WHERE expires_at < now() - interval '1 day' OR used_at < now() - interval '1 day'
        LIMIT $1 FOR UPDATE SKIP LOCKED)`,
    [limit],
  );
  return rowCount;
}

export const invitationStore: InvitationStore = {
  replace: replaceInvitation,
  find: findInvitation,
  spend: spendInvitation,
  deleteOf: deleteInvitations,
  canSignIn,
};
