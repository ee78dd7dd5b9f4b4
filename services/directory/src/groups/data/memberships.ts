import type { Sql } from '@ostiary/database';
import type { IdPage } from '@ostiary/service';
import { TooMuchToShow } from '../../resources/index.ts';
import type { ResourceType } from '../../schemas/index.ts';
import type {
  GroupOfUser,
  GroupsPage,
  Member,
  MemberDelta,
  MemberIds,
  MemberOfGroup,
  MembershipStore,
  PlacedGroup,
} from '../domain/memberships.ts';
import * as statements from './membership-statements.ts';

const nothing: MemberDelta = { total: 0, ids: [] };

/**
 * The memberships of one tenant. Every change is a set operation on exactly the named members: its cost does not
 * depend on the size of the group.
 */
export class Memberships implements MembershipStore {
  readonly #sql: Sql;
  readonly #tenant: string;

  constructor(sql: Sql, tenant: string) {
    this.#sql = sql;
    this.#tenant = tenant;
  }

  /**
   * Returns the type of each existing id. The users cannot be deleted until the transaction ends. To avoid deadlocks,
   * every transaction locks users before groups, each in the order of ids.
   */
  async holdMembers(ids: readonly string[]): Promise<Map<string, ResourceType>> {
    if (ids.length === 0) return new Map();
    const rows = await statements.holdMembers.rows(this.#sql, { tenant: this.#tenant, ids });
    return new Map(rows.map((row) => [row.id, row.type]));
  }

  /** Prevents changes to the nesting of groups in this tenant by other transactions until this one ends. */
  async lockNesting(): Promise<void> {
    await statements.lockNesting.run(this.#sql, { tenant: this.#tenant });
  }

  /** Returns the groups that contain the group, at any depth. */
  async ancestorsOf(groupId: string): Promise<string[]> {
    return idsOf(await statements.ancestorsOf.rows(this.#sql, { tenant: this.#tenant, groupId }));
  }

  /** Adds the members that are missing. @throws a foreign key violation when one was deleted concurrently */
  async add(groupId: string, { users, groups }: MemberIds, at: Date): Promise<MemberDelta> {
    if (users.length + groups.length === 0) return nothing;
    const added = { tenant: this.#tenant, groupId, users, groups, at };
    return (await statements.addMembers.first(this.#sql, added)) ?? nothing;
  }

  async remove(groupId: string, ids: readonly string[]): Promise<MemberDelta> {
    if (ids.length === 0) return nothing;
    const removed = { tenant: this.#tenant, groupId, ids };
    return (await statements.removeMembers.first(this.#sql, removed)) ?? nothing;
  }

  /** Removes all members except those named. */
  async retain(groupId: string, ids: readonly string[]): Promise<MemberDelta> {
    const retained = { tenant: this.#tenant, groupId, ids };
    return (await statements.retainMembers.first(this.#sql, retained)) ?? nothing;
  }

  /** Returns the direct groups of a user or group. */
  async directGroupsOf(memberId: string): Promise<string[]> {
    return idsOf(await statements.directGroupsOf.rows(this.#sql, { tenant: this.#tenant, memberId }));
  }

  /** Removes a user or group from every group. @returns the former groups */
  async removeEverywhere(memberId: string): Promise<string[]> {
    return idsOf(await statements.removeEverywhere.rows(this.#sql, { tenant: this.#tenant, memberId }));
  }

  /**
   * Returns the direct and indirect groups of users, in one statement, in the order of their names.
   * @throws TooMuchToShow when there are more than `most`
   */
  async groupsOfUsers(userIds: readonly string[], most?: number): Promise<GroupOfUser[]> {
    const asked = { tenant: this.#tenant, userIds, limit: oneMoreThan(most) };
    return atMost(most, await statements.groupsOfUsers.rows(this.#sql, asked));
  }

  /** Returns a page of the direct and indirect groups of each user, in one statement. */
  pageOfGroups(
    userIds: readonly string[],
    { limit, direction, position }: GroupsPage,
  ): Promise<PlacedGroup[]> {
    const place = { backward: direction === 'backward', key: position?.key, id: position?.id, limit };
    return statements.pageOfGroups.rows(this.#sql, { tenant: this.#tenant, userIds, ...place });
  }

  /** Returns a page of each group's members, in the order of their ids, in one statement. */
  membersOf(groupIds: readonly string[], page: IdPage): Promise<MemberOfGroup[]> {
    return statements.membersOf.rows(this.#sql, { ...page, tenant: this.#tenant, groupIds });
  }

  /** Returns all members of several groups, in one statement. @throws TooMuchToShow when there are more than `most` */
  async membersOfGroups(groupIds: readonly string[], most?: number): Promise<Map<string, Member[]>> {
    const asked = { tenant: this.#tenant, groupIds, limit: oneMoreThan(most) };
    const rows = atMost(most, await statements.membersOfGroups.rows(this.#sql, asked));
    const byGroup = new Map<string, Member[]>();
    for (const { groupId, ...member } of rows) {
      const members = byGroup.get(groupId) ?? [];
      members.push(member);
      byGroup.set(groupId, members);
    }
    return byGroup;
  }

  /** Counts the members of each group, in one statement. */
  async countMembers(groupIds: readonly string[]): Promise<Map<string, number>> {
    const rows = await statements.countMembers.rows(this.#sql, { tenant: this.#tenant, groupIds });
    return new Map(rows.map((row) => [row.groupId, row.total]));
  }
}

const idsOf = (rows: readonly { id: string }[]): string[] => rows.map(({ id }) => id);

/** One row more than the maximum shows that there are too many. */
const oneMoreThan = (most: number | undefined): number | undefined =>
  most === undefined ? undefined : most + 1;

function atMost<T>(most: number | undefined, rows: T[]): T[] {
  if (most !== undefined && rows.length > most) throw new TooMuchToShow();
  return rows;
}
