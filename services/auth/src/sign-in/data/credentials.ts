import type { Sql } from '@ostiary/database';
import { record } from '../../audit/data/index.ts';
import { masked } from '../../audit/index.ts';
import { eventPublisher } from '../../events/data/index.ts';
import type { PasswordStore } from '../domain/credential-store.ts';

/** Keeps a password's hash under a ticket, without effect until the ticket is activated. */
export async function stageCredential(
  sql: Sql,
  tenant: string,
  credential: { ticket: string; subjectId: string; hash: string; repeats?: string | undefined },
): Promise<void> {
  await sql.query(
    'INSERT INTO auth.credentials (tenant, ticket, subject_id, hash, repeats) VALUES ($1, $2, $3, $4, $5)',
    [tenant, credential.ticket, credential.subjectId, credential.hash, credential.repeats ?? null],
  );
}

/** Whose password is staged under a ticket. */
export async function ownerOfTicket(sql: Sql, tenant: string, ticket: string): Promise<string | undefined> {
  const { rows } = await sql.query<{ subjectId: string }>(
    'SELECT subject_id AS "subjectId" FROM auth.credentials WHERE tenant = $1 AND ticket = $2',
    [tenant, ticket],
  );
  return rows[0]?.subjectId;
}

/**
 * Makes a staged password the subject's password; again is fine. Whichever was staged last stays in force, in
 * whatever order the tickets are activated: an old event that comes late must not bring an old password back.
 * @param subjectId when given, the ticket must be this subject's
 * @returns whether another password was in force until now, and no longer is; undefined when the tenant has no such ticket
 */
export async function activateCredential(
  tx: Sql,
  tenant: string,
  ticket: string,
  subjectId?: string,
): Promise<{ replaced: boolean } | undefined> {
  const { rows } = await tx.query<{
    subjectId: string;
    kind: string;
    done: boolean;
    repeats: string | null;
  }>(
    `SELECT subject_id AS "subjectId", kind, activated_at IS NOT NULL OR replaced_at IS NOT NULL AS done, repeats
       FROM auth.credentials WHERE tenant = $1 AND ticket = $2`,
    [tenant, ticket],
  );
  const staged = rows[0];
  if (!staged || (subjectId !== undefined && staged.subjectId !== subjectId)) return undefined;
  if (staged.done) return { replaced: false };
  // Two tickets of one subject activated at the same moment must see each other.
  await tx.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [
    `credential:${tenant}:${staged.subjectId}:${staged.kind}`,
  ]);
  const { rows: activated } = await tx.query<{ replaced: boolean }>(
    `UPDATE auth.credentials c SET activated_at = now(),
            replaced_at = CASE WHEN EXISTS (
              SELECT 1 FROM auth.credentials n
               WHERE n.tenant = c.tenant AND n.subject_id = c.subject_id AND n.kind = c.kind
                 AND n.activated_at IS NOT NULL AND (n.created_at, n.ticket) > (c.created_at, c.ticket)) THEN now() END
      WHERE c.tenant = $1 AND c.ticket = $2 AND c.activated_at IS NULL AND c.replaced_at IS NULL
      RETURNING c.replaced_at IS NOT NULL AS replaced`,
    [tenant, ticket],
  );
  // Somebody else activated it, or retired it, in the same moment.
  if (!activated[0]) return { replaced: false };
  const { rows: former } = await tx.query<{ ticket: string }>(
    `UPDATE auth.credentials o SET replaced_at = now()
       FROM auth.credentials c
      WHERE c.tenant = $1 AND c.ticket = $2
        AND o.tenant = c.tenant AND o.subject_id = c.subject_id AND o.kind = c.kind
        AND o.activated_at IS NOT NULL AND o.replaced_at IS NULL
        AND (o.created_at, o.ticket) < (c.created_at, c.ticket)
     RETURNING o.ticket`,
    [tenant, ticket],
  );
  await record(tx, tenant, {
    action: 'user.password_changed',
    resourceType: 'User',
    resourceId: staged.subjectId,
    subjectId: staged.subjectId,
    changes: { password: { after: masked } },
  });
  if (!activated[0].replaced) {
    const changeType = former.length > 0 ? 'update' : 'create';
    await eventPublisher.credentialsChanged(tx, tenant, staged.subjectId, [
      { credentialType: 'password', changeType },
    ]);
  }
  return { replaced: former.some((one) => one.ticket !== staged.repeats) };
}

/** The PHC string of the subject's password in force, if there is one. */
export async function passwordHash(sql: Sql, tenant: string, subjectId: string): Promise<string | undefined> {
  return (await passwordInForce(sql, tenant, subjectId))?.hash;
}

/** The subject's password in force, with the ticket it came under. */
export async function passwordInForce(
  sql: Sql,
  tenant: string,
  subjectId: string,
): Promise<{ ticket: string; hash: string } | undefined> {
  const { rows } = await sql.query<{ ticket: string; hash: string }>(
    `SELECT ticket, hash FROM auth.credentials
      WHERE tenant = $1 AND subject_id = $2 AND kind = 'password'
        AND activated_at IS NOT NULL AND replaced_at IS NULL
      ORDER BY created_at DESC, ticket DESC LIMIT 1`,
    [tenant, subjectId],
  );
  return rows[0];
}

/**
 * The subject's password is none any more, and what was staged until now never becomes one. @returns whether one was in force
 */
export async function retirePassword(tx: Sql, tenant: string, subjectId: string): Promise<boolean> {
  const { rows } = await tx.query<{ activated: boolean }>(
    `UPDATE auth.credentials SET replaced_at = now()
      WHERE tenant = $1 AND subject_id = $2 AND kind = 'password' AND replaced_at IS NULL
      RETURNING activated_at IS NOT NULL AS activated`,
    [tenant, subjectId],
  );
  return rows.some(({ activated }) => activated);
}

/**
 * Deletes passwords that were replaced an hour ago, so that a repeated activation still finds its ticket; and staged ones that
 * nobody has activated for longer than any event may be on its way: one that comes without finding its password would leave
 * the one before in force.
 * @returns how many
 */
export async function pruneCredentials(sql: Sql, limit: number): Promise<number> {
  const { rowCount } = await sql.query(
    `DELETE FROM auth.credentials WHERE ticket IN (
       SELECT ticket FROM auth.credentials
        WHERE (activated_at IS NULL AND created_at < now() - interval '30 days')
           OR replaced_at < now() - interval '1 hour'
        LIMIT $1 FOR UPDATE SKIP LOCKED)`,
    [limit],
  );
  return rowCount;
}

export const passwordStore: PasswordStore = {
  stage: stageCredential,
  ownerOfTicket,
  activate: activateCredential,
  hash: passwordHash,
  inForce: passwordInForce,
  retire: retirePassword,
};
