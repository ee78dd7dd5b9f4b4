export { AuditLog, pruneAudit } from './audit-log.ts';
export { type Records, recordChanges, recordingStatement } from './change-records.ts';
