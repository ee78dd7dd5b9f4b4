export { Search } from './search.ts';
export { SearchTimes } from './search-time.ts';
