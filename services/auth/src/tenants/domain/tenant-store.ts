import type { TenantPolicySettings, VersionedTenantPolicy } from '@ostiary/events';
import type { Transaction } from '@ostiary/service';

/** A tenant as the directory describes it. */
export interface DirectoryTenant {
  id: string;
  name: string;
  status: 'active' | 'suspended';
  /** What the tenant set for itself; left out by a directory of an older release. */
  policy?: VersionedTenantPolicy | undefined;
}

export interface TenantRow extends Omit<DirectoryTenant, 'policy'> {
  settings: TenantPolicySettings;
}

/** What verifiers must hear of when everything of a tenant ends. */
export interface EndedOfTenant {
  /** Clients, and service accounts, which are clients to a verifier; each with its new epoch. */
  clients: readonly { clientId: string; epoch: number }[];
  /** Ids of people's personal access tokens, of which verifiers may remember a good answer. */
  personalTokens: readonly string[];
}

/** Tenants as the directory last described them. */
export interface TenantStore {
  /** A tenant as the directory last described it to this service. */
  findTenant(sql: Transaction, id: string): Promise<TenantRow | undefined>;
  /**
   * Takes in what an event says about a tenant, unless something newer is known.
   * @returns the status and the settings before, and whether the news was taken; `suspendedVersion`: every suspension up to this version of the tenant
   * has been carried out. The row stays locked until the transaction ends
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
  /** Notes that suspensions up to a version are carried out. The caller holds the row. */
  noteSuspended(tx: Transaction, id: string, version: bigint): Promise<void>;
  /** Remembers a tenant the directory was asked about. Any event about it is newer. */
  rememberTenant(sql: Transaction, tenant: DirectoryTenant): Promise<void>;
  /**
   * Ends the grants and refresh tokens of a whole tenant, whose sessions have ended, and counts every client's and every service account's
   * epoch up: each access token names one of them and its epoch, so that reaches all of them. Secrets, keys, API keys and
   * personal access tokens stay for the day the tenant comes back; until then nobody accepts them.
   */
  endEverythingOfTenant(tx: Transaction, tenant: string): Promise<EndedOfTenant>;
}
