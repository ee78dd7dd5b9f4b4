import type { Sql } from '@ostiary/database';
import type { EffectiveMember, EffectiveMemberStore } from '../domain/ports.ts';

/** The members of groups of one tenant at this moment, nested groups included; each answer as of one snapshot. */
export class EffectiveMembers implements EffectiveMemberStore {
  readonly #sql: Sql;
  readonly #tenant: string;

  constructor(sql: Sql, tenant: string) {
    this.#sql = sql;
    this.#tenant = tenant;
  }

  /** Those of these users who are in any of the groups. */
  async among(groupIds: readonly string[], userIds: readonly string[]): Promise<EffectiveMember[]> {
    const { rows } = await this.#sql.query<EffectiveMember>(
      `WITH RECURSIVE ${below}
       SELECT m.member_id AS id, array_agg(DISTINCT below.root) AS groups
       FROM below JOIN directory.user_memberships m ON m.tenant = $1 AND m.group_id = below.id
       WHERE m.member_id = ANY($3::uuid[]) GROUP BY m.member_id ORDER BY m.member_id`,
      [this.#tenant, groupIds, userIds],
    );
    return rows;
  }

  /** All members of any of the groups, in the order of their ids: those after an id, and how many. */
  async page(
    groupIds: readonly string[],
    { after, limit }: { after: string | undefined; limit: number },
  ): Promise<EffectiveMember[]> {
    // Each group's members come from the index in their order, so that a page costs what it holds and not what the groups hold.
    const { rows } = await this.#sql.query<EffectiveMember>(
      `WITH RECURSIVE ${below}, page AS (
         SELECT DISTINCT member.id FROM (SELECT DISTINCT id FROM below) asked
         CROSS JOIN LATERAL (
           SELECT m.member_id AS id FROM directory.user_memberships m
           WHERE m.tenant = $1 AND m.group_id = asked.id AND m.member_id > $3::uuid ORDER BY m.member_id LIMIT $4
         ) member ORDER BY member.id LIMIT $4
       )
       SELECT page.id, array_agg(DISTINCT below.root) AS groups
       FROM page CROSS JOIN below
       JOIN directory.user_memberships m ON m.tenant = $1 AND m.group_id = below.id AND m.member_id = page.id
       GROUP BY page.id ORDER BY page.id`,
      [this.#tenant, groupIds, after ?? beforeAll, limit],
    );
    return rows;
  }

  /** Those of the groups that have an active member, directly or through others. */
  async attended(groupIds: readonly string[]): Promise<string[]> {
    const { rows } = await this.#sql.query<{ id: string }>(
      `WITH RECURSIVE ${below}
       SELECT DISTINCT below.root AS id FROM below WHERE EXISTS (
         SELECT FROM directory.user_memberships m
           JOIN directory.users u ON u.tenant = m.tenant AND u.id = m.member_id AND u.active
          WHERE m.tenant = $1 AND m.group_id = below.id)`,
      [this.#tenant, groupIds],
    );
    return rows.map((row) => row.id);
  }

  /** Those of these ids that are groups. */
  async groupsAmong(ids: readonly string[]): Promise<string[]> {
    const { rows } = await this.#sql.query<{ id: string }>(
      'SELECT id FROM directory.groups WHERE tenant = $1 AND id = ANY($2::uuid[])',
      [this.#tenant, ids],
    );
    return rows.map((row) => row.id);
  }
}

/** The groups asked about, and all groups in them. */
const below = `below(root, id) AS (
  SELECT g.id, g.id FROM directory.groups g WHERE g.tenant = $1 AND g.id = ANY($2::uuid[])
  UNION
  SELECT below.root, m.member_id FROM below JOIN directory.group_memberships m ON m.tenant = $1 AND m.group_id = below.id
)`;

/** The smallest UUID: every other comes after it. */
const beforeAll = '00000000-0000-0000-0000-000000000000';
