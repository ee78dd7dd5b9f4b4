export { userSnapshot } from './domain/snapshot.ts';
