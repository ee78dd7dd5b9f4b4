export { createTenant } from './create-tenant.ts';
export { readTenants } from './read-tenants.ts';
