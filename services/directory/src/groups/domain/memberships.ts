import type { IdPage } from '@ostiary/service';
import type { ReferenceStore } from '../../resources/index.ts';
import type { ResourceType } from '../../schemas/index.ts';

/** A member of a group, with its displayed fields. */
export interface Member {
  id: string;
  type: ResourceType;
  /** Display name, or the userName of a user without one. */
  display: string;
  addedAt: Date;
}

export interface MemberOfGroup extends Member {
  groupId: string;
}

/** A group of a user, direct or through another group. */
export interface GroupOfUser {
  userId: string;
  id: string;
  display: string;
  direct: boolean;
}

/** A page of the groups of each user, in the order of their names. */
export interface GroupsPage {
  limit: number;
  direction: 'forward' | 'backward';
  /** Key and id of the group after which the page starts. */
  position?: { key: string; id: string } | undefined;
}

/** A group of a user, with its sort key: the folded name. */
export interface PlacedGroup extends GroupOfUser {
  key: string;
  /** Number of the user's groups. */
  total: number;
}

/** Members of a plan by type. */
export interface MemberIds {
  users: readonly string[];
  groups: readonly string[];
}

/** The effect of a statement: the number of changed members, and the ids of the first `reportedMembers`. */
export interface MemberDelta {
  total: number;
  ids: string[];
}

/** Maximum number of changed members that an event or audit entry names; further ones are only counted. */
export const reportedMembers = 1000;

/** The memberships of one tenant, for reading. */
export interface MembershipReader extends ReferenceStore {
  /**
   * Returns the direct and indirect groups of users, in the order of their names.
   * @throws TooMuchToShow when there are more than `most`
   */
  groupsOfUsers(userIds: readonly string[], most?: number): Promise<GroupOfUser[]>;
  /** Returns a page of the direct and indirect groups of each user. */
  pageOfGroups(userIds: readonly string[], page: GroupsPage): Promise<PlacedGroup[]>;
  /** Returns a page of each group's members, in the order of their ids. */
  membersOf(groupIds: readonly string[], page: IdPage): Promise<MemberOfGroup[]>;
  /** Returns all members of several groups. @throws TooMuchToShow when there are more than `most` */
  membersOfGroups(groupIds: readonly string[], most?: number): Promise<Map<string, Member[]>>;
  /** Counts the members of each group. */
  countMembers(groupIds: readonly string[]): Promise<Map<string, number>>;
}

/** The memberships inside a transaction, with changes. */
export interface MembershipStore extends MembershipReader {
  /** Prevents changes to the nesting of groups in this tenant by other transactions until this one ends. */
  lockNesting(): Promise<void>;
  /** Returns the groups that contain the group, at any depth. */
  ancestorsOf(groupId: string): Promise<string[]>;
  /** Adds the members that are missing. @throws ScimError invalidValue when one was deleted concurrently */
  add(groupId: string, members: MemberIds, at: Date): Promise<MemberDelta>;
  remove(groupId: string, ids: readonly string[]): Promise<MemberDelta>;
  /** Removes all members except those named. */
  retain(groupId: string, ids: readonly string[]): Promise<MemberDelta>;
  /** Returns the direct groups of a user or group. */
  directGroupsOf(memberId: string): Promise<string[]>;
  /** Removes a user or group from every group. @returns the former groups */
  removeEverywhere(memberId: string): Promise<string[]>;
}
