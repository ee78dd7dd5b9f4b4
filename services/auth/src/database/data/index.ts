export { Conditions } from './conditions.ts';
export type { Connection } from './connection.ts';
export { countRows } from './count.ts';
export { defined, stretchOf } from './stretch.ts';
