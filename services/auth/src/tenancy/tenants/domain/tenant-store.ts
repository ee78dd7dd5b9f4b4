import type { TenantPolicySettings, VersionedTenantPolicy } from '@ostiary/events';
import type { Transaction } from '@ostiary/service';

export interface DirectoryTenant {
  id: string;
  name: string;
  status: 'active' | 'suspended';
  /** Settings of the tenant; absent in answers of a directory of an earlier release. */
  policy?: VersionedTenantPolicy | undefined;
}

export interface TenantRow extends Omit<DirectoryTenant, 'policy'> {
  settings: TenantPolicySettings;
}

/** Objects of a suspended tenant that need entries in the revocation feed. */
export interface EndedOfTenant {
  /** Clients, and service accounts, which verifiers treat as clients; each with its new epoch. */
  clients: readonly { clientId: string; epoch: number }[];
  /** Ids of users' personal access tokens, whose positive introspection results verifiers may have cached. */
  personalTokens: readonly string[];
}

/** Stores tenants as last described by the directory. */
export interface TenantStore {
  findTenant(sql: Transaction, id: string): Promise<TenantRow | undefined>;
  /**
   * Stores an event about a tenant, unless a newer version is stored.
   * @returns the previous status and settings, and whether the event was stored; `suspendedVersion`: every suspension
   * up to this version of the tenant has been carried out. The row stays locked until the end of the transaction
   */
  storeTenant(
    tx: Transaction,
    tenant: DirectoryTenant,
    version: bigint,
  ): Promise<{
    stored: boolean;
    before: DirectoryTenant['status'] | undefined;
    settingsBefore: TenantPolicySettings;
    suspendedVersion: bigint;
  }>;
  /** Records that suspensions up to a version are carried out. The caller holds the row. */
  noteSuspended(tx: Transaction, id: string, version: bigint): Promise<void>;
  /** Stores an answer of the directory about a tenant. Every event about it is newer. */
  rememberTenant(sql: Transaction, tenant: DirectoryTenant): Promise<void>;
  /**
   * Revokes the grants and refresh tokens of a tenant whose sessions have ended, and increments the epoch of every
   * client and service account, which revokes all access tokens. Secrets, keys, API keys and personal access tokens are
   * kept for a reactivation; until then they are rejected.
   */
  endEverythingOfTenant(tx: Transaction, tenant: string): Promise<EndedOfTenant>;
}
