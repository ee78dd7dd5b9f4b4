export {
  type Acr,
  type Authentication,
  acrValues,
  authenticationOf,
  type Method,
  satisfiesAcr,
} from './domain/authentication-context.ts';
export { passwordMark } from './domain/password-mark.ts';
export { SessionIdentifiers } from './domain/session-identifier.ts';
export type { SessionList } from './domain/session-list.ts';
export type { Sessions } from './domain/session-revocation.ts';
export type {
  ActingSession,
  ActingToken,
  LiveSession,
  SessionLocks,
} from './domain/session-store.ts';
export { SessionRegister, type SignInProof, type StartedSession } from './domain/sessions.ts';
