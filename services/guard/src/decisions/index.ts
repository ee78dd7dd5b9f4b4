export { type Decision, Decisions, type ProtectedHost } from './domain/decisions.ts';
