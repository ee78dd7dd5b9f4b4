export {
  PostgresSecurityLogReader,
  postgresSecurityLog,
  pruneSecurityLog,
  record,
  securityEventClause,
  securityEventParameters,
  securityEventValues,
} from './security-log.ts';
