export { PersistedQueryCache } from './persisted-queries.ts';
