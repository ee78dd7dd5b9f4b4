import type { Sql } from '@ostiary/database';

/** Who has a role in a tenant: people by themselves, and groups with everybody in them. */
export async function administratorsOf(
  sql: Sql,
  tenant: string,
): Promise<{ subjects: string[]; groups: string[] }> {
  const { rows } = await sql.query<{ id: string; isGroup: boolean }>(
    `SELECT subject_id AS id, false AS "isGroup" FROM auth.role_assignments WHERE tenant = $1
     UNION SELECT group_id, true FROM auth.group_roles WHERE tenant = $1 ORDER BY id`,
    [tenant],
  );
  const of = (groups: boolean) => rows.filter(({ isGroup }) => isGroup === groups).map(({ id }) => id);
  return { subjects: of(false), groups: of(true) };
}
