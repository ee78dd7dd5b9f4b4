import type { IdPage } from '@ostiary/service';
import type { GrantSummary } from './grant-revocation.ts';

export interface GrantFilter {
  userId?: string;
  sessionId?: string;
  clientId?: string;
}

/** Lists live grants, for administrators and for the users who gave them. */
export interface GrantList {
  /** Returns a page of a tenant's grants, newest first. */
  page(tenant: string, filter: GrantFilter, page: IdPage): Promise<GrantSummary[]>;
  count(tenant: string, filter: GrantFilter): Promise<number>;
  byIds(tenant: string, ids: readonly string[]): Promise<GrantSummary[]>;
  owner(tenant: string, grantId: string): Promise<{ subjectId: string; clientId: string } | undefined>;
}
