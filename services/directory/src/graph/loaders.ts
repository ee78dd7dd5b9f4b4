import { platformTenant } from '@ostiary/access';
import {
  badUserInput,
  batchMany,
  batchOne,
  type DataLoader,
  type GraphContext,
  type LoaderScope,
  type Resolver,
} from '@ostiary/graph';
import type { GroupOfUser, MemberOfGroup } from '../data/memberships.ts';
import type { StoredResource } from '../data/rows.ts';
import type { Directory, MemberPage, TenantDirectory } from '../domain/directory.ts';

/** What the resolvers of one request read with: bound to the caller's tenant, one statement for many keys. */
export interface DirectoryLoaders {
  directory(): Promise<TenantDirectory>;
  users: DataLoader<string, StoredResource | null>;
  groups: DataLoader<string, StoredResource | null>;
  groupsOfUser: DataLoader<string, GroupOfUser[]>;
  /** By group id; one loader for each page that the query asks for. */
  members(page: MemberPage): DataLoader<string, MemberOfGroup[]>;
  memberCount: DataLoader<string, { groupId: string; total: number } | null>;
}

export type DirectoryContext = GraphContext<DirectoryLoaders>;

/** Resolvers of a type's fields. */
export type FieldResolvers = Record<string, Resolver<DirectoryLoaders>>;

export function directoryLoaders(directory: Directory): (scope: LoaderScope) => DirectoryLoaders {
  return ({ tenant }) => {
    const bound = async (): Promise<TenantDirectory> => {
      if (tenant === platformTenant) {
        throw badUserInput("This token is in no tenant: ask for one for the tenant's own graph.");
      }
      return directory.of(tenant);
    };
    const memberPages = new Map<string, DataLoader<string, MemberOfGroup[]>>();
    return {
      directory: bound,
      users: batchOne(
        async (ids) => (await bound()).users.readMany(ids),
        (user) => user.id,
      ),
      groups: batchOne(
        async (ids) => (await bound()).groups.readMany(ids),
        (group) => group.id,
      ),
      groupsOfUser: batchMany(
        async (ids) => (await bound()).groupsOfUsers(ids),
        (membership) => membership.userId,
      ),
      members: (page) => {
        const key = `${page.limit} ${page.after ?? ''}`;
        const loader =
          memberPages.get(key) ??
          batchMany(
            async (ids) => (await bound()).membersOf(ids, page),
            (member) => member.groupId,
          );
        memberPages.set(key, loader);
        return loader;
      },
      memberCount: batchOne(
        async (ids) => {
          const counts = await (await bound()).countMembers(ids);
          return [...counts].map(([groupId, total]) => ({ groupId, total }));
        },
        (count) => count.groupId,
      ),
    };
  };
}
