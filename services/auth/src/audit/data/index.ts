export {
  PostgresSecurityLogReader,
  postgresSecurityLog,
  pruneSecurityLog,
  record,
  recordClause,
  securityEventClause,
  securityEventParameters,
  securityEventValues,
} from './security-log.ts';
