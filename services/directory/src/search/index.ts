export { Searches } from './domain/searches.ts';
