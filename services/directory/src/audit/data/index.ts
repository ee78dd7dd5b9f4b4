export { AuditLog, pruneAudit } from './audit-log.ts';
export { type Records, recordingStatement, type SqlStatement } from './change-records.ts';
