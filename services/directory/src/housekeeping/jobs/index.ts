export { startHousekeeping } from './housekeeping.ts';
