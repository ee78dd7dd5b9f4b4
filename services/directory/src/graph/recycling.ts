import { countedPageById, type PagingArguments, requirePrincipal } from '@ostiary/graph';
import type { DeletedResource } from '../data/deleted-resources.ts';
import type { ResourceType } from '../data/rows.ts';
import { actorOf, givingOf } from './actor.ts';
import type { DirectoryContext, FieldResolvers } from './loaders.ts';

interface Input {
  input: { id: string };
}

const list =
  (type: ResourceType) => async (_root: unknown, input: PagingArguments, context: DirectoryContext) => {
    const { recycling } = await context.loaders.directory();
    return countedPageById(input, {
      kind: `deleted${type}s`,
      rows: (page) => recycling.page(type, page),
      total: () => recycling.count(type),
    });
  };

const command = (type: ResourceType, { input }: Input, context: DirectoryContext) => ({
  type,
  id: input.id,
  actor: actorOf(requirePrincipal(context)),
  mayGive: givingOf(requirePrincipal(context)),
});

const purge = (type: ResourceType) => async (_root: unknown, input: Input, context: DirectoryContext) => {
  const { recycling } = await context.loaders.directory();
  await recycling.purge(command(type, input, context));
  return { id: input.input.id };
};

export const recyclingQueries: FieldResolvers = { deletedUsers: list('User'), deletedGroups: list('Group') };

export const recyclingMutations: FieldResolvers = {
  restoreUser: async (_root, input: Input, context) => {
    const { recycling } = await context.loaders.directory();
    const user = await recycling.restore(command('User', input, context));
    context.loaders.users.clear(user.id).prime(user.id, user);
    context.loaders.forgetGroupsOfUsers();
    return { user };
  },
  restoreGroup: async (_root, input: Input, context) => {
    const { recycling } = await context.loaders.directory();
    const group = await recycling.restore(command('Group', input, context));
    context.loaders.groups.clear(group.id).prime(group.id, group);
    context.loaders.forgetGroupsOfUsers();
    return { group };
  },
  purgeUser: purge('User'),
  purgeGroup: purge('Group'),
};

export const deletedResourceResolvers: FieldResolvers = {
  name: ({ type, data }: DeletedResource) => (type === 'User' ? data.userName : data.displayName),
  deletedBy: ({ actor }: DeletedResource) => actor,
};
