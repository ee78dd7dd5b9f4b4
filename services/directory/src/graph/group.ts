import { countedPageById, type PagingArguments } from '@ostiary/graph';
import type { Member } from '../data/memberships.ts';
import type { StoredResource } from '../data/rows.ts';
import { extensionResolvers } from './extensions.ts';
import type { FieldResolvers } from './loaders.ts';
import { externalIds } from './user.ts';

export const groupResolvers: FieldResolvers = {
  ...extensionResolvers('Group'),
  displayName: (group: StoredResource) => group.data.displayName,
  externalIds,
  members: (group: StoredResource, input: PagingArguments, { loaders }) =>
    countedPageById(input, {
      kind: 'members',
      rows: (page) => loaders.members(page).load(group.id),
      total: async () => (await loaders.memberCount.load(group.id))?.total ?? 0,
    }),
};

export const groupMemberResolvers: FieldResolvers = {
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
