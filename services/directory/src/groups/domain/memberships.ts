import type { IdPage } from '@ostiary/service';
import type { ReferenceStore } from '../../resources/index.ts';
import type { ResourceType } from '../../schemas/index.ts';

/** A member of a group, with what a reader wants to see of it. */
export interface Member {
  id: string;
  type: ResourceType;
  /** Display name, or the userName of a user without one. */
  display: string;
  addedAt: Date;
}

/** A member, with the group it is one of. */
export interface MemberOfGroup extends Member {
  groupId: string;
}

/** A group a user belongs to: directly, or through another group. */
export interface GroupOfUser {
  userId: string;
  id: string;
  display: string;
  direct: boolean;
}

/** A stretch of the groups of each user, which are in the order of their names. */
export interface GroupsPage {
  limit: number;
  direction: 'forward' | 'backward';
  /** Key and id of the group beyond which the page starts. */
  position?: { key: string; id: string } | undefined;
}

/** A group of a user, with what orders it: its name, folded. */
export interface PlacedGroup extends GroupOfUser {
  key: string;
  /** Number of groups that the user is in. */
  total: number;
}

/** Members of a plan by their type. */
export interface MemberIds {
  users: readonly string[];
  groups: readonly string[];
}

/** What a statement changed: how many, and the ids of the first `reportedMembers`. */
export interface MemberDelta {
  total: number;
  ids: string[];
}

/** How many changed members an event or audit entry names before it only counts. */
export const reportedMembers = 1000;

/** The memberships of one tenant, for reading. */
export interface MembershipReader extends ReferenceStore {
  /**
   * Direct and indirect groups of many users, in the order of their names.
   * @throws TooMuchToShow when there are more than `most`
   */
  groupsOfUsers(userIds: readonly string[], most?: number): Promise<GroupOfUser[]>;
  /** A stretch of the direct and indirect groups of each of many users. */
  pageOfGroups(userIds: readonly string[], page: GroupsPage): Promise<PlacedGroup[]>;
  /** A stretch of each group's members, which are in the order of their ids. */
  membersOf(groupIds: readonly string[], page: IdPage): Promise<MemberOfGroup[]>;
  /** All members of several groups. @throws TooMuchToShow when there are more than `most` */
  membersOfGroups(groupIds: readonly string[], most?: number): Promise<Map<string, Member[]>>;
  /** How many members each group has. */
  countMembers(groupIds: readonly string[]): Promise<Map<string, number>>;
}

/** The same inside a transaction, with changes. */
export interface MembershipStore extends MembershipReader {
  /** Until the transaction ends, no other transaction changes which group contains which in this tenant. */
  lockNesting(): Promise<void>;
  /** The groups that contain the group, at any distance. */
  ancestorsOf(groupId: string): Promise<string[]>;
  /** Adds members that aren't there yet. @throws ScimError invalidValue when one has been deleted meanwhile */
  add(groupId: string, members: MemberIds, at: Date): Promise<MemberDelta>;
  remove(groupId: string, ids: readonly string[]): Promise<MemberDelta>;
  /** Removes every member but those named. */
  retain(groupId: string, ids: readonly string[]): Promise<MemberDelta>;
  /** The groups that a user or group is directly in. */
  directGroupsOf(memberId: string): Promise<string[]>;
  /** Removes a user or group from every group. @returns the groups it was in */
  removeEverywhere(memberId: string): Promise<string[]>;
}
