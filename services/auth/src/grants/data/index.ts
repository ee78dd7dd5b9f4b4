export { postgresConsents } from './consents.ts';
export { PostgresGrantList } from './grant-list.ts';
export { PostgresGrantStore } from './grant-store.ts';
export { holdGrant, PostgresGrants } from './grants.ts';
export { lineageStatus } from './token-lineage.ts';
