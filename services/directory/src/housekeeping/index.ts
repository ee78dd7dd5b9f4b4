export { Housekeeping } from './domain/housekeeping.ts';
