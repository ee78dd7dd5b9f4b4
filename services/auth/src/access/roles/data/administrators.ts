import { type Sql, statement } from '@ostiary/database';
import type { AdministratorStore } from '../domain/role-store.ts';

/** One snapshot, so that a user whose own role is replaced with one through a group is not missed. */
const listAdministrators = statement({
  name: 'roles.administrators',
  reason: 'set',
  text: `SELECT subject_id AS id, false AS "isGroup" FROM auth.role_assignments WHERE tenant = $tenant
         UNION SELECT group_id, true FROM auth.group_roles WHERE tenant = $tenant ORDER BY id`,
  parameters: { tenant: 'text' },
  columns: { id: 'uuid', isGroup: 'bool' },
});

export async function administratorsOf(
  sql: Sql,
  tenant: string,
): Promise<{ subjects: string[]; groups: string[] }> {
  const rows = await listAdministrators.rows(sql, { tenant });
  const of = (groups: boolean) => rows.filter(({ isGroup }) => isGroup === groups).map(({ id }) => id);
  return { subjects: of(false), groups: of(true) };
}

export const postgresAdministrators: AdministratorStore = { administratorsOf };
