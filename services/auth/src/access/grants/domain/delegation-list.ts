import type { IdPage } from '@ostiary/service';

/** Delegation as shown to users. */
export interface DelegationSummary {
  id: string;
  grantId: string;
  clientId: string;
  subjectId: string;
  scopes: string[];
  audiences: string[];
  createdAt: Date;
  lastUsedAt: Date;
}

export interface DelegationFilter {
  userId?: string;
  clientId?: string;
}

/** Lists active delegations. */
export interface DelegationList {
  /** Returns a page of a tenant's delegations, newest first. */
  page(tenant: string, filter: DelegationFilter, page: IdPage): Promise<DelegationSummary[]>;
  count(tenant: string, filter: DelegationFilter): Promise<number>;
  byIds(tenant: string, ids: readonly string[]): Promise<DelegationSummary[]>;
}
