import { SharedLookup, type Sql } from '@ostiary/database';
import { columnsOf, type ResourceRow, toStored } from '../../resources/data/index.ts';
import type { UserWithGroups } from '../domain/ports.ts';

interface Row extends ResourceRow {
  tenant: string;
  groups: UserWithGroups['groups'] | null;
}

/**
 * Reads a user and their groups in one statement, which is shared by concurrent requests. The inner
 * SELECT has a LIMIT so that it stays one look into the index for each of them, whatever the planner thinks of the tables.
 */
export function usersWithGroups(
  sql: Sql,
): (tenant: string, id: string) => Promise<UserWithGroups | undefined> {
  const lookup = new SharedLookup<UserWithGroups>(async (keys) => {
    const asked = keys.map((key) => key.split(' '));
    const { rows } = await sql.query<Row>(
      `SELECT asked.tenant, u.*, (
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
       FROM unnest($1::text[], $2::uuid[]) AS asked(tenant, id)
       CROSS JOIN LATERAL (
         SELECT ${columnsOf('User')} FROM directory.users WHERE tenant = asked.tenant AND users.id = asked.id LIMIT 1
       ) u`,
      [asked.map(([tenant]) => tenant), asked.map(([, id]) => id)],
    );
    return new Map(
      rows.map(
        (row) => [`${row.tenant} ${row.id}`, { user: toStored(row), groups: row.groups ?? [] }] as const,
      ),
    );
  });
  return (tenant, id) => lookup.find(`${tenant} ${id}`);
}
