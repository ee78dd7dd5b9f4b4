export { type OwnerLoaders, ownerLoaders } from './loaders.ts';
export { ownershipResolvers, ownerToBe } from './ownership.ts';
