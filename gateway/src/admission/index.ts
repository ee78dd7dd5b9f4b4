export { callerOf } from './domain/caller.ts';
export type { Charged } from './domain/charge.ts';
