import {
  countedPageById,
  type PagingArguments,
  type ReferenceResolver,
  requirePrincipal,
} from '@ostiary/graph';
import { type ListInput, listOf } from '../../resources/graph/lists.ts';
import type { GroupLoaders, GroupResolvers } from './loaders.ts';

export const groupQueries: GroupResolvers = {
  group: (_root, { id }: { id: string }, { loaders }) => loaders.groups.load(id),

  groups: async (_root, input: ListInput, { loaders }) => listOf((await loaders.directory()).groups, input),

  groupsSharingNames: async (_root, input: PagingArguments, { loaders }) => {
    const { groupNames } = await loaders.directory();
    return countedPageById(input, {
      kind: 'groupsSharingNames',
      rows: (page) => groupNames.page(page),
      total: () => groupNames.count(),
    });
  },
};

/** Resolves null for a caller that may not read the names of groups, so that it cannot test which groups exist. */
export const groupReference: ReferenceResolver<GroupLoaders> = ({ id }: { id: string }, context) => {
  const { scopes } = requirePrincipal(context);
  return scopes.has('groups:read') || scopes.has('users:read') ? context.loaders.groups.load(id) : null;
};
