export type { SharedUserNames, UserStore, UserWithGroups } from './domain/ports.ts';
export { userSnapshot } from './domain/snapshot.ts';
export { Users } from './domain/users.ts';
