export { beyondReach, requireMayActOn, requireMayActOnHolders, requireMayGive } from './acting.ts';
export { ofActors } from './actors.ts';
export { filterOf, type Given } from './filters.ts';
export { once, termsOf } from './idempotency.ts';
export { type AuthLoaders, authLoaders } from './loaders.ts';
export { withProblems } from './problems.ts';
export { referenceResolvers } from './references.ts';
