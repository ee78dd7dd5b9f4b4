export { brandingOf, brandingResolvers } from './branding.ts';
export { tenantResolvers } from './tenant.ts';
