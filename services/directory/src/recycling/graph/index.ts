export type { RecyclingLoaders } from './loaders.ts';
export { deletedResourceResolvers, recyclingMutations, recyclingQueries } from './recycling.ts';
