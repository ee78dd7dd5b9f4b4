export { SessionIdentifiers } from './sessions/domain/session-identifier.ts';
export type { ActingSession, LiveSession } from './sessions/domain/session-store.ts';
export { SecondFactors } from './sign-in/domain/second-factors.ts';
