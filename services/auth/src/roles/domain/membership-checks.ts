import type { Transaction } from '@ostiary/service';

/** Whose membership has to be asked anew. */
export type DueCheck =
  | { everybody: false; checkIds: string[]; memberIds: string[] }
  /** Everybody's, from after `position` on. */
  | { everybody: true; checkIds: string[]; position: string | undefined };

/** Questions to the directory about members of groups with roles. */
export interface MembershipCheckStore {
  /** Notes that the directory has to be asked: about these ids, of people or groups; about everybody without any. */
  addMembershipCheck(
    tx: Transaction,
    tenant: string,
    memberIds: readonly string[] | undefined,
  ): Promise<void>;
  /** Until the transaction ends, nobody else asks the directory about this tenant's members, or writes what it answered. */
  lockMembershipChecks(tx: Transaction, tenant: string): Promise<void>;
  /**
   * What is to be asked next: of those who are named, up to `limit` of them, or of everybody, where there is both as `everybodyFirst`
   * says. A round about everybody that hasn't begun takes along all others that haven't. The caller holds the tenant's lock.
   */
  dueCheck(
    tx: Transaction,
    tenant: string,
    o: { limit: number; everybodyFirst: boolean },
  ): Promise<DueCheck | undefined>;
  /** What was asked needs asking no more. */
  finishChecks(tx: Transaction, checkIds: readonly string[]): Promise<void>;
  /** A round about everybody has come as far as this; the others that went along with it are done with. */
  advanceCheck(tx: Transaction, checkIds: readonly string[], position: string): Promise<void>;
  /** Tenants for which something waits, those that have waited longest first. */
  tenantsWithChecks(sql: Transaction, limit: number): Promise<string[]>;
  /** How long ago the oldest of what is still to be asked was noted; 0 when nothing is. */
  oldestCheckSeconds(sql: Transaction): Promise<number>;
  /** Notes that all holders of a tenant have been compared with the directory. */
  noteCompared(tx: Transaction, tenant: string): Promise<void>;
  /** Makes it due again for a few tenants that haven't been compared for so long. @returns how many */
  addOverdueChecks(sql: Transaction, afterSeconds: number, limit: number): Promise<number>;
}
