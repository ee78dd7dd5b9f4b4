import { countedPageById, notFound, type PagingArguments, type Resolver } from '@ostiary/graph';
import type { DirectoryLoaders, FieldResolvers } from '../../composition/loaders.ts';
import type { StoredResource } from '../../resources/data/rows.ts';
import { extensionResolvers } from '../../resources/graph/extensions.ts';
import { externalIds, type GroupOfMember } from '../../users/graph/user.ts';
import type { Member } from '../data/memberships.ts';

type Source = StoredResource | GroupOfMember;

/** A field of the whole group, also where it was reached through one of its members. */
const ofWhole =
  (resolve: Resolver<DirectoryLoaders>): Resolver<DirectoryLoaders> =>
  async (source: Source, args, context, info) => {
    const group = 'data' in source ? source : await context.loaders.groups.load(source.id);
    // It was there a moment ago.
    if (!group) throw notFound('The group');
    return resolve(group as never, args, context, info);
  };

export const groupResolvers: FieldResolvers = {
  ...Object.fromEntries(
    Object.entries({
      ...extensionResolvers('Group'),
      externalIds,
      version: ({ version }: StoredResource) => version,
      createdAt: ({ createdAt }: StoredResource) => createdAt,
      updatedAt: ({ updatedAt }: StoredResource) => updatedAt,
    }).map(([name, resolve]) => [name, ofWhole(resolve)]),
  ),
  displayName: (group: Source) => ('data' in group ? group.data.displayName : group.displayName),
  members: (group: Source, input: PagingArguments, { loaders }) =>
    countedPageById(input, {
      kind: 'members',
      rows: (page) => loaders.members(page).load(group.id),
      total: async () => (await loaders.memberCount.load(group.id))?.total ?? 0,
    }),
};

export const groupMemberResolvers: FieldResolvers = {
  memberId: (member: Member) => member.id,
  type: (member: Member) => (member.type === 'User' ? 'USER' : 'GROUP'),
  displayName: (member: Member) => member.display,
  user: (member: Member, _args, { loaders }) =>
    member.type === 'User' ? loaders.users.load(member.id) : null,
  group: (member: Member, _args, { loaders }) =>
    member.type === 'Group' ? loaders.groups.load(member.id) : null,
  member: async ({ id, type }: Member, _args, { loaders }) => {
    const found = await (type === 'User' ? loaders.users : loaders.groups).load(id);
    // A copy: what loaders gave is everybody's.
    return found && { ...found, __typename: type };
  },
};
