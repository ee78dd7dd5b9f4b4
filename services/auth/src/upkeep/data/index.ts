export { postgresNodes } from './nodes.ts';
export { lookForWork, type PendingWork } from './pending-work.ts';
export { pruneExpired } from './retention.ts';
export { createReencryption } from './sealed-columns.ts';
