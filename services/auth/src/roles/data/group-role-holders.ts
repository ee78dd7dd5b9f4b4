import type { Sql } from '@ostiary/database';
import type { GroupRoleHolderStore, Holding } from '../domain/group-role-holders.ts';

const columns = 'subject_id AS "subjectId", group_id AS "groupId", role';

export async function holdingsOf(
  sql: Sql,
  tenant: string,
  subjectIds: readonly string[],
): Promise<Holding[]> {
  const { rows } = await sql.query<Holding>(
    `SELECT ${columns} FROM auth.group_role_holders WHERE tenant = $1 AND subject_id = ANY($2::uuid[])`,
    [tenant, [...subjectIds]],
  );
  return rows;
}

export async function holdersAfter(
  sql: Sql,
  tenant: string,
  after: string | undefined,
  limit: number,
): Promise<string[]> {
  const { rows } = await sql.query<{ subjectId: string }>(
    `SELECT DISTINCT subject_id AS "subjectId" FROM auth.group_role_holders
      WHERE tenant = $1 AND ($2::uuid IS NULL OR subject_id > $2) ORDER BY 1 LIMIT $3`,
    [tenant, after ?? null, limit],
  );
  return rows.map((row) => row.subjectId);
}

export async function formerHolders(sql: Sql, tenant: string, limit: number): Promise<string[]> {
  const { rows } = await sql.query<{ subjectId: string }>(
    `SELECT DISTINCT h.subject_id AS "subjectId" FROM auth.group_role_holders h
      WHERE h.tenant = $1 AND NOT EXISTS (SELECT FROM auth.group_roles r
              WHERE r.tenant = h.tenant AND r.group_id = h.group_id AND r.role = h.role)
      ORDER BY 1 LIMIT $2`,
    [tenant, limit],
  );
  return rows.map((row) => row.subjectId);
}

export async function changeHoldings(
  tx: Sql,
  tenant: string,
  change: { add: readonly Holding[]; remove: readonly Holding[] },
): Promise<void> {
  const rows = (holdings: readonly Holding[]) => [
    tenant,
    holdings.map(({ subjectId }) => subjectId),
    holdings.map(({ groupId }) => groupId),
    holdings.map(({ role }) => role),
  ];
  if (change.remove.length > 0) {
    await tx.query(
      `DELETE FROM auth.group_role_holders h USING unnest($2::uuid[], $3::uuid[], $4::text[]) AS gone(subject_id, group_id, role)
        WHERE h.tenant = $1 AND h.subject_id = gone.subject_id AND h.group_id = gone.group_id AND h.role = gone.role`,
      rows(change.remove),
    );
  }
  if (change.add.length > 0) {
    await tx.query(
      `INSERT INTO auth.group_role_holders (tenant, subject_id, group_id, role)
       SELECT $1, * FROM unnest($2::uuid[], $3::uuid[], $4::text[]) ON CONFLICT DO NOTHING`,
      rows(change.add),
    );
  }
}

export async function holdSubjects(
  tx: Sql,
  tenant: string,
  ids: readonly string[],
): Promise<Map<string, { deleted: boolean }>> {
  const { rows } = await tx.query<{ id: string; deleted: boolean }>(
    `SELECT id, deleted FROM auth.subjects WHERE tenant = $1 AND id = ANY($2::uuid[]) ORDER BY id FOR NO KEY UPDATE`,
    [tenant, [...ids]],
  );
  return new Map(rows.map(({ id, deleted }) => [id, { deleted }]));
}

export async function rolesOfHolders(sql: Sql, tenant: string, groupId: string): Promise<string[]> {
  const { rows } = await sql.query<{ role: string }>(
    `WITH holders AS (
       SELECT DISTINCT subject_id FROM auth.group_role_holders WHERE tenant = $1 AND group_id = $2
     )
     SELECT r.role FROM auth.role_assignments r JOIN holders USING (subject_id) WHERE r.tenant = $1
     UNION SELECT h.role FROM auth.group_role_holders h JOIN holders USING (subject_id) WHERE h.tenant = $1`,
    [tenant, groupId],
  );
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
