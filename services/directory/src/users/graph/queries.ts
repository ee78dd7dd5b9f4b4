import {
  countedPageById,
  type PagingArguments,
  type ReferenceResolver,
  requirePrincipal,
} from '@ostiary/graph';
import { type ListInput, listOf } from '../../resources/graph/lists.ts';
import type { UserLoaders, UserResolvers } from './loaders.ts';

export const userQueries: UserResolvers = {
  me: (_root, _args, context) => context.loaders.users.load(requirePrincipal(context).subject),

  user: (_root, { id }: { id: string }, { loaders }) => loaders.users.load(id),

  users: async (_root, input: ListInput, { loaders }) => listOf((await loaders.directory()).users, input),

  usersSharingNames: async (_root, input: PagingArguments, { loaders }) => {
    const { sharedUserNames } = await loaders.directory();
    return countedPageById(input, {
      kind: 'usersSharingNames',
      rows: (page) => sharedUserNames.page(page),
      total: () => sharedUserNames.count(),
    });
  },
};

export const userReference: ReferenceResolver<UserLoaders> = ({ id }: { id: string }, { loaders }) =>
  loaders.users.load(id);
