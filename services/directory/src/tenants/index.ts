export type { Tenant } from './domain/tenant.ts';
export { TenantPolicies } from './domain/tenant-policy.ts';
export { TenantRegistry } from './domain/tenants.ts';
