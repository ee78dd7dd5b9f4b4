export { pruneLinks, resourceLinks } from './links.ts';
export { tenantSettings } from './tenants.ts';
