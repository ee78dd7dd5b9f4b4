export { HeardTenantChanges, pruneTenantChanges } from './tenant-changes.ts';
