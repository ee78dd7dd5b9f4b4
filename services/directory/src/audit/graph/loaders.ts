import { batchOne, type DataLoader, type Resolver } from '@ostiary/graph';
import type { AuditEntry, AuditTrail } from '../domain/audit-log.ts';

export interface AuditedTenant {
  readonly audit: AuditTrail;
}

export interface AuditLoaders {
  directory(): Promise<AuditedTenant>;
  auditEntries: DataLoader<string, AuditEntry | null>;
  /** Users, as actors. */
  users: DataLoader<string, object | null>;
}

export type AuditResolvers = Record<string, Resolver<AuditLoaders>>;

export const auditLoaders = (tenant: () => Promise<AuditedTenant>): Pick<AuditLoaders, 'auditEntries'> => ({
  auditEntries: batchOne(
    async (ids) => (await tenant()).audit.findMany(ids),
    (entry) => entry.id,
  ),
});
