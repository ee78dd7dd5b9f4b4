import { SharedLookup, type Sql, statement, typed } from '@ostiary/database';
import { resourceColumns, toStored } from '../../resources/data/rows.ts';
import type { UserWithGroups } from '../domain/ports.ts';

/** The LIMIT of the inner SELECT keeps it one index lookup for each user, for any estimate of the planner. */
const findUsersWithGroups = statement({
  name: 'users.find with groups',
  reason: 'hot path',
  text: `SELECT asked.tenant, u.*, (
           WITH RECURSIVE reached(group_id, direct) AS (
             SELECT group_id, true FROM directory.user_memberships m WHERE m.tenant = asked.tenant AND m.member_id = asked.id
             UNION
             SELECT m.group_id, false FROM reached
             JOIN directory.group_memberships m ON m.tenant = asked.tenant AND m.member_id = reached.group_id
           ), known AS (
             SELECT group_id, bool_or(direct) AS direct FROM reached GROUP BY group_id
           )
           SELECT jsonb_agg(jsonb_build_object('id', g.id, 'display', g.display_name, 'direct', known.direct)
                    ORDER BY g.display_name_key, g.id)
           FROM known JOIN directory.groups g ON g.tenant = asked.tenant AND g.id = known.group_id
         ) AS groups
         FROM unnest($tenants::text[], $ids::uuid[]) AS asked(tenant, id)
         CROSS JOIN LATERAL (
           SELECT ${resourceColumns.User} FROM directory.users r WHERE r.tenant = asked.tenant AND r.id = asked.id LIMIT 1
         ) u`,
  parameters: { tenants: 'text[]', ids: 'uuid[]' },
  columns: {
    tenant: 'text',
    ...resourceColumns.User.columns,
    groups: typed<UserWithGroups['groups']>('jsonb?'),
  },
});

/** Reads a user and their groups in one statement, which concurrent requests share. */
export function usersWithGroups(
  sql: Sql,
): (tenant: string, id: string) => Promise<UserWithGroups | undefined> {
  const lookup = new SharedLookup<UserWithGroups>(async (keys) => {
    const asked = keys.map((key) => key.split(' ') as [tenant: string, id: string]);
    const rows = await findUsersWithGroups.rows(sql, {
      tenants: asked.map(([tenant]) => tenant),
      ids: asked.map(([, id]) => id),
    });
    return new Map(
      rows.map(
        (row) => [`${row.tenant} ${row.id}`, { user: toStored(row), groups: row.groups ?? [] }] as const,
      ),
    );
  });
  return (tenant, id) => lookup.find(`${tenant} ${id}`);
}
