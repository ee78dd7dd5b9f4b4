import type { NewEvent, TenantPolicySettings } from '@ostiary/events';
import type { IdPage } from '@ostiary/service';
import type { ChangeRecorder, NewAuditEntry } from '../../audit/index.ts';

export type TenantStatus = 'active' | 'suspended';

/** Whether what is deleted can be restored for a while. */
export type DeletionPolicy = 'hard' | 'soft';

export interface Tenant {
  /** The slug in the issuer's URL. */
  id: string;
  name: string;
  status: TenantStatus;
  deletionPolicy: DeletionPolicy;
  /** Days for which entries of the audit log are kept; all of them when null. */
  auditRetentionDays: number | null;
  policy: StoredPolicy;
  version: number;
  createdAt: Date;
  updatedAt: Date;
}

/** What a tenant set for itself. */
export interface StoredPolicy {
  settings: TenantPolicySettings;
  /** Grows with every change; 0 as long as there was none. */
  version: number;
  updatedAt: Date | null;
}

/** Narrows a list of tenants. */
export interface TenantFilter {
  status?: TenantStatus;
  /** A part of its id or name, in any case. */
  text?: string;
}

/** The tenants of the installation, for reading. */
export interface TenantReader {
  find(id: string): Promise<Tenant | undefined>;
  /** All tenants, by id. */
  list(): Promise<Tenant[]>;
  /** A stretch of the list, which is in the order of the ids. */
  page(filter: TenantFilter, page: IdPage): Promise<Tenant[]>;
  count(filter: TenantFilter): Promise<number>;
}

/** One tenant's own data, inside a transaction. */
export interface TenantSettings {
  /** Holds it until the transaction ends. */
  lock(): Promise<Tenant | undefined>;
  update(tenant: Tenant): Promise<void>;
  updatePolicy(tenant: Tenant): Promise<void>;
}

/** What a change of a tenant needs inside a transaction. */
export interface TenantTables extends ChangeRecorder {
  settings: TenantSettings;
  users: { find(id: string): Promise<{ data: { active?: unknown } } | undefined> };
  groups: { find(id: string): Promise<object | undefined> };
}

/** Where changes of one tenant are made. */
export interface TenantChanges {
  of(tenant: string): { change<T>(work: (tables: TenantTables) => Promise<T>): Promise<T> };
}

/** Where all tenants are kept. */
export interface TenantStore extends TenantChanges {
  readonly tenants: TenantReader;
  /** Adds a tenant together with what is recorded about it. @throws NotUniqueValue when the id is taken */
  createTenant(tenant: Tenant, entry: NewAuditEntry, event: NewEvent): Promise<void>;
}
