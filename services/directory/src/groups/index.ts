export type { GroupNameTables, SharedGroupNames } from './domain/group-names.ts';
export { mustBeFreeName } from './domain/group-names.ts';
export { Groups, removeFromAllGroups } from './domain/groups.ts';
export type {
  GroupOfUser,
  GroupsPage,
  MemberOfGroup,
  MembershipReader,
  PlacedGroup,
} from './domain/memberships.ts';
export type { DeletionStore, MembershipTables } from './domain/ports.ts';
export { groupSnapshot } from './domain/snapshot.ts';
