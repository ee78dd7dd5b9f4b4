import type { Database, Sql, Transaction } from '@ostiary/database';
import type { NewEvent, Outbox } from '@ostiary/events';
import { AuditLog, type NewAuditEntry } from './audit-log.ts';
import type { PrismaClient } from './generated/client.ts';
import { Memberships } from './memberships.ts';
import { ResourceTable } from './resource-table.ts';
import { Search } from './search.ts';
import { type Tenant, Tenants } from './tenants.ts';

/** What a tenant has, for reading. */
export interface TenantTables {
  users: ResourceTable;
  groups: ResourceTable;
  memberships: Memberships;
  search: Search;
  audit: AuditLog;
}

/** What a tenant has, inside a transaction. */
export interface TenantChange extends TenantTables {
  /** Notes what happened; audit entries and events are written just before the commit, in one statement each. */
  record(entry: NewAuditEntry, event: NewEvent): void;
}

/** One tenant's data: the only way to users, groups, memberships and the audit log. */
export interface TenantStore extends TenantTables {
  readonly tenant: string;
  /** Runs `work` in one transaction; it may run again after a deadlock. */
  change<T>(work: (tables: TenantChange) => Promise<T>): Promise<T>;
}

export interface Store {
  readonly tenants: Tenants;
  of(tenant: string): TenantStore;
  /** Adds a tenant together with what is recorded about it. */
  createTenant(tenant: Tenant, entry: NewAuditEntry, event: NewEvent): Promise<void>;
}

export interface StoreOptions {
  database: Database<PrismaClient>;
  outbox: Outbox;
}

export function createStore({ database, outbox }: StoreOptions): Store {
  const tenants = new Tenants(database.prisma);

  const record = async (tx: Transaction, tenant: string, entries: NewAuditEntry[], events: NewEvent[]) => {
    await new AuditLog(tx, tenant).append(entries);
    if (events.length > 0) await outbox.append(tx, events);
  };

  return {
    tenants,
    of: (tenant) => ({
      tenant,
      ...tablesOf(database.sql, tenant),
      change: (work) =>
        database.transaction(async (tx) => {
          const entries: NewAuditEntry[] = [];
          const events: NewEvent[] = [];
          const result = await work({
            ...tablesOf(tx, tenant),
            record(entry, event) {
              entries.push(entry);
              events.push(event);
            },
          });
          await record(tx, tenant, entries, events);
          return result;
        }),
    }),
    async createTenant(tenant, entry, event) {
      await database.transaction(async (tx) => {
        await tenants.insert(tx, tenant);
        await record(tx, tenant.id, [entry], [event]);
      });
    },
  };
}

const tablesOf = (sql: Sql, tenant: string): TenantTables => ({
  users: new ResourceTable(sql, tenant, 'User'),
  groups: new ResourceTable(sql, tenant, 'Group'),
  memberships: new Memberships(sql, tenant),
  search: new Search(sql, tenant),
  audit: new AuditLog(sql, tenant),
});
