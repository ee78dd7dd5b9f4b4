import { batchMany, batchOne, type DataLoader, type Resolver } from '@ostiary/graph';
import type { IdPage } from '@ostiary/service';
import type { ConferringLoaders } from '../../resources/graph/conferring.ts';
import type { ExtensionLoaders } from '../../resources/graph/extensions.ts';
import type { SharedNames, StoredResource } from '../../resources/index.ts';
import type { SchemasInUse } from '../../schemas/index.ts';
import type { Groups } from '../domain/groups.ts';
import type { GroupsPage, MemberOfGroup, MembershipReader, PlacedGroup } from '../domain/memberships.ts';

/** The operations on the groups of a tenant that the graph needs. */
export interface GroupTenant {
  readonly groups: Groups;
  readonly groupNames: SharedNames;
  readonly schemasInUse: SchemasInUse;
  readonly memberships: MembershipReader;
}

export interface GroupLoaders extends ConferringLoaders, ExtensionLoaders {
  directory(): Promise<GroupTenant>;
  groups: DataLoader<string, StoredResource | null>;
  /** Users, as members. */
  users: DataLoader<string, StoredResource | null>;
  /** By user id; one loader for each page in the query. */
  groupsOfUser(page: GroupsPage): DataLoader<string, PlacedGroup[]>;
  /** Clears the loaded groups of users after a change. */
  forgetGroupsOfUsers(): void;
  /** By group id; one loader for each page in the query. */
  members(page: IdPage): DataLoader<string, MemberOfGroup[]>;
  memberCount: DataLoader<string, { groupId: string; total: number } | null>;
}

export type GroupResolvers = Record<string, Resolver<GroupLoaders>>;

export function groupLoaders(
  tenant: () => Promise<GroupTenant>,
): Pick<GroupLoaders, 'groups' | 'groupsOfUser' | 'forgetGroupsOfUsers' | 'members' | 'memberCount'> {
  const memberPages = new LoadersByPage<MemberOfGroup[]>();
  const groupPages = new LoadersByPage<PlacedGroup[]>();
  return {
    groups: batchOne(
      async (ids) => (await tenant()).groups.readMany(ids),
      (group) => group.id,
    ),
    groupsOfUser: (page) =>
      groupPages.get(JSON.stringify(page), () =>
        batchMany(
          async (ids) => (await tenant()).memberships.pageOfGroups(ids, page),
          (membership) => membership.userId,
        ),
      ),
    forgetGroupsOfUsers: () => groupPages.clear(),
    members: (page) =>
      memberPages.get(`${page.direction} ${page.limit} ${page.position ?? ''}`, () =>
        batchMany(
          async (ids) => (await tenant()).memberships.membersOf(ids, page),
          (member) => member.groupId,
        ),
      ),
    memberCount: batchOne(
      async (ids) => {
        const counts = await (await tenant()).memberships.countMembers(ids);
        return [...counts].map(([groupId, total]) => ({ groupId, total }));
      },
      (count) => count.groupId,
    ),
  };
}

/** The loaders of one request, one for each page in its query. */
class LoadersByPage<T> {
  readonly #made = new Map<string, DataLoader<string, T>>();

  get(page: string, make: () => DataLoader<string, T>): DataLoader<string, T> {
    const known = this.#made.get(page) ?? make();
    this.#made.set(page, known);
    return known;
  }

  clear(): void {
    this.#made.clear();
  }
}
