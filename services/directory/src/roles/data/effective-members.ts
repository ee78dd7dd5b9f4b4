import { type Connected, statement } from '@ostiary/database';
import type { PrismaClient } from '../../database/generated/client.ts';
import type { EffectiveMember, EffectiveMemberStore, Managers } from '../domain/ports.ts';

/** The given groups, and all groups in them. */
const below = `below(root, id) AS (
  SELECT g.id, g.id FROM directory.groups g WHERE g.tenant = $tenant AND g.id = ANY($groupIds::uuid[])
  UNION
  SELECT below.root, m.member_id FROM below JOIN directory.group_memberships m ON m.tenant = $tenant AND m.group_id = below.id
)`;

const member = { id: 'uuid', groups: 'uuid[]' } as const;

const membersAmong = statement({
  name: 'roles.members among',
  reason: 'set',
  text: `WITH RECURSIVE ${below}
         SELECT m.member_id AS id, array_agg(DISTINCT below.root) AS groups
         FROM below JOIN directory.user_memberships m ON m.tenant = $tenant AND m.group_id = below.id
         WHERE m.member_id = ANY($userIds::uuid[]) GROUP BY m.member_id ORDER BY m.member_id`,
  parameters: { tenant: 'text', groupIds: 'uuid[]', userIds: 'uuid[]' },
  columns: member,
});

/**
 * Each group's members are read from the index in order, so that the cost depends on the page and not on the groups.
 */
const pageOfMembers = statement({
  name: 'roles.page of members',
  reason: 'set',
  text: `WITH RECURSIVE ${below}, page AS (
           SELECT DISTINCT member.id FROM (SELECT DISTINCT id FROM below) asked
           CROSS JOIN LATERAL (
             SELECT m.member_id AS id FROM directory.user_memberships m
             WHERE m.tenant = $tenant AND m.group_id = asked.id AND m.member_id > $after::uuid ORDER BY m.member_id LIMIT $limit
           ) member ORDER BY member.id LIMIT $limit
         )
         SELECT page.id, array_agg(DISTINCT below.root) AS groups
         FROM page CROSS JOIN below
         JOIN directory.user_memberships m ON m.tenant = $tenant AND m.group_id = below.id AND m.member_id = page.id
         GROUP BY page.id ORDER BY page.id`,
  parameters: { tenant: 'text', groupIds: 'uuid[]', after: 'uuid', limit: 'int8' },
  columns: member,
});

const attendedGroups = statement({
  name: 'roles.attended groups',
  reason: 'set',
  text: `WITH RECURSIVE ${below}, managing(id) AS (
           SELECT g.id FROM directory.groups g WHERE g.tenant = $tenant AND g.id = ANY($managerGroups::uuid[])
           UNION
           SELECT m.member_id FROM managing JOIN directory.group_memberships m ON m.tenant = $tenant AND m.group_id = managing.id
         )
         SELECT DISTINCT below.root AS id FROM below WHERE EXISTS (
           SELECT FROM directory.user_memberships m
             JOIN directory.users u ON u.tenant = m.tenant AND u.id = m.member_id AND u.active
            WHERE m.tenant = $tenant AND m.group_id = below.id
              AND ($anyMember OR m.member_id = ANY($managerIds::uuid[]) OR EXISTS (
                SELECT FROM managing JOIN directory.user_memberships r ON r.tenant = $tenant AND r.group_id = managing.id
                 WHERE r.member_id = m.member_id)))`,
  parameters: {
    tenant: 'text',
    groupIds: 'uuid[]',
    anyMember: 'bool',
    managerIds: 'uuid[]',
    managerGroups: 'uuid[]',
  },
  columns: { id: 'uuid' },
});

/** The current members of groups of one tenant, including nested groups. Each result is one snapshot. */
export class EffectiveMembers implements EffectiveMemberStore {
  readonly #sql: Connected<PrismaClient>;
  readonly #tenant: string;

  constructor(sql: Connected<PrismaClient>, tenant: string) {
    this.#sql = sql;
    this.#tenant = tenant;
  }

  /** Returns the given users who are in any of the groups. */
  among(groupIds: readonly string[], userIds: readonly string[]): Promise<EffectiveMember[]> {
    return membersAmong.rows(this.#sql, { tenant: this.#tenant, groupIds, userIds });
  }

  /** Returns a page of the members of any of the groups, in the order of their ids. */
  page(
    groupIds: readonly string[],
    { after = beforeAll, limit }: { after: string | undefined; limit: number },
  ): Promise<EffectiveMember[]> {
    return pageOfMembers.rows(this.#sql, { tenant: this.#tenant, groupIds, after, limit });
  }

  /**
   * Returns the groups that have an active member, direct or through others; with `managers`, one who is among them.
   */
  async attended(groupIds: readonly string[], managers?: Managers): Promise<string[]> {
    const rows = await attendedGroups.rows(this.#sql, {
      tenant: this.#tenant,
      groupIds,
      anyMember: managers === undefined,
      managerIds: managers?.users ?? [],
      managerGroups: managers?.groups ?? [],
    });
    return rows.map(({ id }) => id);
  }

  /** Returns the ids that are groups. */
  async groupsAmong(ids: readonly string[]): Promise<string[]> {
    const prisma = await this.#sql.prisma();
    const rows = await prisma.group.findMany({
      where: { tenant: this.#tenant, id: { in: [...ids] } },
      select: { id: true },
    });
    return rows.map(({ id }) => id);
  }
}

/** The smallest UUID, before all others. */
const beforeAll = '00000000-0000-0000-0000-000000000000';
