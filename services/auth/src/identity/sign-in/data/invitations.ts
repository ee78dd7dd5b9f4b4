import { type Sql, statement } from '@ostiary/database';
import type { Connection } from '../../../platform/database/data/connection.ts';
import { pruning } from '../../../platform/database/data/pruning.ts';
import { storedRoles } from '../../../tenancy/users/data/stored-roles.ts';
import { fromSubject, isActive, subjectAs } from '../../../tenancy/users/data/subject-conditions.ts';
import type { InvitationStore, LiveInvitation, NewInvitation } from '../domain/credential-store.ts';

export async function replaceInvitation(
  tx: Connection,
  tenant: string,
  { lifetimeSeconds, digest, carriedRoles, ...invitation }: NewInvitation,
): Promise<Date> {
  const prisma = await tx.prisma();
  await prisma.invitation.deleteMany({ where: { tenant, subjectId: invitation.subjectId } });
  const { expiresAt } = await prisma.invitation.create({
    data: {
      ...invitation,
      ...storedRoles(carriedRoles),
      tenant,
      digest: new Uint8Array(digest),
      expiresAt: new Date(Date.now() + lifetimeSeconds * 1_000),
    },
    select: { expiresAt: true },
  });
  return expiresAt;
}

/**
 * Condition of a usable invitation: not used, not expired, its user active since then; without a password and passkey
 * unless it resets access.
 */
const live = `i.used_at IS NULL AND i.expires_at > now() AND ${isActive('s')} AND s.epoch = i.subject_epoch
  AND (i.resets OR (
    NOT EXISTS (SELECT 1 FROM auth.credentials c WHERE c.tenant = i.tenant AND c.subject_id = i.subject_id
                   AND c.activated_at IS NOT NULL AND c.replaced_at IS NULL)
    AND NOT EXISTS (SELECT 1 FROM auth.passkeys p WHERE p.tenant = i.tenant AND p.subject_id = i.subject_id)))`;

/** One statement, so that the conditions hold at one moment, as in `spend`. */
const find = statement({
  name: 'invitations.find',
  reason: 'atomic',
  text: `SELECT i.id, i.subject_id AS "subjectId", i.resets, i.carried_roles AS "carriedRoles",
                s.user_name AS "userName", s.profile->>'displayName' AS "displayName"
           FROM auth.invitations i JOIN ${subjectAs('s', 'i.tenant', 'i.subject_id')}
          WHERE i.tenant = $tenant AND i.digest = $digest AND ${live}`,
  parameters: { tenant: 'text', digest: 'bytea' },
  columns: {
    id: 'uuid',
    subjectId: 'uuid',
    resets: 'bool',
    carriedRoles: 'text[]?',
    userName: 'text',
    displayName: 'text?',
  },
});

export function findInvitation(
  sql: Sql,
  tenant: string,
  digest: Buffer,
): Promise<LiveInvitation | undefined> {
  return find.first(sql, { tenant, digest });
}

const spend = statement({
  name: 'invitations.spend',
  reason: 'atomic',
  text: `UPDATE auth.invitations i SET used_at = now()
           ${fromSubject('s', 'i.tenant', '= i.subject_id')} AND i.tenant = $tenant AND i.id = $id AND ${live}`,
  parameters: { tenant: 'text', id: 'uuid' },
});

export async function spendInvitation(tx: Sql, tenant: string, id: string): Promise<boolean> {
  return (await spend.count(tx, { tenant, id })) > 0;
}

export async function deleteInvitations(tx: Connection, tenant: string, subjectId: string): Promise<void> {
  const prisma = await tx.prisma();
  await prisma.invitation.deleteMany({ where: { tenant, subjectId, usedAt: null } });
}

export async function canSignIn(sql: Connection, tenant: string, subjectId: string): Promise<boolean> {
  const prisma = await sql.prisma();
  const inForce = { tenant, subjectId, activatedAt: { not: null }, replacedAt: null };
  const password = await prisma.credential.findFirst({ where: inForce, select: { ticket: true } });
  if (password) return true;
  const passkey = await prisma.passkey.findFirst({ where: { tenant, subjectId }, select: { id: true } });
  return passkey !== null;
}

/** Deletes invitations one day after their use or expiry. Returns the number of deleted rows. */
export const pruneInvitations = pruning(
  'invitations.prune',
  'invitations',
  "expires_at < now() - interval '1 day' OR used_at < now() - interval '1 day'",
);

export const invitationStore: InvitationStore = {
  replace: replaceInvitation,
  find: findInvitation,
  spend: spendInvitation,
  deleteOf: deleteInvitations,
  canSignIn,
};

/** Query of the number of usable invitations of a user. */
export const countingInvitations = `SELECT count(*) FROM auth.invitations
   WHERE tenant = $tenant AND subject_id = $subjectId AND used_at IS NULL AND expires_at > now()`;
