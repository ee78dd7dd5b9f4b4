export { PostgresSessionList } from './session-list.ts';
export {
  endSession,
  endSessionsOfTenant,
  holdSession,
  liveEvents,
  pruneSessions,
  sessionLocks,
  sessionStore,
  tellSubscribers,
  wantsLogouts,
} from './sessions.ts';
