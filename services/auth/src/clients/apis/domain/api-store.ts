import type { IdPage, Transaction } from '@ostiary/service';
import type { Api } from './api.ts';

export interface ScopesAndResources {
  scopes: readonly string[];
  resources: readonly string[];
}

/** Scopes and audiences that no client of a tenant may have from now on, and roles that no user and group may have. */
export interface EndedOfApi extends ScopesAndResources {
  /** Names under which the roles are stored (`apiRoleKey`). */
  roles: readonly string[];
  /** All scopes and audiences of the API: tokens of clients with any of them may have the roles. */
  reach: ScopesAndResources;
  /** Tokens of clients with any of the reach, also for themselves, have claims that the API no longer gives. */
  claimsChanged: boolean;
}

/** Rows that changed because a scope or an API ended. */
export interface EndedForApi {
  clients: { clientId: string; epoch: number }[];
  /** Grants that were given for nothing else. */
  grants: { id: string; subjectId: string; clientId: string }[];
}

export interface ApiStore {
  /** Serializes changes of the APIs of a tenant and additions of their scopes to clients until the commit. */
  holdApis(tx: Transaction, tenant: string): Promise<void>;
  /** Prevents changes of one API until the transaction ends. Other APIs and clients do not wait. */
  hold(tx: Transaction, tenant: string, id: string): Promise<void>;
  find(sql: Transaction, tenant: string, id: string): Promise<Api | undefined>;
  ofIds(sql: Transaction, tenant: string, ids: readonly string[]): Promise<Api[]>;
  /** Returns the APIs with any of these scopes, with all their scopes. */
  ofScopes(sql: Transaction, tenant: string, scopes: readonly string[]): Promise<Api[]>;
  /** Returns the APIs with any of these scopes, or with any of these audiences as identifier. */
  reachedBy(sql: Transaction, tenant: string, by: ScopesAndResources): Promise<Api[]>;
  /** Returns a page in order of registration. */
  page(sql: Transaction, tenant: string, page: IdPage): Promise<Api[]>;
  count(sql: Transaction, tenant: string): Promise<number>;
  hasIdentifier(sql: Transaction, tenant: string, identifier: string): Promise<boolean>;
  insert(tx: Transaction, tenant: string, api: Api): Promise<void>;
  /** Replaces the settings and scopes of an API. */
  replace(tx: Transaction, tenant: string, api: Api): Promise<void>;
  delete(tx: Transaction, tenant: string, id: string): Promise<void>;
  /** Removes scopes and audiences from clients, grants and consents, and roles from users and groups. */
  endForApi(tx: Transaction, tenant: string, ended: EndedOfApi): Promise<EndedForApi>;
}
