import { type Sql, statement } from '@ostiary/database';
import type { Connection } from '../../../platform/database/data/connection.ts';
import { fromSubject } from '../../../tenancy/users/data/subject-conditions.ts';
import type { GroupRoleHolderStore, Holding } from '../domain/group-role-holders.ts';

export async function holdingsOf(
  sql: Connection,
  tenant: string,
  subjectIds: readonly string[],
): Promise<Holding[]> {
  const prisma = await sql.prisma();
  return prisma.groupRoleHolder.findMany({
    where: { tenant, subjectId: { in: [...subjectIds] } },
    select: { subjectId: true, groupId: true, role: true },
  });
}

export async function holdersAfter(
  sql: Connection,
  tenant: string,
  after: string | undefined,
  limit: number,
): Promise<string[]> {
  const prisma = await sql.prisma();
  const rows = await prisma.groupRoleHolder.groupBy({
    by: ['subjectId'],
    where: { tenant, ...(after !== undefined && { subjectId: { gt: after } }) },
    orderBy: { subjectId: 'asc' },
    take: limit,
  });
  return rows.map((row) => row.subjectId);
}

const listFormerHolders = statement({
  name: 'group_role_holders.former',
  reason: 'set',
  text: `SELECT DISTINCT h.subject_id AS "subjectId" FROM auth.group_role_holders h
          WHERE h.tenant = $tenant AND NOT EXISTS (SELECT FROM auth.group_roles r
                  WHERE r.tenant = h.tenant AND r.group_id = h.group_id AND r.role = h.role)
          ORDER BY 1 LIMIT $limit`,
  parameters: { tenant: 'text', limit: 'int8' },
  columns: { subjectId: 'uuid' },
});

export async function formerHolders(sql: Sql, tenant: string, limit: number): Promise<string[]> {
  const rows = await listFormerHolders.rows(sql, { tenant, limit });
  return rows.map((row) => row.subjectId);
}

const holdings = { tenant: 'text', subjectIds: 'uuid[]', groupIds: 'uuid[]', roles: 'text[]' } as const;

const removeHoldings = statement({
  name: 'group_role_holders.remove',
  reason: 'set',
  text: `DELETE FROM auth.group_role_holders h
          USING unnest($subjectIds::uuid[], $groupIds::uuid[], $roles::text[]) AS gone(subject_id, group_id, role)
          WHERE h.tenant = $tenant AND h.subject_id = gone.subject_id AND h.group_id = gone.group_id AND h.role = gone.role`,
  parameters: holdings,
});

const addHoldings = statement({
  name: 'group_role_holders.add',
  reason: 'set',
  text: `INSERT INTO auth.group_role_holders (tenant, subject_id, group_id, role)
         SELECT $tenant, * FROM unnest($subjectIds::uuid[], $groupIds::uuid[], $roles::text[]) ON CONFLICT DO NOTHING`,
  parameters: holdings,
});

export async function changeHoldings(
  tx: Sql,
  tenant: string,
  change: { add: readonly Holding[]; remove: readonly Holding[] },
): Promise<void> {
  const values = (rows: readonly Holding[]) => ({
    tenant,
    subjectIds: rows.map(({ subjectId }) => subjectId),
    groupIds: rows.map(({ groupId }) => groupId),
    roles: rows.map(({ role }) => role),
  });
  if (change.remove.length > 0) await removeHoldings.run(tx, values(change.remove));
  if (change.add.length > 0) await addHoldings.run(tx, values(change.add));
}

const lockSubjects = statement({
  name: 'group_role_holders.hold_subjects',
  reason: 'atomic',
  text: `SELECT s.id, s.deleted ${fromSubject('s', '$tenant', '= ANY($ids::uuid[])')}
          ORDER BY s.id FOR NO KEY UPDATE`,
  parameters: { tenant: 'text', ids: 'uuid[]' },
  columns: { id: 'uuid', deleted: 'bool' },
});

export async function holdSubjects(
  tx: Sql,
  tenant: string,
  ids: readonly string[],
): Promise<Map<string, { deleted: boolean }>> {
  const rows = await lockSubjects.rows(tx, { tenant, ids });
  return new Map(rows.map(({ id, deleted }) => [id, { deleted }]));
}

const listRolesOfHolders = statement({
  name: 'group_role_holders.roles',
  reason: 'set',
  text: `WITH holders AS (
           SELECT DISTINCT subject_id FROM auth.group_role_holders WHERE tenant = $tenant AND group_id = $groupId
         )
         SELECT r.role FROM auth.role_assignments r JOIN holders USING (subject_id) WHERE r.tenant = $tenant
         UNION SELECT h.role FROM auth.group_role_holders h JOIN holders USING (subject_id) WHERE h.tenant = $tenant`,
  parameters: { tenant: 'text', groupId: 'uuid' },
  columns: { role: 'text' },
});

export async function rolesOfHolders(sql: Sql, tenant: string, groupId: string): Promise<string[]> {
  const rows = await listRolesOfHolders.rows(sql, { tenant, groupId });
  return rows.map((row) => row.role);
}

export const postgresGroupRoleHolders: GroupRoleHolderStore = {
  holdingsOf,
  holdersAfter,
  formerHolders,
  changeHoldings,
  holdSubjects,
  rolesOfHolders,
};
