export { type Feature, sections } from './feature.ts';
export { TenantLink } from './tenant-link.tsx';
export { rootRoute, tenantRoute } from './tenant-route.ts';
