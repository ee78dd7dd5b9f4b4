export type { GroupNameStore, GroupNameTables, SharedGroupNames } from './domain/group-names.ts';
export { mustBeFreeName } from './domain/group-names.ts';
export { Groups, removeFromAllGroups } from './domain/groups.ts';
export type {
  GroupOfUser,
  GroupsPage,
  MemberOfGroup,
  MembershipReader,
  MembershipStore,
  PlacedGroup,
} from './domain/memberships.ts';
export type { DeletionStore, GroupStore, GroupTables, MembershipTables } from './domain/ports.ts';
export { groupSnapshot } from './domain/snapshot.ts';
