import type { Sql } from '@ostiary/database';
import type { AdministratorStore } from '../domain/role-store.ts';

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

export const postgresAdministrators: AdministratorStore = { administratorsOf };
