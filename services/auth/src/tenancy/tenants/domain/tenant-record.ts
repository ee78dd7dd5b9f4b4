import type { TenantPolicy } from '@ostiary/events';

export interface TenantRecord {
  id: string;
  name: string;
  status: 'active' | 'suspended';
  /** Effective policy, at most 1 s old. */
  policy: TenantPolicy;
}
