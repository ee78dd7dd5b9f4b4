import { type Sql, statement, typed } from '@ostiary/database';
import type { Connection } from '../../../platform/database/data/connection.ts';
import type { RoleSource, WayIn } from '../domain/role-sources.ts';
import type { RoleStore } from '../domain/role-store.ts';

export async function assignRole(
  tx: Connection,
  tenant: string,
  subjectId: string,
  role: string,
): Promise<boolean> {
  const prisma = await tx.prisma();
  const { count } = await prisma.roleAssignment.createMany({
    data: { tenant, subjectId, role },
    skipDuplicates: true,
  });
  return count > 0;
}

export async function removeRole(
  sql: Connection,
  tenant: string,
  subjectId: string,
  role: string,
): Promise<boolean> {
  const prisma = await sql.prisma();
  const { count } = await prisma.roleAssignment.deleteMany({ where: { tenant, subjectId, role } });
  return count > 0;
}

const listRoles = statement({
  name: 'roles.of_subjects',
  reason: 'set',
  text: `SELECT subject_id AS "subjectId", array_agg(role ORDER BY role) AS roles FROM (
           SELECT subject_id, role FROM auth.role_assignments WHERE tenant = $tenant AND subject_id = ANY($subjectIds::uuid[])
           UNION SELECT subject_id, role FROM auth.group_role_holders
            WHERE tenant = $tenant AND subject_id = ANY($subjectIds::uuid[])
         ) held GROUP BY subject_id`,
  parameters: { tenant: 'text', subjectIds: 'uuid[]' },
  columns: { subjectId: 'uuid', roles: 'text[]' },
});

export async function rolesOf(
  sql: Sql,
  tenant: string,
  subjectIds: readonly string[],
): Promise<ReadonlyMap<string, string[]>> {
  const rows = await listRoles.rows(sql, { tenant, subjectIds });
  return new Map(rows.map((row) => [row.subjectId, row.roles]));
}

/** Selects the sign-in methods of users that do not carry every role. */
const wayIn = (way: WayIn, table: string, condition = 'true'): string =>
  `SELECT subject_id, '${way}' AS way, carried_roles FROM auth.${table}
              WHERE tenant = $tenant AND subject_id = ANY($subjectIds::uuid[]) AND carried_roles IS NOT NULL AND ${condition}`;

const waysIn = [
  wayIn('password', 'credentials', 'activated_at IS NOT NULL AND replaced_at IS NULL'),
  wayIn('passkey', 'passkeys'),
  wayIn('authenticator_app', 'totp_factors'),
  wayIn('recovery_codes', 'recovery_codes', 'used_at IS NULL'),
  wayIn('trusted_issuer', 'issuer_subjects'),
].join('\n             UNION ALL ');

const listSources = statement({
  name: 'roles.sources_of_subjects',
  reason: 'set',
  text: `WITH ways AS (${waysIn})
         SELECT held.subject_id AS "subjectId", role, bool_or(group_id IS NULL) AS direct,
                coalesce(array_agg(group_id ORDER BY group_id) FILTER (WHERE group_id IS NOT NULL), '{}') AS "groupIds",
                ARRAY(SELECT DISTINCT w.way FROM ways w
                       WHERE w.subject_id = held.subject_id AND NOT held.role = ANY(w.carried_roles) ORDER BY 1) AS "notCarriedBy"
           FROM (
             SELECT subject_id, role, NULL::uuid AS group_id FROM auth.role_assignments
              WHERE tenant = $tenant AND subject_id = ANY($subjectIds::uuid[])
             UNION ALL SELECT subject_id, role, group_id FROM auth.group_role_holders
              WHERE tenant = $tenant AND subject_id = ANY($subjectIds::uuid[])
           ) held GROUP BY held.subject_id, held.role ORDER BY role`,
  parameters: { tenant: 'text', subjectIds: 'uuid[]' },
  columns: {
    subjectId: 'uuid',
    role: 'text',
    direct: 'bool',
    groupIds: 'uuid[]',
    notCarriedBy: typed<WayIn[]>('text[]'),
  },
});

export async function roleSourcesOf(
  sql: Sql,
  tenant: string,
  subjectIds: readonly string[],
): Promise<RoleSource[]> {
  return listSources.rows(sql, { tenant, subjectIds });
}

export const postgresRoles: RoleStore = { assignRole, removeRole, rolesOf, roleSourcesOf };
