import type { Sql } from '@ostiary/database';

/** Gives a role. False when the subject had it. */
export async function assignRole(tx: Sql, tenant: string, subjectId: string, role: string): Promise<boolean> {
  const { rowCount } = await tx.query(
    `INSERT INTO auth.role_assignments (tenant, subject_id, role) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING`,
    [tenant, subjectId, role],
  );
  return rowCount > 0;
}

/** Takes a role away. False when the subject didn't have it. */
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

/** The roles of many subjects in one statement, by subject id. */
export async function rolesOf(
  sql: Sql,
  tenant: string,
  subjectIds: readonly string[],
): Promise<ReadonlyMap<string, string[]>> {
  const { rows } = await sql.query<{ subjectId: string; roles: string[] }>(
    `SELECT subject_id AS "subjectId", array_agg(role ORDER BY role) AS roles FROM auth.role_assignments
      WHERE tenant = $1 AND subject_id = ANY($2::uuid[]) GROUP BY subject_id`,
    [tenant, [...subjectIds]],
  );
  return new Map(rows.map((row) => [row.subjectId, row.roles]));
}
