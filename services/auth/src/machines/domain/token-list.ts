import type { IdPage } from '@ostiary/service';
import type { OwnerFilter } from '../../ownership/index.ts';
/** A token as its owner sees it: nothing here opens a door. */
export interface ApiTokenSummary {
  id: string;
  /** The person or service account it is of. */
  ownerId: string;
  name: string;
  /** Its last characters, to tell it from others. */
  hint: string;
  scopes: string[];
  createdAt: Date;
  expiresAt: Date;
  lastUsedAt: Date | null;
}

export interface TokenFilter {
  /** The person or service account that it is of. */
  of?: string;
  /** Whose the API key is. */
  owned?: OwnerFilter;
  expiresBefore?: Date;
  /** Not used since then. */
  unusedSince?: Date;
}

export type TokenOwner = 'subject_id' | 'service_account_id';

/** Lists of live personal access tokens (`subject_id`) and API keys (`service_account_id`), for administrators. */
export interface TokenList {
  /** A stretch of a tenant's, newest first. */
  page(tenant: string, owner: TokenOwner, filter: TokenFilter, page: IdPage): Promise<ApiTokenSummary[]>;
  count(tenant: string, owner: TokenOwner, filter: TokenFilter): Promise<number>;
  byIds(tenant: string, owner: TokenOwner, ids: readonly string[]): Promise<ApiTokenSummary[]>;
}
