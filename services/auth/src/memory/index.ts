export { LoadingCache } from './domain/loading-cache.ts';
export type { TenantChanges } from './domain/tenant-changes.ts';
