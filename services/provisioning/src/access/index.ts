export { type Caller, ownerOf } from './domain/caller.ts';
