import { countedPageById, notFound, type PagingArguments, type Resolver } from '@ostiary/graph';
import { extensionResolvers } from '../../resources/graph/extensions.ts';
import { externalIds } from '../../resources/graph/external-ids.ts';
import type { StoredResource } from '../../resources/index.ts';
import type { Member, PlacedGroup } from '../domain/memberships.ts';
import type { GroupLoaders, GroupResolvers } from './loaders.ts';

/** A group reached through one of its members. Its other fields are read on request. */
interface GroupOfMember {
  id: string;
  displayName: string;
  /** The member, who may read its name. */
  memberId: string;
}

export const groupOf = ({ id, display, userId }: PlacedGroup): GroupOfMember => ({
  id,
  displayName: display,
  memberId: userId,
});

type Source = StoredResource | GroupOfMember;

/** Resolves a field of the whole group, also where the group was reached through a member. */
const ofWhole =
  (resolve: Resolver<GroupLoaders>): Resolver<GroupLoaders> =>
  async (source: Source, args, context, info) => {
    const group = 'data' in source ? source : await context.loaders.groups.load(source.id);
    // It was deleted in the meantime.
    if (!group) throw notFound('The group');
    return resolve(group as never, args, context, info);
  };

export const groupResolvers: GroupResolvers = {
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

export const groupMemberResolvers: GroupResolvers = {
  memberId: (member: Member) => member.id,
  type: (member: Member) => (member.type === 'User' ? 'USER' : 'GROUP'),
  displayName: (member: Member) => member.display,
  user: (member: Member, _args, { loaders }) =>
    member.type === 'User' ? loaders.users.load(member.id) : null,
  group: (member: Member, _args, { loaders }) =>
    member.type === 'Group' ? loaders.groups.load(member.id) : null,
  member: async ({ id, type }: Member, _args, { loaders }) => {
    const found = await (type === 'User' ? loaders.users : loaders.groups).load(id);
    // A copy, because the objects of loaders are shared.
    return found && { ...found, __typename: type };
  },
};
