export { type Brandings, createBrandings } from './branding.ts';
export { postgresTenants } from './tenants.ts';
export { RegisteredWebOrigins } from './web-origins.ts';
