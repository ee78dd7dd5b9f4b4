export { createInteractions, type Interactions } from './interactions.ts';
export {
  type ActingSession,
  endSession,
  endSessionsOfTenant,
  holdSession,
  liveEvents,
  pruneSessions,
  type SessionSummary,
  tellSubscribers,
  wantsLogouts,
} from './sessions.ts';
