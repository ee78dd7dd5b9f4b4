import { composedStatement, statement, typed, wayOf } from '@ostiary/database';
import type { IdPage } from '@ostiary/service';
import type { ResourceType } from '../../schemas/index.ts';
import { reportedMembers } from '../domain/memberships.ts';

/** Users before groups. The locked users cannot be deleted until the transaction ends. */
export const holdMembers = statement({
  name: 'memberships.hold',
  reason: 'atomic',
  text: `WITH held AS (
           SELECT id FROM directory.users WHERE tenant = $tenant AND id = ANY($ids::uuid[]) ORDER BY id FOR KEY SHARE
         )
         SELECT id, 'Group' AS type FROM directory.groups WHERE tenant = $tenant AND id = ANY($ids::uuid[])
         UNION ALL
         SELECT id, 'User' AS type FROM held`,
  parameters: { tenant: 'text', ids: 'uuid[]' },
  columns: { id: 'uuid', type: typed<ResourceType>('text') },
});

export const lockNesting = statement({
  name: 'memberships.lock nesting',
  reason: 'atomic',
  text: `SELECT pg_advisory_xact_lock(hashtextextended('directory.nesting:' || $tenant, 0))`,
  parameters: { tenant: 'text' },
  columns: { pg_advisory_xact_lock: 'void' },
});

export const ancestorsOf = statement({
  name: 'memberships.ancestors',
  reason: 'set',
  text: `WITH RECURSIVE above(id) AS (
           SELECT group_id FROM directory.group_memberships WHERE tenant = $tenant AND member_id = $groupId
           UNION
           SELECT m.group_id FROM above JOIN directory.group_memberships m ON m.tenant = $tenant AND m.member_id = above.id
         ) SELECT id FROM above`,
  parameters: { tenant: 'text', groupId: 'uuid' },
  columns: { id: 'uuid' },
});

const changedMembers = `SELECT count(*)::int4 AS total, coalesce((array_agg(member_id))[1:${reportedMembers}], '{}') AS ids
  FROM (SELECT member_id FROM u UNION ALL SELECT member_id FROM g) changed`;

const delta = { total: 'int4', ids: 'uuid[]' } as const;

export const addMembers = statement({
  name: 'memberships.add',
  reason: 'set',
  text: `WITH u AS (
           INSERT INTO directory.user_memberships (tenant, group_id, member_id, added_at)
           SELECT $tenant, $groupId::uuid, id, $at::timestamptz FROM unnest($users::uuid[]) AS id ORDER BY id
           ON CONFLICT DO NOTHING RETURNING member_id
         ), g AS (
           INSERT INTO directory.group_memberships (tenant, group_id, member_id, added_at)
           SELECT $tenant, $groupId::uuid, id, $at::timestamptz FROM unnest($groups::uuid[]) AS id ORDER BY id
           ON CONFLICT DO NOTHING RETURNING member_id
         ) ${changedMembers}`,
  parameters: { tenant: 'text', groupId: 'uuid', at: 'timestamptz', users: 'uuid[]', groups: 'uuid[]' },
  columns: delta,
});

export const removeMembers = statement({
  name: 'memberships.remove',
  reason: 'set',
  text: `WITH u AS (
           DELETE FROM directory.user_memberships
           WHERE tenant = $tenant AND group_id = $groupId AND member_id = ANY($ids::uuid[]) RETURNING member_id
         ), g AS (
           DELETE FROM directory.group_memberships
           WHERE tenant = $tenant AND group_id = $groupId AND member_id = ANY($ids::uuid[]) RETURNING member_id
         ) ${changedMembers}`,
  parameters: { tenant: 'text', groupId: 'uuid', ids: 'uuid[]' },
  columns: delta,
});

/**
 * A comparison with an array is hashed for any statistics. With stale statistics, an anti-join could become
 * a nested loop over both lists.
 */
export const retainMembers = statement({
  name: 'memberships.retain',
  reason: 'set',
  text: `WITH u AS (
           DELETE FROM directory.user_memberships m WHERE m.tenant = $tenant AND m.group_id = $groupId
             AND m.member_id <> ALL($ids::uuid[]) RETURNING m.member_id
         ), g AS (
           DELETE FROM directory.group_memberships m WHERE m.tenant = $tenant AND m.group_id = $groupId
             AND m.member_id <> ALL($ids::uuid[]) RETURNING m.member_id
         ) ${changedMembers}`,
  parameters: { tenant: 'text', groupId: 'uuid', ids: 'uuid[]' },
  columns: delta,
});

export const directGroupsOf = statement({
  name: 'memberships.direct groups',
  reason: 'set',
  text: `SELECT group_id AS id FROM directory.user_memberships WHERE tenant = $tenant AND member_id = $memberId
         UNION ALL
         SELECT group_id FROM directory.group_memberships WHERE tenant = $tenant AND member_id = $memberId`,
  parameters: { tenant: 'text', memberId: 'uuid' },
  columns: { id: 'uuid' },
});

export const removeEverywhere = statement({
  name: 'memberships.remove everywhere',
  reason: 'set',
  text: `WITH u AS (
           DELETE FROM directory.user_memberships WHERE tenant = $tenant AND member_id = $memberId RETURNING group_id
         ), g AS (
           DELETE FROM directory.group_memberships WHERE tenant = $tenant AND member_id = $memberId RETURNING group_id
         ) SELECT group_id AS id FROM u UNION ALL SELECT group_id FROM g`,
  parameters: { tenant: 'text', memberId: 'uuid' },
  columns: { id: 'uuid' },
});

/** The groups of users: direct ones, and those that contain them, at any depth. */
const reached = `reached(user_id, group_id, direct) AS (
  SELECT member_id, group_id, true FROM directory.user_memberships
  WHERE tenant = $tenant AND member_id = ANY($userIds::uuid[])
  UNION
  SELECT reached.user_id, m.group_id, false FROM reached
  JOIN directory.group_memberships m ON m.tenant = $tenant AND m.member_id = reached.group_id
)`;

/** In the order of their names. */
export const groupsOfUsers = statement({
  name: 'memberships.groups of users',
  reason: 'set',
  text: `WITH RECURSIVE ${reached}
         SELECT reached.user_id AS "userId", g.id, g.display_name AS display, bool_or(reached.direct) AS direct
         FROM reached JOIN directory.groups g ON g.tenant = $tenant AND g.id = reached.group_id
         GROUP BY reached.user_id, g.id, g.display_name, g.display_name_key
         ORDER BY g.display_name_key, g.id LIMIT $limit`,
  parameters: { tenant: 'text', userIds: 'uuid[]', limit: 'int8?' },
  columns: { userId: 'uuid', id: 'uuid', display: 'text', direct: 'bool' },
});

/** A page of the groups of each user, in the order of their names, with the total number of the user's groups. */
export const pageOfGroups = statement({
  name: 'memberships.page of groups',
  reason: 'set',
  text: `WITH RECURSIVE ${reached}, known AS (
           SELECT user_id, group_id, bool_or(direct) AS direct, (count(*) OVER (PARTITION BY user_id))::int AS total
           FROM reached GROUP BY user_id, group_id
         )
         SELECT user_id AS "userId", id, display, direct, key, total FROM (
           SELECT known.user_id, g.id, g.display_name AS display, known.direct, g.display_name_key AS key, known.total,
                  CASE WHEN $backward::bool
                    THEN row_number() OVER (PARTITION BY known.user_id ORDER BY g.display_name_key DESC, g.id DESC)
                    ELSE row_number() OVER (PARTITION BY known.user_id ORDER BY g.display_name_key, g.id) END AS position
           FROM known JOIN directory.groups g ON g.tenant = $tenant AND g.id = known.group_id
           WHERE $key::text IS NULL
              OR CASE WHEN $backward THEN (g.display_name_key, g.id) < ($key, $id::uuid)
                   ELSE (g.display_name_key, g.id) > ($key, $id) END
         ) placed WHERE position <= $limit ORDER BY user_id, position`,
  parameters: {
    tenant: 'text',
    userIds: 'uuid[]',
    backward: 'bool',
    key: 'text?',
    id: 'uuid?',
    limit: 'int8',
  },
  columns: { userId: 'uuid', id: 'uuid', display: 'text', direct: 'bool', key: 'text', total: 'int4' },
});

const member = {
  groupId: 'uuid',
  id: 'uuid',
  type: typed<ResourceType>('text'),
  addedAt: 'timestamptz',
  display: 'text',
} as const;

/** The smallest and the largest UUID: every member lies between them. */
const beforeAll = '00000000-0000-0000-0000-000000000000';
const afterAll = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

interface MembersPage extends IdPage {
  tenant: string;
  groupIds: readonly string[];
}

/** A page of each group's members, in the order of their ids. */
export const membersOf = composedStatement({
  name: 'memberships.page of members',
  reason: 'set',
  columns: member,
  compose: ({ tenant, groupIds, ...page }: MembersPage) => {
    const { beyond, order } = wayOf(page);
    const start = page.position ?? (beyond === '>' ? beforeAll : afterAll);
    return {
      text: `SELECT page.group_id AS "groupId", page.id, page.type, page.added_at AS "addedAt",
              coalesce(u.display_name, u.user_name, g.display_name) AS display
       FROM (
         SELECT asked.id AS group_id, member.* FROM unnest($2::uuid[]) AS asked(id)
         CROSS JOIN LATERAL (
           SELECT member_id AS id, 'User'::text AS type, added_at FROM directory.user_memberships
           WHERE tenant = $1 AND group_id = asked.id AND member_id ${beyond} $3::uuid
           UNION ALL
           SELECT member_id AS id, 'Group' AS type, added_at FROM directory.group_memberships
           WHERE tenant = $1 AND group_id = asked.id AND member_id ${beyond} $3::uuid
           ORDER BY id ${order} LIMIT $4
         ) member
       ) page
       LEFT JOIN directory.users u ON page.type = 'User' AND u.tenant = $1 AND u.id = page.id
       LEFT JOIN directory.groups g ON page.type = 'Group' AND g.tenant = $1 AND g.id = page.id
       ORDER BY page.group_id, page.id ${order}`,
      values: [tenant, groupIds, start, page.limit],
    };
  },
  examples: (): MembersPage[] => [
    { tenant: 'demo', groupIds: [], limit: 1, direction: 'forward' },
    { tenant: 'demo', groupIds: [], limit: 1, direction: 'backward' },
  ],
});

export const membersOfGroups = statement({
  name: 'memberships.members of groups',
  reason: 'set',
  text: `SELECT m.group_id AS "groupId", m.member_id AS id, 'User' AS type, m.added_at AS "addedAt",
           coalesce(u.display_name, u.user_name) AS display
         FROM directory.user_memberships m JOIN directory.users u ON u.tenant = m.tenant AND u.id = m.member_id
         WHERE m.tenant = $tenant AND m.group_id = ANY($groupIds::uuid[])
         UNION ALL
         SELECT m.group_id, m.member_id, 'Group', m.added_at, g.display_name
         FROM directory.group_memberships m JOIN directory.groups g ON g.tenant = m.tenant AND g.id = m.member_id
         WHERE m.tenant = $tenant AND m.group_id = ANY($groupIds::uuid[])
         ORDER BY id LIMIT $limit`,
  parameters: { tenant: 'text', groupIds: 'uuid[]', limit: 'int8?' },
  columns: member,
});

export const countMembers = statement({
  name: 'memberships.count',
  reason: 'set',
  text: `SELECT group_id AS "groupId", count(*)::int4 AS total FROM (
           SELECT group_id FROM directory.user_memberships WHERE tenant = $tenant AND group_id = ANY($groupIds::uuid[])
           UNION ALL
           SELECT group_id FROM directory.group_memberships WHERE tenant = $tenant AND group_id = ANY($groupIds::uuid[])
         ) members GROUP BY group_id`,
  parameters: { tenant: 'text', groupIds: 'uuid[]' },
  columns: { groupId: 'uuid', total: 'int4' },
});
