import { batchOne, type DataLoader, type Resolver } from '@ostiary/graph';
import type { IdPage } from '@ostiary/service';
import type { AuditEntry, AuditFilter, Counted } from '../domain/audit-log.ts';

/** What the graph needs of a tenant to show its audit log. */
export interface AuditedTenant {
  auditPage(filter: AuditFilter, page: IdPage): Promise<AuditEntry[]>;
  countAudit(filter: AuditFilter): Promise<Counted>;
  /** Those of the ids that there are. */
  auditEntries(ids: readonly string[]): Promise<AuditEntry[]>;
}

export interface AuditLoaders {
  directory(): Promise<AuditedTenant>;
  auditEntries: DataLoader<string, AuditEntry | null>;
  /** Users, as actors are shown. */
  users: DataLoader<string, object | null>;
}

/** Resolvers of a type's fields. */
export type AuditResolvers = Record<string, Resolver<AuditLoaders>>;

export const auditLoaders = (tenant: () => Promise<AuditedTenant>): Pick<AuditLoaders, 'auditEntries'> => ({
  auditEntries: batchOne(
    async (ids) => (await tenant()).auditEntries(ids),
    (entry) => entry.id,
  ),
});
