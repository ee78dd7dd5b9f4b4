import type { TenantPolicySettings, TenantSnapshot } from '@ostiary/events';
import type { Transaction } from '@ostiary/service';

export interface TenantState extends TenantSnapshot {
  version: number;
}

export interface TenantSettings {
  /** Writes what an event says of a tenant, unless something newer is known. */
  upsert(tx: Transaction, tenant: TenantState): Promise<void>;
  /** What a tenant set for itself, as far as its events have arrived. */
  policySettings(sql: Transaction, tenant: string): Promise<TenantPolicySettings>;
}
