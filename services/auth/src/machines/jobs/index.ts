export { startLastUses } from './last-uses.ts';
