export type { SearchIndex } from './domain/search-index.ts';
export { Searches } from './domain/searches.ts';
