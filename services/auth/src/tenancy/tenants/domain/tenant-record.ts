import type { TenantPolicy } from '@ostiary/events';

export interface TenantRecord {
  id: string;
  name: string;
  status: 'active' | 'suspended';
  /** Effective policy, at most 1 s old. */
  policy: TenantPolicy;
}

export interface Tenants {
  /**
   * Returns a tenant; null if it does not exist. Used by every request, so it answers from a cache, then from the
   * projection, then from the directory. `platform` always exists. @throws ServiceUnavailable when none of them can
   * answer
   */
  find(tenant: string): Promise<TenantRecord | null>;
}
