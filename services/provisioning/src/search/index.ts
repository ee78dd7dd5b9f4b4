export { pageLimits } from './domain/query.ts';
