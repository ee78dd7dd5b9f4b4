import { batchOne, type DataLoader, type Resolver } from '@ostiary/graph';
import type { GroupsPage, PlacedGroup } from '../../groups/index.ts';
import type { ConferringLoaders } from '../../resources/graph/conferring.ts';
import type { ExtensionLoaders } from '../../resources/graph/extensions.ts';
import type { SharedNames, StoredResource } from '../../resources/index.ts';
import type { SchemasInUse } from '../../schemas/index.ts';
import type { Users } from '../domain/users.ts';

/** The operations on the users of a tenant that the graph needs. */
export interface UserTenant {
  readonly users: Users;
  readonly sharedUserNames: SharedNames;
  readonly schemasInUse: SchemasInUse;
}

export interface UserLoaders extends ConferringLoaders, ExtensionLoaders {
  directory(): Promise<UserTenant>;
  users: DataLoader<string, StoredResource | null>;
  /** By user id; one loader for each page in the query. */
  groupsOfUser(page: GroupsPage): DataLoader<string, PlacedGroup[]>;
}

export type UserResolvers = Record<string, Resolver<UserLoaders>>;

export const userLoaders = (tenant: () => Promise<UserTenant>): Pick<UserLoaders, 'users'> => ({
  users: batchOne(
    async (ids) => (await tenant()).users.readMany(ids),
    (user) => user.id,
  ),
});
