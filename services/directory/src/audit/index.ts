export { auditContext, type Caller, runWithCaller } from './domain/audit-context.ts';
export {
  type AuditAction,
  type AuditEntry,
  type AuditFilter,
  auditActions,
  type ChangeRecorder,
  type Changes,
  type Counted,
  type NewAuditEntry,
} from './domain/audit-log.ts';
