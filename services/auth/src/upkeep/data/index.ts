export { postgresNodes } from './nodes.ts';
export { pruneExpired } from './retention.ts';
