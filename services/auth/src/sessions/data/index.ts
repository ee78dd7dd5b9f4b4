export { createInteractions, type Interactions } from './interactions.ts';
export { PostgresSessionList } from './session-list.ts';
export {
  type ActingSession,
  endSession,
  endSessionsOfTenant,
  holdSession,
  liveEvents,
  pruneSessions,
  tellSubscribers,
  wantsLogouts,
} from './sessions.ts';
