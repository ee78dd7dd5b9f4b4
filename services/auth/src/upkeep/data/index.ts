export { postgresNodes } from './nodes.ts';
export { pruneExpired } from './retention.ts';
export { createReencryption } from './sealed-columns.ts';
