export { TenantRow, Tenants } from './tenants.ts';
