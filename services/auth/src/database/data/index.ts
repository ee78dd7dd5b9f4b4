export { Conditions } from './conditions.ts';
export { countRows } from './count.ts';
