export { graphErrors } from './errors.ts';
export { directoryProblem } from './problems.ts';
