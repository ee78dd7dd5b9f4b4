import { type Sql, statement } from '@ostiary/database';
import { record } from '../../../platform/audit/security-log.data.ts';
import { holdName } from '../../../platform/database/data/advisory-lock.ts';
import type { Connection } from '../../../platform/database/data/connection.ts';
import { pruning } from '../../../platform/database/data/pruning.ts';
import { masked } from '../../../platform/index.ts';
import type { CredentialEvents, PasswordInForce, PasswordStore } from '../domain/credential-store.ts';

/** The database clock orders the passwords staged by different processes. */
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

export async function stageCredential(
  sql: Sql,
  tenant: string,
  { ticket, subjectId, hash, repeats, carriedRoles }: Parameters<PasswordStore['stage']>[2],
): Promise<void> {
  await stage.run(sql, { tenant, ticket, subjectId, hash, repeats, carriedRoles });
}

export async function ownerOfTicket(
  sql: Connection,
  tenant: string,
  ticket: string,
): Promise<string | undefined> {
  const prisma = await sql.prisma();
  const where = { ticket, tenant };
  return (await prisma.credential.findUnique({ where, select: { subjectId: true } }))?.subjectId;
}

/** A later password that is already active prevents that this one is in force. */
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
 * The last staged password stays in force in any order of activation: a late event must not restore an old password.
 * Activation is idempotent. See `PasswordStore.activate`.
 */
export async function activateCredential(
  tx: Connection,
  tenant: string,
  ticket: string,
  subjectId: string,
  events: CredentialEvents,
): Promise<{ replaced: boolean } | undefined> {
  const prisma = await tx.prisma();
  const staged = await prisma.credential.findUnique({
    where: { ticket, tenant },
    select: { subjectId: true, kind: true, activatedAt: true, replacedAt: true, repeats: true },
  });
  if (staged?.subjectId !== subjectId) return undefined;
  if (staged.activatedAt !== null || staged.replacedAt !== null) return { replaced: false };
  // Serializes simultaneous activations of two tickets of one user.
  await holdName(tx, `credential:${tenant}:${staged.subjectId}:${staged.kind}`);
  const activated = await activate.first(tx, { tenant, ticket });
  // Activated or retired by another transaction in the meantime.
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
    await events.credentialsChanged(tx, tenant, staged.subjectId, [
      { credentialType: 'password', changeType },
    ]);
  }
  return { replaced: former.some((one) => one.ticket !== staged.repeats) };
}

/** Read by each sign-in. */
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

export function passwordInForce(
  sql: Sql,
  tenant: string,
  subjectId: string,
): Promise<PasswordInForce | undefined> {
  return inForce.first(sql, { tenant, subjectId });
}

/** The holder of the row lock is replacing the password or its hash, which makes this change unnecessary. */
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

export async function replacePasswordHash(
  sql: Sql,
  tenant: string,
  { ticket, hash: former }: PasswordInForce,
  hash: string,
): Promise<boolean> {
  return (await replaceHash.count(sql, { tenant, ticket, former, hash })) > 0;
}

/** Also retires staged passwords, so that they never become active. */
export async function retirePassword(tx: Connection, tenant: string, subjectId: string): Promise<boolean> {
  const prisma = await tx.prisma();
  const retired = await prisma.credential.updateManyAndReturn({
    where: { tenant, subjectId, kind: 'password', replacedAt: null },
    data: { replacedAt: new Date() },
    select: { activatedAt: true },
  });
  return retired.some(({ activatedAt }) => activatedAt !== null);
}

/**
 * Deletes passwords one hour after their replacement, so that a repeated activation still finds the ticket. Deletes
 * staged passwords after 30 days, longer than any event takes: an activation without its password would leave the
 * previous one in force.
 * @returns the number of deleted rows
 */
export const pruneCredentials = pruning(
  'credentials.prune',
  'credentials',
  "(activated_at IS NULL AND created_at < now() - interval '30 days') OR replaced_at < now() - interval '1 hour'",
  'ticket',
);

export const passwordStore: PasswordStore = {
  stage: stageCredential,
  ownerOfTicket,
  activate: activateCredential,
  inForce: passwordInForce,
  replaceHash: replacePasswordHash,
  retire: retirePassword,
};
