import type { TenantPolicy } from '@ostiary/events';

export interface TenantRecord {
  id: string;
  name: string;
  status: 'active' | 'suspended';
  /** What holds in it, at most a second old. */
  policy: TenantPolicy;
}

export interface Tenants {
  /**
   * Null: no such tenant. On every hot path, so it answers from memory (a miss asks the projection, then the
   * directory). `platform` always exists. Throws ServiceUnavailable when nobody can tell.
   */
  find(tenant: string): Promise<TenantRecord | null>;
}
