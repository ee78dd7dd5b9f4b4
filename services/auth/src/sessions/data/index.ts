export { createInteractions, type Interactions } from './interactions.ts';
export { PostgresSessionList } from './session-list.ts';
export { type ActingSession, liveEvents, pruneSessions, tellSubscribers, wantsLogouts } from './sessions.ts';
