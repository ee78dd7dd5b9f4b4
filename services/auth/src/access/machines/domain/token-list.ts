import type { IdPage } from '@ostiary/service';
import type { OwnerFilter } from '../../ownership/domain/credential-owner.ts';
/** A token as its owner sees it, without its value. */
export interface ApiTokenSummary {
  id: string;
  /** User or service account that owns the token. */
  ownerId: string;
  name: string;
  /** Last characters of the token, to distinguish it. */
  hint: string;
  scopes: string[];
  createdAt: Date;
  expiresAt: Date;
  lastUsedAt: Date | null;
}

export interface TokenFilter {
  /** User or service account that owns the token. */
  of?: string;
  /** Owner of the API key. */
  owned?: OwnerFilter;
  expiresBefore?: Date;
  /** Time since which the token was not used. */
  unusedSince?: Date;
}

export type TokenOwner = 'subject_id' | 'service_account_id';

/** Lists of live personal access tokens (`subject_id`) and API keys (`service_account_id`), for administrators. */
export interface TokenList {
  /** Returns one page of a tenant's tokens, newest first. */
  page(tenant: string, owner: TokenOwner, filter: TokenFilter, page: IdPage): Promise<ApiTokenSummary[]>;
  count(tenant: string, owner: TokenOwner, filter: TokenFilter): Promise<number>;
  byIds(tenant: string, owner: TokenOwner, ids: readonly string[]): Promise<ApiTokenSummary[]>;
}
