export { createBrandings } from './branding.ts';
export { PostgresTenantStatistics } from './tenant-figures.ts';
export { RegisteredWebOrigins } from './web-origins.ts';
