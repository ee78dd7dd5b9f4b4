import { batchOne, type DataLoader, type Resolver } from '@ostiary/graph';
import type { IdPage } from '@ostiary/service';
import type { AuditEntry, AuditFilter, Counted } from '../domain/audit-log.ts';

/** The audit log of a tenant, as the graph reads it. */
export interface AuditedTenant {
  auditPage(filter: AuditFilter, page: IdPage): Promise<AuditEntry[]>;
  countAudit(filter: AuditFilter): Promise<Counted>;
  /** Returns the existing entries of these ids. */
  auditEntries(ids: readonly string[]): Promise<AuditEntry[]>;
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
    async (ids) => (await tenant()).auditEntries(ids),
    (entry) => entry.id,
  ),
});
