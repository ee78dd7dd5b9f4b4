export { type GroupNameTables, mustBeFreeName } from './domain/group-names.ts';
export { removeFromAllGroups } from './domain/groups.ts';
export type { GroupOfUser, GroupsPage, MembershipReader, PlacedGroup } from './domain/memberships.ts';
export type { DeletionStore, MembershipTables } from './domain/ports.ts';
export { groupSnapshot } from './domain/snapshot.ts';
