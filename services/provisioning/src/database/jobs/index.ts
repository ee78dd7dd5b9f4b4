export { type RetentionStep, startHousekeeping } from './housekeeping.ts';
