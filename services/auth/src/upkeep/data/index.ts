export { pruneExpired } from './retention.ts';
