import type { Member } from '../data/memberships.ts';
import type { StoredResource } from '../data/rows.ts';
import { extensionResolvers } from './extensions.ts';
import type { FieldResolvers } from './loaders.ts';
import { type PageInput, pageById } from './pages.ts';
import { externalIds } from './user.ts';

export const groupResolvers: FieldResolvers = {
  ...extensionResolvers('Group'),
  displayName: (group: StoredResource) => group.data.displayName,
  externalIds,
  members: (group: StoredResource, input: PageInput, { loaders }) =>
    pageById(input, {
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
};
