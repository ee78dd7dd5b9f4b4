import { composedStatement, type Sql, statement, typed, wayOf } from '@ostiary/database';
import type { IdPage } from '@ostiary/service';
import { Conditions } from '../../../platform/database/data/conditions.ts';
import type { Connection } from '../../../platform/database/data/connection.ts';
import { subjectAs } from '../../../tenancy/users/data/subject-conditions.ts';
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

interface HolderPage {
  tenant: string;
  role: string;
  page: IdPage;
}

/** A deleted user keeps the roles for a restoration, and is not a holder until then. */
const holdersIn = (table: string, condition: string): string =>
  `SELECT DISTINCT h.subject_id AS id FROM auth.${table} h
     JOIN ${subjectAs('s', 'h.tenant', 'h.subject_id')} AND NOT s.deleted WHERE ${condition}`;

/** Each table contributes at most one page, so the cost does not depend on the number of holders. */
const listHolders = composedStatement({
  name: 'roles.holders',
  reason: 'set',
  columns: { id: 'uuid' },
  compose: ({ tenant, role, page }: HolderPage) => {
    const { beyond, order } = wayOf(page, { newestFirst: false });
    const where = new Conditions('h.tenant = $1', tenant);
    where.add((parameter) => `h.role = ${parameter}`, role);
    where.uuid('h.subject_id', page.position, beyond);
    const end = `ORDER BY id ${order} LIMIT $${where.values.length + 1}`;
    return {
      text: `(${holdersIn('role_assignments', where.text)} ${end})
             UNION (${holdersIn('group_role_holders', where.text)} ${end}) ${end}`,
      values: [...where.values, page.limit],
    };
  },
  examples: (): HolderPage[] => [
    { tenant: 't', role: 'auditor', page: { limit: 1, direction: 'forward' } },
    {
      tenant: 't',
      role: 'auditor',
      page: { limit: 1, direction: 'backward', position: '00000000-0000-7000-8000-000000000000' },
    },
  ],
});

export const holdersOf = (sql: Sql, tenant: string, role: string, page: IdPage): Promise<{ id: string }[]> =>
  listHolders.rows(sql, { tenant, role, page });

const countAll = statement({
  name: 'roles.count_holders',
  reason: 'set',
  text: `SELECT count(*)::int AS total FROM (
           ${holdersIn('role_assignments', 'h.tenant = $tenant AND h.role = $role')}
           UNION ${holdersIn('group_role_holders', 'h.tenant = $tenant AND h.role = $role')}
         ) held`,
  parameters: { tenant: 'text', role: 'text' },
  columns: { total: 'int4' },
});

export async function countHolders(sql: Sql, tenant: string, role: string): Promise<number> {
  return (await countAll.first(sql, { tenant, role }))?.total ?? 0;
}

export const postgresRoles: RoleStore = {
  assignRole,
  removeRole,
  rolesOf,
  roleSourcesOf,
  holdersOf,
  countHolders,
};
