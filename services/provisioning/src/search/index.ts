export { Cursors } from './domain/cursors.ts';
export { pageLimits } from './domain/query.ts';
