export type { TenantLoaders } from './loaders.ts';
export { policyMutations, policyQueries } from './tenant-policy.ts';
export { tenantMutations, tenantQueries, tenantResolvers } from './tenants.ts';
