import { type Sql, statement, typed } from '@ostiary/database';
import type { Connection } from '../../../platform/database/data/connection.ts';
import { separateRoles } from '../../../tenancy/index.ts';
import type { RoleHolderStore } from '../domain/role-holder-store.ts';

/**
 * Interval in seconds after which the directory is notified again, in case it lost the state: after a restored backup,
 * or when an older release received it.
 */
export const notifiedAgainSeconds = 3_600;

export async function unnotifiedHolders(
  sql: Connection,
  limit: number,
): Promise<{ tenant: string; subjectId: string }[]> {
  const prisma = await sql.prisma();
  return prisma.roleHolder.findMany({
    where: {
      OR: [{ notifiedAt: null }, { notifiedAt: { lt: new Date(Date.now() - notifiedAgainSeconds * 1_000) } }],
    },
    select: { tenant: true, subjectId: true },
    orderBy: { notifiedAt: { sort: 'asc', nulls: 'first' } },
    take: limit,
  });
}

const lock = statement({
  name: 'role_holders.lock',
  reason: 'atomic',
  text: `WITH held AS (SELECT FROM auth.role_holders WHERE tenant = $tenant AND subject_id = $subjectId FOR UPDATE)
         SELECT nextval('auth.role_holders_version_seq') AS version FROM held`,
  parameters: { tenant: 'text', subjectId: 'uuid' },
  columns: { version: typed<number>('int8') },
});

export async function lockHolder(tx: Sql, tenant: string, subjectId: string): Promise<number | undefined> {
  const held = await lock.first(tx, { tenant, subjectId });
  return held && Number(held.version);
}

export async function ownRolesOf(tx: Connection, tenant: string, subjectId: string): Promise<string[]> {
  const prisma = await tx.prisma();
  const rows = await prisma.roleAssignment.findMany({
    where: { tenant, subjectId },
    select: { role: true },
  });
  return separateRoles(rows.map(({ role }) => role)).roles;
}

export async function noteHolderNotified(
  tx: Connection,
  tenant: string,
  subjectId: string,
  isHolder: boolean,
): Promise<void> {
  const { roleHolder } = await tx.prisma();
  const where = { tenant, subjectId };
  if (isHolder) await roleHolder.updateMany({ where, data: { notifiedAt: new Date() } });
  else await roleHolder.deleteMany({ where });
}

export const postgresRoleHolders: RoleHolderStore = {
  unnotifiedHolders,
  lockHolder,
  ownRolesOf,
  noteHolderNotified,
};
