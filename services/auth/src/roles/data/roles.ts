import type { Sql } from '@ostiary/database';
import type { RoleSource } from '../domain/role-sources.ts';
import type { RoleStore } from '../domain/role-store.ts';

export async function assignRole(tx: Sql, tenant: string, subjectId: string, role: string): Promise<boolean> {
  const { rowCount } = await tx.query(
    `INSERT INTO auth.role_assignments (tenant, subject_id, role) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING`,
    [tenant, subjectId, role],
  );
  return rowCount > 0;
}

export async function removeRole(
  sql: Sql,
  tenant: string,
  subjectId: string,
  role: string,
): Promise<boolean> {
  const { rowCount } = await sql.query(
    'DELETE FROM auth.role_assignments WHERE tenant = $1 AND subject_id = $2 AND role = $3',
    [tenant, subjectId, role],
  );
  return rowCount > 0;
}

export async function rolesOf(
  sql: Sql,
  tenant: string,
  subjectIds: readonly string[],
): Promise<ReadonlyMap<string, string[]>> {
  const { rows } = await sql.query<{ subjectId: string; roles: string[] }>(
    `SELECT subject_id AS "subjectId", array_agg(role ORDER BY role) AS roles FROM (
       SELECT subject_id, role FROM auth.role_assignments WHERE tenant = $1 AND subject_id = ANY($2::uuid[])
       UNION SELECT subject_id, role FROM auth.group_role_holders WHERE tenant = $1 AND subject_id = ANY($2::uuid[])
     ) held GROUP BY subject_id`,
    [tenant, [...subjectIds]],
  );
  return new Map(rows.map((row) => [row.subjectId, row.roles]));
}

export async function roleSourcesOf(
  sql: Sql,
  tenant: string,
  subjectIds: readonly string[],
): Promise<RoleSource[]> {
  const { rows } = await sql.query<RoleSource>(
    `SELECT subject_id AS "subjectId", role, bool_or(group_id IS NULL) AS direct,
            coalesce(array_agg(group_id ORDER BY group_id) FILTER (WHERE group_id IS NOT NULL), '{}') AS "groupIds"
       FROM (
         SELECT subject_id, role, NULL::uuid AS group_id FROM auth.role_assignments
          WHERE tenant = $1 AND subject_id = ANY($2::uuid[])
         UNION ALL SELECT subject_id, role, group_id FROM auth.group_role_holders
          WHERE tenant = $1 AND subject_id = ANY($2::uuid[])
       ) held GROUP BY subject_id, role ORDER BY role`,
    [tenant, [...subjectIds]],
  );
  return rows;
}

export const postgresRoles: RoleStore = { assignRole, removeRole, rolesOf, roleSourcesOf };
