import { type Sql, wayOf } from '@ostiary/database';
import type { IdPage } from '@ostiary/service';
import { TooMuchToShow } from '../../resources/index.ts';
import type { ResourceType } from '../../schemas/index.ts';
import {
  type GroupOfUser,
  type GroupsPage,
  type Member,
  type MemberDelta,
  type MemberIds,
  type MemberOfGroup,
  type MembershipStore,
  type PlacedGroup,
  reportedMembers,
} from '../domain/memberships.ts';

/** The groups of the users $2 of the tenant $1: those they are in, and those that these are in, at any distance. */
const reached = `reached(user_id, group_id, direct) AS (
  SELECT member_id, group_id, true FROM directory.user_memberships
  WHERE tenant = $1 AND member_id = ANY($2::uuid[])
  UNION
  SELECT reached.user_id, m.group_id, false FROM reached
  JOIN directory.group_memberships m ON m.tenant = $1 AND m.member_id = reached.group_id
)`;

const nothing: MemberDelta = { total: 0, ids: [] };
const changedMembers = `SELECT count(*)::int AS total, coalesce((array_agg(member_id))[1:${reportedMembers}], '{}') AS ids
  FROM (SELECT member_id FROM u UNION ALL SELECT member_id FROM g) changed`;

/**
 * The memberships of one tenant. Every change is a set operation on exactly the members named: its cost
 * doesn't depend on how large the group is.
 */
export class Memberships implements MembershipStore {
  readonly #sql: Sql;
  readonly #tenant: string;

  constructor(sql: Sql, tenant: string) {
    this.#sql = sql;
    this.#tenant = tenant;
  }

  /**
   * The type of each id that exists in this tenant. Users stay in existence until the transaction ends: every transaction
   * takes locks on users before those on groups, and in the order of ids, so that none wait in a ring.
   */
  async holdMembers(ids: readonly string[]): Promise<Map<string, ResourceType>> {
    if (ids.length === 0) return new Map();
    const { rows } = await this.#sql.query<{ id: string; type: ResourceType }>(
      `WITH held AS (
         SELECT id FROM directory.users WHERE tenant = $1 AND id = ANY($2::uuid[]) ORDER BY id FOR KEY SHARE
       )
       SELECT id, 'Group' AS type FROM directory.groups WHERE tenant = $1 AND id = ANY($2::uuid[])
       UNION ALL
       SELECT id, 'User' AS type FROM held`,
      [this.#tenant, ids],
    );
    return new Map(rows.map((row) => [row.id, row.type]));
  }

  /** Until the transaction ends, no other transaction changes which group contains which in this tenant. */
  async lockNesting(): Promise<void> {
    await this.#sql.query(`SELECT pg_advisory_xact_lock(hashtextextended('directory.nesting:' || $1, 0))`, [
      this.#tenant,
    ]);
  }

  /** The groups that contain the group, at any distance. */
  async ancestorsOf(groupId: string): Promise<string[]> {
    const { rows } = await this.#sql.query<{ id: string }>(
      `WITH RECURSIVE above(id) AS (
         SELECT group_id FROM directory.group_memberships WHERE tenant = $1 AND member_id = $2
         UNION
         SELECT m.group_id FROM above JOIN directory.group_memberships m ON m.tenant = $1 AND m.member_id = above.id
       ) SELECT id FROM above`,
      [this.#tenant, groupId],
    );
    return rows.map((row) => row.id);
  }

  /** Adds members that aren't there yet. @throws a foreign key violation when one has been deleted meanwhile */
  async add(groupId: string, members: MemberIds, at: Date): Promise<MemberDelta> {
    if (members.users.length + members.groups.length === 0) return nothing;
    return this.#change(
      `WITH u AS (
         INSERT INTO directory.user_memberships (tenant, group_id, member_id, added_at)
         SELECT $1, $2::uuid, id, $5::timestamptz FROM unnest($3::uuid[]) AS id ORDER BY id ON CONFLICT DO NOTHING RETURNING member_id
       ), g AS (
         INSERT INTO directory.group_memberships (tenant, group_id, member_id, added_at)
         SELECT $1, $2::uuid, id, $5::timestamptz FROM unnest($4::uuid[]) AS id ORDER BY id ON CONFLICT DO NOTHING RETURNING member_id
       ) ${changedMembers}`,
      [this.#tenant, groupId, members.users, members.groups, at],
    );
  }

  async remove(groupId: string, ids: readonly string[]): Promise<MemberDelta> {
    if (ids.length === 0) return nothing;
    return this.#change(
      `WITH u AS (
         DELETE FROM directory.user_memberships
         WHERE tenant = $1 AND group_id = $2 AND member_id = ANY($3::uuid[]) RETURNING member_id
       ), g AS (
         DELETE FROM directory.group_memberships
         WHERE tenant = $1 AND group_id = $2 AND member_id = ANY($3::uuid[]) RETURNING member_id
       ) ${changedMembers}`,
      [this.#tenant, groupId, ids],
    );
  }

  /**
   * Removes every member but those named. Comparing with an array is hashed whatever the planner knows about the
   * tables; an anti-join could become a loop over both lists where statistics are stale.
   */
  async retain(groupId: string, ids: readonly string[]): Promise<MemberDelta> {
    return this.#change(
      `WITH u AS (
         DELETE FROM directory.user_memberships m WHERE m.tenant = $1 AND m.group_id = $2
           AND m.member_id <> ALL($3::uuid[]) RETURNING m.member_id
       ), g AS (
         DELETE FROM directory.group_memberships m WHERE m.tenant = $1 AND m.group_id = $2
           AND m.member_id <> ALL($3::uuid[]) RETURNING m.member_id
       ) ${changedMembers}`,
      [this.#tenant, groupId, ids],
    );
  }

  /** The groups that a user or group is directly in. */
  async directGroupsOf(memberId: string): Promise<string[]> {
    const { rows } = await this.#sql.query<{ group_id: string }>(
      `SELECT group_id FROM directory.user_memberships WHERE tenant = $1 AND member_id = $2
       UNION ALL
       SELECT group_id FROM directory.group_memberships WHERE tenant = $1 AND member_id = $2`,
      [this.#tenant, memberId],
    );
    return rows.map((row) => row.group_id);
  }

  /** Takes a user or group out of every group. @returns the groups it was in */
  async removeEverywhere(memberId: string): Promise<string[]> {
    const { rows } = await this.#sql.query<{ group_id: string }>(
      `WITH u AS (
         DELETE FROM directory.user_memberships WHERE tenant = $1 AND member_id = $2 RETURNING group_id
       ), g AS (
         DELETE FROM directory.group_memberships WHERE tenant = $1 AND member_id = $2 RETURNING group_id
       ) SELECT group_id FROM u UNION ALL SELECT group_id FROM g`,
      [this.#tenant, memberId],
    );
    return rows.map((row) => row.group_id);
  }

  /**
   * Direct and indirect groups of many users, in one statement, in the order of their names.
   * @throws TooMuchToShow when there are more than `most`
   */
  async groupsOfUsers(userIds: readonly string[], most?: number): Promise<GroupOfUser[]> {
    const { rows } = await this.#sql.query<{ user_id: string; id: string; display: string; direct: boolean }>(
      `WITH RECURSIVE ${reached}
       SELECT reached.user_id, g.id, g.display_name AS display, bool_or(reached.direct) AS direct
       FROM reached JOIN directory.groups g ON g.tenant = $1 AND g.id = reached.group_id
       GROUP BY reached.user_id, g.id, g.display_name, g.display_name_key
       ORDER BY g.display_name_key, g.id LIMIT $3`,
      [this.#tenant, userIds, most === undefined ? null : most + 1],
    );
    if (most !== undefined && rows.length > most) throw new TooMuchToShow();
    return rows.map((row) => ({ userId: row.user_id, id: row.id, display: row.display, direct: row.direct }));
  }

  /** A stretch of the direct and indirect groups of each of many users, in one statement. */
  async pageOfGroups(userIds: readonly string[], { limit, after }: GroupsPage): Promise<PlacedGroup[]> {
    const { rows } = await this.#sql.query<PlacedGroup>(
      `WITH RECURSIVE ${reached}, known AS (
         SELECT user_id, group_id, bool_or(direct) AS direct FROM reached GROUP BY user_id, group_id
       )
       SELECT user_id AS "userId", id, display, direct, key FROM (
         SELECT known.user_id, g.id, g.display_name AS display, known.direct, g.display_name_key AS key,
                row_number() OVER (PARTITION BY known.user_id ORDER BY g.display_name_key, g.id) AS position
         FROM known JOIN directory.groups g ON g.tenant = $1 AND g.id = known.group_id
         WHERE $3::text IS NULL OR (g.display_name_key, g.id) > ($3::text, $4::uuid)
       ) placed WHERE position <= $5 ORDER BY user_id, position`,
      [this.#tenant, userIds, after?.key ?? null, after?.id ?? null, limit],
    );
    return rows;
  }

  /** A stretch of each group's members, which are in the order of their ids, in one statement. */
  async membersOf(groupIds: readonly string[], page: IdPage): Promise<MemberOfGroup[]> {
    const { beyond, order } = wayOf(page);
    const start = page.position ?? (beyond === '>' ? beforeAll : afterAll);
    const { rows } = await this.#sql.query<{
      group_id: string;
      id: string;
      type: ResourceType;
      display: string;
      added_at: Date;
    }>(
      `SELECT page.group_id, page.id, page.type, page.added_at,
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
      [this.#tenant, groupIds, start, page.limit],
    );
    return rows.map((row) => ({
      groupId: row.group_id,
      id: row.id,
      type: row.type,
      display: row.display,
      addedAt: row.added_at,
    }));
  }

  /** All members of several groups, in one statement. @throws TooMuchToShow when there are more than `most` */
  async membersOfGroups(groupIds: readonly string[], most?: number): Promise<Map<string, Member[]>> {
    const { rows } = await this.#sql.query<{
      group_id: string;
      id: string;
      type: ResourceType;
      display: string;
      added_at: Date;
    }>(
      `SELECT m.group_id, m.member_id AS id, 'User' AS type, m.added_at, coalesce(u.display_name, u.user_name) AS display
       FROM directory.user_memberships m JOIN directory.users u ON u.tenant = m.tenant AND u.id = m.member_id
       WHERE m.tenant = $1 AND m.group_id = ANY($2::uuid[])
       UNION ALL
       SELECT m.group_id, m.member_id, 'Group', m.added_at, g.display_name
       FROM directory.group_memberships m JOIN directory.groups g ON g.tenant = m.tenant AND g.id = m.member_id
       WHERE m.tenant = $1 AND m.group_id = ANY($2::uuid[])
       ORDER BY id LIMIT $3`,
      [this.#tenant, groupIds, most === undefined ? null : most + 1],
    );
    if (most !== undefined && rows.length > most) throw new TooMuchToShow();
    const byGroup = new Map<string, Member[]>();
    for (const row of rows) {
      const members = byGroup.get(row.group_id) ?? [];
      members.push({ id: row.id, type: row.type, display: row.display, addedAt: row.added_at });
      byGroup.set(row.group_id, members);
    }
    return byGroup;
  }

  /** How many members each group has, in one statement. */
  async countMembers(groupIds: readonly string[]): Promise<Map<string, number>> {
    const { rows } = await this.#sql.query<{ group_id: string; total: number }>(
      `SELECT group_id, count(*)::int AS total FROM (
         SELECT group_id FROM directory.user_memberships WHERE tenant = $1 AND group_id = ANY($2::uuid[])
         UNION ALL
         SELECT group_id FROM directory.group_memberships WHERE tenant = $1 AND group_id = ANY($2::uuid[])
       ) members GROUP BY group_id`,
      [this.#tenant, groupIds],
    );
    return new Map(rows.map((row) => [row.group_id, row.total]));
  }

  async #change(text: string, values: readonly unknown[]): Promise<MemberDelta> {
    const { rows } = await this.#sql.query<MemberDelta>(text, values);
    return rows[0] ?? nothing;
  }
}

/** The smallest UUID: every member comes after it. */
const beforeAll = '00000000-0000-0000-0000-000000000000';
const afterAll = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
