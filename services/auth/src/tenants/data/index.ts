export { PostgresBrandings } from './branding.ts';
export { PostgresTenantStatistics } from './tenant-figures.ts';
export { postgresTenants } from './tenants.ts';
export { RegisteredWebOrigins } from './web-origins.ts';
