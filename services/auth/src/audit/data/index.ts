export {
  PostgresSecurityLogReader,
  postgresSecurityLog,
  pruneSecurityLog,
  record,
  recordClause,
} from './security-log.ts';
