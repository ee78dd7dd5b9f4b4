export { userSnapshot } from './domain/snapshot.ts';
export type { Users } from './domain/users.ts';
