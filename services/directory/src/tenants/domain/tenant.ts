import type { TenantPolicySettings } from '@ostiary/events';
import type { IdPage } from '@ostiary/service';
import type { ChangeRecorder } from '../../audit/index.ts';

export type TenantStatus = 'active' | 'suspended';

/** Whether deleted resources can be restored for a period. */
export type DeletionPolicy = 'hard' | 'soft';

export interface Tenant {
  /** The slug in the issuer's URL. */
  id: string;
  name: string;
  status: TenantStatus;
  deletionPolicy: DeletionPolicy;
  /** Days for which entries of the audit log are kept; null for no limit. */
  auditRetentionDays: number | null;
  policy: StoredPolicy;
  version: number;
  createdAt: Date;
  updatedAt: Date;
}

/** A tenant's own settings. */
export interface StoredPolicy {
  settings: TenantPolicySettings;
  /** Incremented by every change; 0 before the first. */
  version: number;
  updatedAt: Date | null;
}

export interface TenantFilter {
  status?: TenantStatus;
  /** A part of its id or name, in any case. */
  text?: string;
}

/** The tenants of the installation, for reading. */
export interface TenantReader {
  find(id: string): Promise<Tenant | undefined>;
  /** Returns all tenants, by id. */
  list(): Promise<Tenant[]>;
  /** Returns a page in the order of ids. */
  page(filter: TenantFilter, page: IdPage): Promise<Tenant[]>;
  count(filter: TenantFilter): Promise<number>;
}

/** One tenant's own data, inside a transaction. */
export interface TenantSettings {
  /** @throws NotUniqueValue when the id is taken */
  insert(tenant: Tenant): Promise<void>;
  /** Locks it until the transaction ends. */
  lock(): Promise<Tenant | undefined>;
  update(tenant: Tenant): Promise<void>;
  updatePolicy(tenant: Tenant): Promise<void>;
}

/** The tables that a change of a tenant needs inside a transaction. */
export interface SettingsTables extends ChangeRecorder {
  settings: TenantSettings;
  users: { find(id: string): Promise<{ data: { active?: unknown } } | undefined> };
  groups: { find(id: string): Promise<object | undefined> };
}

/** Runs `work` in one transaction of a tenant; it may run again after a deadlock. */
export type ChangeOfTenant = <T>(tenant: string, work: (tables: SettingsTables) => Promise<T>) => Promise<T>;
