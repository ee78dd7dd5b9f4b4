export { postgresSecurityLog, pruneSecurityLog, record, recordClause } from './security-log.ts';
