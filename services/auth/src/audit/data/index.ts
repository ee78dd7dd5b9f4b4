export { postgresSecurityLog, record, recorded, recordedParameters, recordingClause } from './recording.ts';
export { PostgresSecurityLogReader, pruneSecurityLog } from './security-log.ts';
