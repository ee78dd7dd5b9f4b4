import type { Sql } from '@ostiary/database';
import { masked } from '../domain/changes.ts';
import { record } from './security-log.ts';

/** Keeps a password's hash under a ticket, without effect until the ticket is activated. */
export async function stageCredential(
  sql: Sql,
  tenant: string,
  credential: { ticket: string; subjectId: string; hash: string },
): Promise<void> {
  await sql.query('INSERT INTO auth.credentials (tenant, ticket, subject_id, hash) VALUES ($1, $2, $3, $4)', [
    tenant,
    credential.ticket,
    credential.subjectId,
    credential.hash,
  ]);
}

/**
 * Makes a staged password the subject's password; again is fine. Whichever was staged last stays in force, in
 * whatever order the tickets are activated: an old event that comes late must not bring an old password back.
 * @param subjectId when given, the ticket must be this subject's
 * @returns false when the tenant has no such ticket
 */
export async function activateCredential(
  tx: Sql,
  tenant: string,
  ticket: string,
  subjectId?: string,
): Promise<boolean> {
  const { rows } = await tx.query<{ subjectId: string; kind: string; activated: boolean }>(
    `SELECT subject_id AS "subjectId", kind, activated_at IS NOT NULL AS activated
       FROM auth.credentials WHERE tenant = $1 AND ticket = $2`,
    [tenant, ticket],
  );
  const staged = rows[0];
  if (!staged || (subjectId !== undefined && staged.subjectId !== subjectId)) return false;
  if (staged.activated) return true;
  // Two tickets of one subject activated at the same moment must see each other.
  await tx.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [
    `credential:${tenant}:${staged.subjectId}:${staged.kind}`,
  ]);
  await tx.query(
    `UPDATE auth.credentials c SET activated_at = now(),
            replaced_at = CASE WHEN EXISTS (
              SELECT 1 FROM auth.credentials n
               WHERE n.tenant = c.tenant AND n.subject_id = c.subject_id AND n.kind = c.kind
                 AND n.activated_at IS NOT NULL AND (n.created_at, n.ticket) > (c.created_at, c.ticket)) THEN now() END
      WHERE c.tenant = $1 AND c.ticket = $2 AND c.activated_at IS NULL`,
    [tenant, ticket],
  );
  await tx.query(
    `UPDATE auth.credentials o SET replaced_at = now()
       FROM auth.credentials c
      WHERE c.tenant = $1 AND c.ticket = $2
        AND o.tenant = c.tenant AND o.subject_id = c.subject_id AND o.kind = c.kind
        AND o.activated_at IS NOT NULL AND o.replaced_at IS NULL
        AND (o.created_at, o.ticket) < (c.created_at, c.ticket)`,
    [tenant, ticket],
  );
  await record(tx, tenant, {
    action: 'user.password_changed',
    resourceType: 'User',
    resourceId: staged.subjectId,
    subjectId: staged.subjectId,
    changes: { password: { after: masked } },
  });
  return true;
}

/** The PHC string of the subject's password in force, if there is one. */
export async function passwordHash(sql: Sql, tenant: string, subjectId: string): Promise<string | undefined> {
  const { rows } = await sql.query<{ hash: string }>(
    `SELECT hash FROM auth.credentials
      WHERE tenant = $1 AND subject_id = $2 AND kind = 'password'
        AND activated_at IS NOT NULL AND replaced_at IS NULL
      ORDER BY created_at DESC, ticket DESC LIMIT 1`,
    [tenant, subjectId],
  );
  return rows[0]?.hash;
}

/** The subject's password is none any more. One that was staged, but not activated, still can be. */
export async function retirePassword(tx: Sql, tenant: string, subjectId: string): Promise<void> {
  await tx.query(
    `UPDATE auth.credentials SET replaced_at = now()
      WHERE tenant = $1 AND subject_id = $2 AND kind = 'password' AND activated_at IS NOT NULL AND replaced_at IS NULL`,
    [tenant, subjectId],
  );
}

/**
 * Deletes passwords that were replaced, and staged ones nobody activated within an hour. Those replaced stay for
 * an hour too, so that a repeated activation still finds its ticket.
 * @returns how many
 */
export async function pruneCredentials(sql: Sql, limit: number): Promise<number> {
  const { rowCount } = await sql.query(
    `DELETE FROM auth.credentials WHERE ticket IN (
       SELECT ticket FROM auth.credentials
        WHERE (activated_at IS NULL AND created_at < now() - interval '1 hour')
           OR replaced_at < now() - interval '1 hour'
        LIMIT $1 FOR UPDATE SKIP LOCKED)`,
    [limit],
  );
  return rowCount;
}
