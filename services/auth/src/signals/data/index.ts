export { postgresFactCursors, pruneCursors } from './cursors.ts';
export { outwardScans } from './invariants.ts';
export { pruneOutward } from './upkeep.ts';
