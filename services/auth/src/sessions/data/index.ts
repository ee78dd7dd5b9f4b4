export { createInteractions, type Interactions } from './interactions.ts';
export { type ActingSession, liveEvents, pruneSessions, tellSubscribers, wantsLogouts } from './sessions.ts';
export type { SessionSummary } from '../domain/session-list.ts';
