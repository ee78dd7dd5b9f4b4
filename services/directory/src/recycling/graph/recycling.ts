import { countedPageById, type PagingArguments } from '@ostiary/graph';
import type { DirectoryContext, FieldResolvers } from '../../composition/loaders.ts';
import type { ResourceType } from '../../resources/data/rows.ts';
import { change, type Input, type Versioned } from '../../resources/graph/changes.ts';
import type { DeletedResource } from '../data/deleted-resources.ts';

const list =
  (type: ResourceType) => async (_root: unknown, input: PagingArguments, context: DirectoryContext) => {
    const { recycling } = await context.loaders.directory();
    return countedPageById(input, {
      kind: `deleted${type}s`,
      rows: (page) => recycling.page(type, page),
      total: () => recycling.count(type),
    });
  };

const purge =
  (type: ResourceType) =>
  async (_root: unknown, { input }: Input<Versioned>, context: DirectoryContext) => {
    const { recycling } = await context.loaders.directory();
    await recycling.purge({ type, ...change(input, context) });
    return { id: input.id };
  };

export const recyclingQueries: FieldResolvers = { deletedUsers: list('User'), deletedGroups: list('Group') };

export const recyclingMutations: FieldResolvers = {
  restoreUser: async (_root, { input }: Input<Versioned>, context) => {
    const { recycling } = await context.loaders.directory();
    const user = await recycling.restore({ type: 'User', ...change(input, context) });
    context.loaders.users.clear(user.id).prime(user.id, user);
    context.loaders.forgetGroupsOfUsers();
    return { user };
  },
  restoreGroup: async (_root, { input }: Input<Versioned>, context) => {
    const { recycling } = await context.loaders.directory();
    const group = await recycling.restore({ type: 'Group', ...change(input, context) });
    context.loaders.groups.clear(group.id).prime(group.id, group);
    context.loaders.forgetGroupsOfUsers();
    return { group };
  },
  purgeUser: purge('User'),
  purgeGroup: purge('Group'),
};

export const deletedResourceResolvers: FieldResolvers = {
  resourceId: ({ id }: DeletedResource) => id,
  name: ({ type, data }: DeletedResource) => (type === 'User' ? data.userName : data.displayName),
  deletedBy: ({ actor }: DeletedResource) => actor,
};
