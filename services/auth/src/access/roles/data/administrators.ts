import { type Sql, statement } from '@ostiary/database';
import { apiRolePattern } from '../../../tenancy/index.ts';
import type { AdministratorStore } from '../domain/role-store.ts';

/** Excludes roles of APIs. */
const isOfTenant = `role NOT LIKE '${apiRolePattern}'`;

/** Users and groups with a role, or with one of the given roles. One snapshot, so that a user whose own role is replaced with one through a group is not missed. */
const listAdministrators = statement({
  name: 'roles.administrators',
  reason: 'set',
  text: `SELECT subject_id AS id, false AS "isGroup" FROM auth.role_assignments
          WHERE tenant = $tenant AND ${isOfTenant} AND ($roles::text[] IS NULL OR role = ANY($roles))
         UNION SELECT group_id, true FROM auth.group_roles
          WHERE tenant = $tenant AND ${isOfTenant} AND ($roles::text[] IS NULL OR role = ANY($roles)) ORDER BY id`,
  parameters: { tenant: 'text', roles: 'text[]?' },
  columns: { id: 'uuid', isGroup: 'bool' },
});

export async function administratorsOf(
  sql: Sql,
  tenant: string,
  roles?: readonly string[],
): Promise<{ subjects: string[]; groups: string[] }> {
  const rows = await listAdministrators.rows(sql, { tenant, roles });
  const of = (groups: boolean) => rows.filter(({ isGroup }) => isGroup === groups).map(({ id }) => id);
  return { subjects: of(false), groups: of(true) };
}

export const postgresAdministrators: AdministratorStore = { administratorsOf };
