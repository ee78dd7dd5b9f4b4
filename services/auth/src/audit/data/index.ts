export {
  type NewSecurityEvent,
  pruneSecurityLog,
  record,
  recordClause,
  type SecurityAction,
} from './security-log.ts';
