import type { Sql } from '@ostiary/database';

/** The ids of the people of a tenant who have a role. */
export async function administratorsOf(sql: Sql, tenant: string): Promise<string[]> {
  const { rows } = await sql.query<{ subject_id: string }>(
    'SELECT DISTINCT subject_id FROM auth.role_assignments WHERE tenant = $1 ORDER BY subject_id',
    [tenant],
  );
  return rows.map((row) => row.subject_id);
}
