export { idempotentMutations } from './idempotent-mutations.ts';
