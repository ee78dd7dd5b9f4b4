export { actorOf, actorResolvers } from './actor.ts';
export { auditEntryResolvers, auditQueries } from './audit-log.ts';
export { type AuditLoaders, auditLoaders } from './loaders.ts';
