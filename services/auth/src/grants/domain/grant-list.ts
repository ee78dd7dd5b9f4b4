import type { IdPage } from '@ostiary/service';
import type { GrantSummary } from './grant-revocation.ts';

export interface GrantFilter {
  userId?: string;
  /** Only those given in this session. */
  sessionId?: string;
  clientId?: string;
}

/** Lists of live grants, for administrators and whoever gave them. */
export interface GrantList {
  /** A stretch of a tenant's, newest first. */
  page(tenant: string, filter: GrantFilter, page: IdPage): Promise<GrantSummary[]>;
  count(tenant: string, filter: GrantFilter): Promise<number>;
  byIds(tenant: string, ids: readonly string[]): Promise<GrantSummary[]>;
  /** Whose live grant this is, and to which app. */
  owner(tenant: string, grantId: string): Promise<{ subjectId: string; clientId: string } | undefined>;
}
