export { type NodeLoaders, nodeLoaders } from './loaders.ts';
export { nodeQueries } from './nodes.ts';
