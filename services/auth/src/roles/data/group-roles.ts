import type { Sql } from '@ostiary/database';
import type { GroupRoleStore } from '../domain/group-role-store.ts';
import type { GroupRoleRow } from '../domain/role-sources.ts';

const columns =
  'group_id AS "groupId", role, managed_by_sources AS "managedBySources", created_at AS "createdAt"';

export async function lockPrivilegedGroup(tx: Sql, tenant: string, groupId: string): Promise<void> {
  await tx.query(
    `INSERT INTO auth.privileged_groups (tenant, group_id) VALUES ($1, $2)
     ON CONFLICT (tenant, group_id) DO UPDATE SET told = false`,
    [tenant, groupId],
  );
}

export async function nextPrivilegeVersion(tx: Sql): Promise<number> {
  const { rows } = await tx.query<{ version: number }>(
    `SELECT nextval('auth.privileged_groups_version_seq') AS version`,
  );
  return Number(rows[0]?.version);
}

export async function notePrivilegeNotified(tx: Sql, tenant: string, groupId: string): Promise<void> {
  await tx.query('UPDATE auth.privileged_groups SET told = true WHERE tenant = $1 AND group_id = $2', [
    tenant,
    groupId,
  ]);
  await tx.query(
    `DELETE FROM auth.privileged_groups p WHERE p.tenant = $1 AND p.group_id = $2
        AND NOT EXISTS (SELECT FROM auth.group_roles r WHERE r.tenant = $1 AND r.group_id = $2)`,
    [tenant, groupId],
  );
}

export async function untoldGroups(sql: Sql, limit: number): Promise<{ tenant: string; groupId: string }[]> {
  const { rows } = await sql.query<{ tenant: string; groupId: string }>(
    'SELECT tenant, group_id AS "groupId" FROM auth.privileged_groups WHERE NOT told LIMIT $1',
    [limit],
  );
  return rows;
}

export async function countGroupsWithRoles(sql: Sql, tenant: string): Promise<number> {
  const { rows } = await sql.query<{ total: number }>(
    'SELECT count(DISTINCT group_id)::int AS total FROM auth.group_roles WHERE tenant = $1',
    [tenant],
  );
  return rows[0]?.total ?? 0;
}

export async function rolesGivenBySources(sql: Sql, tenant: string): Promise<string[]> {
  const { rows } = await sql.query<{ role: string }>(
    'SELECT DISTINCT role FROM auth.group_roles WHERE tenant = $1 AND managed_by_sources',
    [tenant],
  );
  return rows.map(({ role }) => role);
}

export async function assignGroupRole(
  tx: Sql,
  tenant: string,
  { groupId, role, managedBySources }: Omit<GroupRoleRow, 'createdAt'>,
): Promise<boolean> {
  const { rowCount } = await tx.query(
    `INSERT INTO auth.group_roles AS r (tenant, group_id, role, managed_by_sources) VALUES ($1, $2, $3, $4)
     ON CONFLICT (tenant, group_id, role) DO UPDATE SET managed_by_sources = excluded.managed_by_sources
      WHERE r.managed_by_sources <> excluded.managed_by_sources`,
    [tenant, groupId, role, managedBySources],
  );
  return rowCount > 0;
}

export async function removeGroupRoles(
  tx: Sql,
  tenant: string,
  groupId: string,
  role?: string,
): Promise<string[]> {
  const { rows } = await tx.query<{ role: string }>(
    `DELETE FROM auth.group_roles WHERE tenant = $1 AND group_id = $2 AND ($3::text IS NULL OR role = $3) RETURNING role`,
    [tenant, groupId, role ?? null],
  );
  return rows.map((row) => row.role);
}

export async function rolesOfGroups(
  sql: Sql,
  tenant: string,
  groupIds: readonly string[],
): Promise<GroupRoleRow[]> {
  const { rows } = await sql.query<GroupRoleRow>(
    `SELECT ${columns} FROM auth.group_roles WHERE tenant = $1 AND group_id = ANY($2::uuid[]) ORDER BY role`,
    [tenant, [...groupIds]],
  );
  return rows;
}

export async function groupsWithRoles(sql: Sql, tenant: string): Promise<string[]> {
  const { rows } = await sql.query<{ groupId: string }>(
    'SELECT DISTINCT group_id AS "groupId" FROM auth.group_roles WHERE tenant = $1',
    [tenant],
  );
  return rows.map((row) => row.groupId);
}

export async function tenantsWithGroupRoles(sql: Sql, tenants: readonly string[]): Promise<string[]> {
  const { rows } = await sql.query<{ tenant: string }>(
    `SELECT asked.tenant FROM unnest($1::text[]) AS asked(tenant)
      WHERE EXISTS (SELECT FROM auth.group_roles r WHERE r.tenant = asked.tenant)`,
    [[...tenants]],
  );
  return rows.map((row) => row.tenant);
}

export async function groupRolesOf(
  tx: Sql,
  tenant: string,
  o: { lock?: boolean } = {},
): Promise<GroupRoleRow[]> {
  const { rows } = await tx.query<GroupRoleRow>(
    `SELECT ${columns} FROM auth.group_roles WHERE tenant = $1 ORDER BY group_id, role ${o.lock ? 'FOR SHARE' : ''}`,
    [tenant],
  );
  return rows;
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
  tenantsWithGroupRoles,
  groupRolesOf,
};
