export { listResources } from './list-resources.ts';
export { searchResources } from './search-resources.ts';
export { searchRoot } from './search-root.ts';
