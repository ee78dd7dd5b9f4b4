import type { IdPage, Transaction } from '@ostiary/service';
import type { OwnerFilter } from '../../ownership/domain/credential-owner.ts';

/** A machine identity of a tenant. */
export interface ServiceAccount {
  id: string;
  name: string;
  description: string | null;
  scopes: string[];
  /** Number of revocations of everything issued to it. */
  epoch: number;
  /** Incremented with every change. */
  version: number;
  disabled: boolean;
  createdAt: Date;
}

/** A public key that verifies a service account's assertions (RFC 7523 §2.1). */
export interface ServiceAccountKey {
  id: string;
  serviceAccountId: string;
  kid: string;
  alg: string;
  createdAt: Date;
  /** Null means that the key does not expire. */
  expiresAt: Date | null;
  lastUsedAt: Date | null;
}

export interface ServiceAccountChange {
  name: string;
  description: string | null;
  scopes: readonly string[];
  disabled: boolean;
  /** Starts a new epoch, which ends everything issued so far. */
  nextEpoch: boolean;
}

/** A live key with the scopes of its account. */
export interface AssertionKey {
  id: string;
  alg: string;
  publicJwk: Record<string, unknown>;
  scopes: string[];
  epoch: number;
}

/** The key is already registered for this account. */
export class KeyTaken extends Error {}

export interface ServiceAccountStore {
  /** Returns a service account of this tenant. `lock` locks its row. */
  findServiceAccount(
    sql: Transaction,
    tenant: string,
    id: string,
    o?: { lock?: boolean },
  ): Promise<ServiceAccount | undefined>;
  /** Returns one page of the service accounts in order of creation, and their total number. */
  listServiceAccounts(
    sql: Transaction,
    tenant: string,
    page: IdPage,
    filter?: OwnerFilter,
  ): Promise<{ accounts: ServiceAccount[]; total: number }>;
  insertServiceAccount(
    sql: Transaction,
    tenant: string,
    account: { id: string; name: string; description: string | null; scopes: readonly string[] },
  ): Promise<ServiceAccount>;
  /** Overwrites a service account whose lock the caller holds. */
  updateServiceAccount(
    tx: Transaction,
    tenant: string,
    id: string,
    change: ServiceAccountChange,
  ): Promise<ServiceAccount>;
  /** Deletes a service account with its keys and API keys. */
  deleteServiceAccount(tx: Transaction, tenant: string, id: string): Promise<void>;
  /** @throws KeyTaken */
  insertServiceAccountKey(
    tx: Transaction,
    tenant: string,
    key: {
      id: string;
      serviceAccountId: string;
      kid: string;
      alg: string;
      publicJwk: object;
      expiresAt: Date | null;
    },
  ): Promise<ServiceAccountKey>;
  /** Returns the keys of these accounts, newest first. */
  listServiceAccountKeys(
    sql: Transaction,
    tenant: string,
    accountIds: readonly string[],
  ): Promise<ServiceAccountKey[]>;
  /** Returns the deleted key with its account; undefined when there was no such key. */
  deleteServiceAccountKey(
    tx: Transaction,
    tenant: string,
    id: string,
  ): Promise<{ id: string; serviceAccountId: string; kid: string; alg: string } | undefined>;
  /** Returns a live key of an account that is not disabled. */
  findAssertionKey(
    sql: Transaction,
    tenant: string,
    accountId: string,
    kid: string,
  ): Promise<AssertionKey | undefined>;
}
