export type { ActingDependencies, ActingRules } from './acting.ts';
export { ofActors } from './actors.ts';
export { filterOf, type Given } from './filters.ts';
export { type OnceDependencies, once, termsOf } from './idempotency.ts';
export { withProblems } from './problems.ts';
export { byId, mostListed, type Reference, visible } from './references.ts';
