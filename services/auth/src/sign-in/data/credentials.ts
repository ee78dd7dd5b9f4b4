import { type Sql, statement } from '@ostiary/database';
import { record } from '../../audit/data/index.ts';
import { masked } from '../../audit/index.ts';
import { type Connection, holdName } from '../../database/data/index.ts';
import { eventPublisher } from '../../events/data/index.ts';
import type { PasswordInForce, PasswordStore } from '../domain/credential-store.ts';

/** Which of two passwords was staged last is said by one clock, the database's, whichever processes staged them. */
const stage = statement({
  name: 'credentials.stage',
  reason: 'atomic',
  text: `INSERT INTO auth.credentials (tenant, ticket, subject_id, hash, repeats, carried_roles, created_at)
         VALUES ($tenant, $ticket, $subjectId, $hash, $repeats, $carriedRoles, now())`,
  parameters: {
    tenant: 'text',
    ticket: 'uuid',
    subjectId: 'uuid',
    hash: 'text',
    repeats: 'uuid?',
    carriedRoles: 'text[]?',
  },
});

/** Keeps a password's hash under a ticket, without effect until the ticket is activated. */
export async function stageCredential(
  sql: Sql,
  tenant: string,
  { ticket, subjectId, hash, repeats, carriedRoles }: Parameters<PasswordStore['stage']>[2],
): Promise<void> {
  await stage.run(sql, { tenant, ticket, subjectId, hash, repeats, carriedRoles });
}

/** Whose password is staged under a ticket. */
export async function ownerOfTicket(
  sql: Connection,
  tenant: string,
  ticket: string,
): Promise<string | undefined> {
  const prisma = await sql.prisma();
  const where = { ticket, tenant };
  return (await prisma.credential.findUnique({ where, select: { subjectId: true } }))?.subjectId;
}

/** What was staged later and activated already keeps this one from being in force. */
const activate = statement({
  name: 'credentials.activate',
  reason: 'atomic',
  text: `UPDATE auth.credentials c SET activated_at = now(),
            replaced_at = CASE WHEN EXISTS (
              SELECT 1 FROM auth.credentials n
               WHERE n.tenant = c.tenant AND n.subject_id = c.subject_id AND n.kind = c.kind
                 AND n.activated_at IS NOT NULL AND (n.created_at, n.ticket) > (c.created_at, c.ticket)) THEN now() END
      WHERE c.tenant = $tenant AND c.ticket = $ticket AND c.activated_at IS NULL AND c.replaced_at IS NULL
      RETURNING c.replaced_at IS NOT NULL AS replaced`,
  parameters: { tenant: 'text', ticket: 'uuid' },
  columns: { replaced: 'bool' },
});

const replaceEarlier = statement({
  name: 'credentials.replace_earlier',
  reason: 'atomic',
  text: `UPDATE auth.credentials o SET replaced_at = now()
       FROM auth.credentials c
      WHERE c.tenant = $tenant AND c.ticket = $ticket
        AND o.tenant = c.tenant AND o.subject_id = c.subject_id AND o.kind = c.kind
        AND o.activated_at IS NOT NULL AND o.replaced_at IS NULL
        AND (o.created_at, o.ticket) < (c.created_at, c.ticket)
     RETURNING o.ticket`,
  parameters: { tenant: 'text', ticket: 'uuid' },
  columns: { ticket: 'uuid' },
});

/**
 * Makes a staged password the subject's password; again is fine. Whichever was staged last stays in force, in
 * whatever order the tickets are activated: an old event that comes late must not bring an old password back.
 * @param subjectId when given, the ticket must be this subject's
 * @returns whether another password was in force until now, and no longer is; undefined when the tenant has no such ticket
 */
export async function activateCredential(
  tx: Connection,
  tenant: string,
  ticket: string,
  subjectId?: string,
): Promise<{ replaced: boolean } | undefined> {
  const prisma = await tx.prisma();
  const staged = await prisma.credential.findUnique({
    where: { ticket, tenant },
    select: { subjectId: true, kind: true, activatedAt: true, replacedAt: true, repeats: true },
  });
  if (!staged || (subjectId !== undefined && staged.subjectId !== subjectId)) return undefined;
  if (staged.activatedAt !== null || staged.replacedAt !== null) return { replaced: false };
  // Two tickets of one subject activated at the same moment must see each other.
  await holdName(tx, `credential:${tenant}:${staged.subjectId}:${staged.kind}`);
  const activated = await activate.first(tx, { tenant, ticket });
  // Somebody else activated it, or retired it, in the same moment.
  if (!activated) return { replaced: false };
  const former = await replaceEarlier.rows(tx, { tenant, ticket });
  await record(tx, tenant, {
    action: 'user.password_changed',
    resourceType: 'User',
    resourceId: staged.subjectId,
    subjectId: staged.subjectId,
    changes: { password: { after: masked } },
  });
  if (!activated.replaced) {
    const changeType = former.length > 0 ? 'update' : 'create';
    await eventPublisher.credentialsChanged(tx, tenant, staged.subjectId, [
      { credentialType: 'password', changeType },
    ]);
  }
  return { replaced: former.some((one) => one.ticket !== staged.repeats) };
}

/** Each sign-in asks. */
const inForce = statement({
  name: 'credentials.in_force',
  reason: 'hot path',
  text: `SELECT ticket, hash, carried_roles AS "carriedRoles" FROM auth.credentials
          WHERE tenant = $tenant AND subject_id = $subjectId AND kind = 'password'
            AND activated_at IS NOT NULL AND replaced_at IS NULL
          ORDER BY created_at DESC, ticket DESC LIMIT 1`,
  parameters: { tenant: 'text', subjectId: 'uuid' },
  columns: { ticket: 'uuid', hash: 'text', carriedRoles: 'text[]?' },
});

/** The subject's password in force, with the ticket it came under. */
export function passwordInForce(
  sql: Sql,
  tenant: string,
  subjectId: string,
): Promise<PasswordInForce | undefined> {
  return inForce.first(sql, { tenant, subjectId });
}

/** Who holds the row is about to replace the password, or its hash: either makes this one needless. */
const replaceHash = statement({
  name: 'credentials.replace_hash',
  reason: 'atomic',
  text: `UPDATE auth.credentials SET hash = $hash
          WHERE ticket = (SELECT ticket FROM auth.credentials
                           WHERE tenant = $tenant AND ticket = $ticket AND hash = $former
                             AND activated_at IS NOT NULL AND replaced_at IS NULL
                             FOR NO KEY UPDATE SKIP LOCKED)`,
  parameters: { tenant: 'text', ticket: 'uuid', former: 'text', hash: 'text' },
});

/** Compares and sets: of any number of callers with the same former hash, one gets true. */
export async function replacePasswordHash(
  sql: Sql,
  tenant: string,
  { ticket, hash: former }: Pick<PasswordInForce, 'ticket' | 'hash'>,
  hash: string,
): Promise<boolean> {
  return (await replaceHash.count(sql, { tenant, ticket, former, hash })) > 0;
}

/**
 * The subject's password is none any more, and what was staged until now never becomes one. @returns whether one was in force
 */
export async function retirePassword(tx: Connection, tenant: string, subjectId: string): Promise<boolean> {
  const prisma = await tx.prisma();
  const retired = await prisma.credential.updateManyAndReturn({
    where: { tenant, subjectId, kind: 'password', replacedAt: null },
    data: { replacedAt: new Date() },
    select: { activatedAt: true },
  });
  return retired.some(({ activatedAt }) => activatedAt !== null);
}

const prune = statement({
  name: 'credentials.prune',
  reason: 'set',
  text: `DELETE FROM auth.credentials WHERE ticket IN (
           SELECT ticket FROM auth.credentials
            WHERE (activated_at IS NULL AND created_at < now() - interval '30 days')
               OR replaced_at < now() - interval '1 hour'
            LIMIT $limit FOR UPDATE SKIP LOCKED)`,
  parameters: { limit: 'int8' },
});

/**
 * Deletes passwords that were replaced an hour ago, so that a repeated activation still finds its ticket; and staged ones that
 * nobody has activated for longer than any event may be on its way: one that comes without finding its password would leave
 * the one before in force.
 * @returns how many
 */
export const pruneCredentials = (sql: Sql, limit: number): Promise<number> => prune.count(sql, { limit });

export const passwordStore: PasswordStore = {
  stage: stageCredential,
  ownerOfTicket,
  activate: activateCredential,
  inForce: passwordInForce,
  replaceHash: replacePasswordHash,
  retire: retirePassword,
};
