export { grantResolvers } from './grants.ts';
export { type GrantLoaders, grantLoaders } from './loaders.ts';
