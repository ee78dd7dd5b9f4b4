export { FrequentFilters } from './frequent-filters.ts';
export { Search } from './search.ts';
export { SearchTimes } from './search-time.ts';
