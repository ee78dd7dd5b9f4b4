import { type Sql, statement, typed, wayOf } from '@ostiary/database';
import type { IdPage } from '@ostiary/service';
import type { Connection } from '../../../platform/database/data/connection.ts';
import type { GroupRoleStore } from '../domain/group-role-store.ts';
import type { GroupRoleRow } from '../domain/role-sources.ts';

const columns = { groupId: true, role: true, managedBySources: true, createdAt: true } as const;

const lockGroup = statement({
  name: 'group_roles.lock_group',
  reason: 'atomic',
  text: `INSERT INTO auth.privileged_groups (tenant, group_id) VALUES ($tenant, $groupId)
         ON CONFLICT (tenant, group_id) DO UPDATE SET notified = false`,
  parameters: { tenant: 'text', groupId: 'uuid' },
});

export async function lockPrivilegedGroup(tx: Sql, tenant: string, groupId: string): Promise<void> {
  await lockGroup.run(tx, { tenant, groupId });
}

const takeVersion = statement({
  name: 'group_roles.next_version',
  reason: 'atomic',
  text: `SELECT nextval('auth.privileged_groups_version_seq') AS version`,
  columns: { version: typed<number>('int8') },
});

export async function nextPrivilegeVersion(tx: Sql): Promise<number> {
  return Number((await takeVersion.first(tx))?.version);
}

export async function notePrivilegeNotified(tx: Connection, tenant: string, groupId: string): Promise<void> {
  const prisma = await tx.prisma();
  await prisma.privilegedGroup.updateMany({ where: { tenant, groupId }, data: { notified: true } });
  await prisma.privilegedGroup.deleteMany({ where: { tenant, groupId, roles: { none: {} } } });
}

export async function untoldGroups(
  sql: Connection,
  limit: number,
): Promise<{ tenant: string; groupId: string }[]> {
  const prisma = await sql.prisma();
  return prisma.privilegedGroup.findMany({
    where: { notified: false },
    select: { tenant: true, groupId: true },
    take: limit,
  });
}

const countGroups = statement({
  name: 'group_roles.count_groups',
  reason: 'set',
  text: 'SELECT count(DISTINCT group_id)::int AS total FROM auth.group_roles WHERE tenant = $tenant',
  parameters: { tenant: 'text' },
  columns: { total: 'int4' },
});

export async function countGroupsWithRoles(sql: Sql, tenant: string): Promise<number> {
  return (await countGroups.first(sql, { tenant }))?.total ?? 0;
}

export async function rolesGivenBySources(sql: Connection, tenant: string): Promise<string[]> {
  const prisma = await sql.prisma();
  const rows = await prisma.groupRole.groupBy({ by: ['role'], where: { tenant, managedBySources: true } });
  return rows.map(({ role }) => role);
}

/** The statement itself reports a change: of concurrent assignments of a role, exactly one does. */
const assign = statement({
  name: 'group_roles.assign',
  reason: 'atomic',
  text: `INSERT INTO auth.group_roles AS r (tenant, group_id, role, managed_by_sources)
         VALUES ($tenant, $groupId, $role, $managedBySources)
         ON CONFLICT (tenant, group_id, role) DO UPDATE SET managed_by_sources = excluded.managed_by_sources
          WHERE r.managed_by_sources <> excluded.managed_by_sources`,
  parameters: { tenant: 'text', groupId: 'uuid', role: 'text', managedBySources: 'bool' },
});

export async function assignGroupRole(
  tx: Sql,
  tenant: string,
  groupRole: Omit<GroupRoleRow, 'createdAt'>,
): Promise<boolean> {
  return (await assign.count(tx, { ...groupRole, tenant })) > 0;
}

const remove = statement({
  name: 'group_roles.remove',
  reason: 'atomic',
  text: `DELETE FROM auth.group_roles WHERE tenant = $tenant AND group_id = $groupId AND ($role::text IS NULL OR role = $role)
         RETURNING role`,
  parameters: { tenant: 'text', groupId: 'uuid', role: 'text?' },
  columns: { role: 'text' },
});

export async function removeGroupRoles(
  tx: Sql,
  tenant: string,
  groupId: string,
  role?: string,
): Promise<string[]> {
  const rows = await remove.rows(tx, { tenant, groupId, role });
  return rows.map((row) => row.role);
}

export async function rolesOfGroups(
  sql: Connection,
  tenant: string,
  groupIds: readonly string[],
): Promise<GroupRoleRow[]> {
  const prisma = await sql.prisma();
  return prisma.groupRole.findMany({
    where: { tenant, groupId: { in: [...groupIds] } },
    select: columns,
    orderBy: { role: 'asc' },
  });
}

export async function groupsWithRoles(sql: Connection, tenant: string): Promise<string[]> {
  const prisma = await sql.prisma();
  const rows = await prisma.groupRole.groupBy({ by: ['groupId'], where: { tenant } });
  return rows.map((row) => row.groupId);
}

export async function groupsWithRole(
  sql: Connection,
  tenant: string,
  role: string,
  page: IdPage,
): Promise<{ id: string }[]> {
  const { position, limit } = page;
  const isAscending = wayOf(page).order === 'ASC';
  const beyond = position === undefined ? {} : { groupId: isAscending ? { gt: position } : { lt: position } };
  const prisma = await sql.prisma();
  const rows = await prisma.groupRole.findMany({
    where: { tenant, role, ...beyond },
    select: { groupId: true },
    orderBy: { groupId: isAscending ? 'asc' : 'desc' },
    take: limit,
  });
  return rows.map(({ groupId }) => ({ id: groupId }));
}

export async function countGroupsWithRole(sql: Connection, tenant: string, role: string): Promise<number> {
  const prisma = await sql.prisma();
  return prisma.groupRole.count({ where: { tenant, role } });
}

/** Reads one row per tenant, however many it has, because every batch of directory events runs it. */
const tenantsWithAny = statement({
  name: 'group_roles.tenants_with_any',
  reason: 'set',
  text: `SELECT asked.tenant FROM unnest($tenants::text[]) AS asked(tenant)
          WHERE EXISTS (SELECT FROM auth.group_roles r WHERE r.tenant = asked.tenant)`,
  parameters: { tenants: 'text[]' },
  columns: { tenant: 'text' },
});

export async function tenantsWithGroupRoles(sql: Sql, tenants: readonly string[]): Promise<string[]> {
  const rows = await tenantsWithAny.rows(sql, { tenants });
  return rows.map((row) => row.tenant);
}

const holdGroupRoles = statement({
  name: 'group_roles.hold',
  reason: 'atomic',
  text: `SELECT group_id AS "groupId", role, managed_by_sources AS "managedBySources", created_at AS "createdAt"
           FROM auth.group_roles WHERE tenant = $tenant ORDER BY group_id, role FOR SHARE`,
  parameters: { tenant: 'text' },
  columns: { groupId: 'uuid', role: 'text', managedBySources: 'bool', createdAt: 'timestamptz' },
});

export async function groupRolesOf(
  tx: Connection,
  tenant: string,
  o: { lock?: boolean } = {},
): Promise<GroupRoleRow[]> {
  if (o.lock) return holdGroupRoles.rows(tx, { tenant });
  const prisma = await tx.prisma();
  return prisma.groupRole.findMany({
    where: { tenant },
    select: columns,
    orderBy: [{ groupId: 'asc' }, { role: 'asc' }],
  });
}

export const postgresGroupRoles: GroupRoleStore = {
  lockPrivilegedGroup,
  nextPrivilegeVersion,
  notePrivilegeNotified,
  untoldGroups,
  countGroupsWithRoles,
  rolesGivenBySources,
  assignGroupRole,
  removeGroupRoles,
  rolesOfGroups,
  groupsWithRoles,
  groupsWithRole,
  countGroupsWithRole,
  tenantsWithGroupRoles,
  groupRolesOf,
};
