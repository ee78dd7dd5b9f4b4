export { type Continuity, DirectoryContinuity } from './continuity.ts';
