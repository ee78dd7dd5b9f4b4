import { countedPageById, type GraphContext, type PagingArguments } from '@ostiary/graph';
import { change, type Input, type Versioned } from '../../resources/graph/changes.ts';
import type { ResourceType } from '../../schemas/index.ts';
import type { DeletedResource } from '../domain/ports.ts';
import type { RecyclingLoaders, RecyclingResolvers } from './loaders.ts';

const list =
  (type: ResourceType) =>
  async (_root: unknown, input: PagingArguments, context: GraphContext<RecyclingLoaders>) => {
    const { recycling } = await context.loaders.directory();
    return countedPageById(input, {
      kind: `deleted${type}s`,
      rows: (page) => recycling.page(type, page),
      total: () => recycling.count(type),
    });
  };

const purge =
  (type: ResourceType) =>
  async (_root: unknown, { input }: Input<Versioned>, context: GraphContext<RecyclingLoaders>) => {
    const { recycling } = await context.loaders.directory();
    await recycling.purge({ type, ...change(input, context) });
    return { id: input.id };
  };

export const recyclingQueries: RecyclingResolvers = {
  deletedUsers: list('User'),
  deletedGroups: list('Group'),
};

export const recyclingMutations: RecyclingResolvers = {
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

export const deletedResourceResolvers: RecyclingResolvers = {
  resourceId: ({ id }: DeletedResource) => id,
  name: ({ type, data }: DeletedResource) => (type === 'User' ? data.userName : data.displayName),
  deletedBy: ({ actor }: DeletedResource) => actor,
};
