export { auditContext } from './domain/audit-context.ts';
export type { AuditAction, ChangeRecorder, Changes, NewAuditEntry } from './domain/audit-log.ts';
