import type { TenantPolicySettings, TenantSnapshot } from '@ostiary/events';
import type { Transaction } from '@ostiary/service';

export interface TenantState extends TenantSnapshot {
  version: number;
}

export interface TenantSettings {
  /** Stores a tenant from an event, unless a newer version is stored. */
  upsert(tx: Transaction, tenant: TenantState): Promise<void>;
  /** Returns a tenant's own settings from its received events. */
  policySettings(sql: Transaction, tenant: string): Promise<TenantPolicySettings>;
}
