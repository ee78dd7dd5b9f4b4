import type { IdPage, Transaction } from '@ostiary/service';
import type { OwnerFilter } from '../../ownership/index.ts';

/** A program's own account in a tenant. */
export interface ServiceAccount {
  id: string;
  name: string;
  description: string | null;
  scopes: string[];
  /** Counts how often everything issued to it was revoked. */
  epoch: number;
  /** Grows with every change. */
  version: number;
  disabled: boolean;
  createdAt: Date;
}

/** A public key a service account signs assertions with (RFC 7523 §2.1). */
export interface ServiceAccountKey {
  id: string;
  serviceAccountId: string;
  kid: string;
  alg: string;
  createdAt: Date;
  /** Null: never. */
  expiresAt: Date | null;
  lastUsedAt: Date | null;
}

export interface ServiceAccountChange {
  name: string;
  description: string | null;
  scopes: readonly string[];
  disabled: boolean;
  /** Ends what was issued so far. */
  nextEpoch: boolean;
}

/** A live key, with what its account may do. */
export interface AssertionKey {
  id: string;
  alg: string;
  publicJwk: Record<string, unknown>;
  scopes: string[];
  epoch: number;
}

/** The key was registered for this account before. */
export class KeyTaken extends Error {}

/** Service accounts and their keys. */
export interface ServiceAccountStore {
  /** A service account of this tenant; `lock` keeps everybody else from changing it or adding to it. */
  findServiceAccount(
    sql: Transaction,
    tenant: string,
    id: string,
    o?: { lock?: boolean },
  ): Promise<ServiceAccount | undefined>;
  /** Service accounts in the order they were made, after the one with the id `after`. */
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
  /** Overwrites a service account, whose lock the caller holds. */
  updateServiceAccount(
    tx: Transaction,
    tenant: string,
    id: string,
    change: ServiceAccountChange,
  ): Promise<ServiceAccount>;
  /** Deletes a service account with its keys and API keys; its last epoch, or nothing when there was none. */
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
  /** Keys of these accounts, newest first. */
  listServiceAccountKeys(
    sql: Transaction,
    tenant: string,
    accountIds: readonly string[],
  ): Promise<ServiceAccountKey[]>;
  /** The account a key was of; nothing when there was no such key. */
  deleteServiceAccountKey(
    tx: Transaction,
    tenant: string,
    id: string,
  ): Promise<{ id: string; serviceAccountId: string; kid: string; alg: string } | undefined>;
  /** The key with which an account that isn't disabled may sign now. */
  findAssertionKey(
    sql: Transaction,
    tenant: string,
    accountId: string,
    kid: string,
  ): Promise<AssertionKey | undefined>;
}
