import type { Transaction } from '@ostiary/service';

/** Memberships to request from the directory. */
export type DueCheck =
  | { everybody: false; checkIds: string[]; memberIds: string[] }
  /** Memberships of all users, from after `position` on. */
  | { everybody: true; checkIds: string[]; position: string | undefined };

/** Stores pending questions to the directory about members of groups with roles. */
export interface MembershipCheckStore {
  /** Records that the directory has to be asked about these users or groups; without ids about all users. */
  addMembershipCheck(
    tx: Transaction,
    tenant: string,
    memberIds: readonly string[] | undefined,
  ): Promise<void>;
  /** Locks the questions about a tenant's members and the writing of answers until the end of the transaction. */
  lockMembershipChecks(tx: Transaction, tenant: string): Promise<void>;
  /**
   * Returns the next question: about named ids, up to `limit`, or about all users; `everybodyFirst` decides if both are
   * pending. A question about all users that has not begun includes all others that have not begun. The caller holds
   * the tenant's lock.
   */
  dueCheck(
    tx: Transaction,
    tenant: string,
    o: { limit: number; everybodyFirst: boolean },
  ): Promise<DueCheck | undefined>;
  finishChecks(tx: Transaction, checkIds: readonly string[]): Promise<void>;
  /** Records the position of a question about all users. The checks that it included are done. */
  advanceCheck(tx: Transaction, checkIds: readonly string[], position: string): Promise<void>;
  /** Returns tenants with pending checks, those with the oldest first. */
  tenantsWithChecks(sql: Transaction, limit: number): Promise<string[]>;
  /** Returns the age in seconds of the oldest pending check; 0 if there is none. */
  oldestCheckSeconds(sql: Transaction): Promise<number>;
  /** Records that all holders of a tenant were compared with the directory. */
  noteCompared(tx: Transaction, tenant: string): Promise<void>;
  /** Schedules a comparison for some tenants whose last one is older than `afterSeconds`. @returns their number */
  addOverdueChecks(sql: Transaction, afterSeconds: number, limit: number): Promise<number>;
}
