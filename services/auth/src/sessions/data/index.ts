export { createInteractions, type Interactions } from './interactions.ts';
export {
  type ActingSession,
  liveEvents,
  pruneSessions,
  type SessionSummary,
  tellSubscribers,
  wantsLogouts,
} from './sessions.ts';
