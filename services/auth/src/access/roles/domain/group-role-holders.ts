import type { Transaction } from '@ostiary/service';

/** Role of a user through a group. */
export interface Holding {
  subjectId: string;
  groupId: string;
  role: string;
}

export interface GroupRoleHolderStore {
  holdingsOf(sql: Transaction, tenant: string, subjectIds: readonly string[]): Promise<Holding[]>;
  /** Returns the first users after an id who have a role through a group, in the order of ids. */
  holdersAfter(sql: Transaction, tenant: string, after: string | undefined, limit: number): Promise<string[]>;
  /** Returns the first users who have a role that their group no longer has. */
  formerHolders(sql: Transaction, tenant: string, limit: number): Promise<string[]>;
  /** Stores changes of holdings. The caller holds the rows of the subjects. */
  changeHoldings(
    tx: Transaction,
    tenant: string,
    change: { add: readonly Holding[]; remove: readonly Holding[] },
  ): Promise<void>;
  /**
   * Locks rows of users in the order of ids. The lock serializes with everything that is issued to them and with other
   * changes of their roles. @returns the users that are stored here, including deleted ones
   */
  holdSubjects(
    tx: Transaction,
    tenant: string,
    ids: readonly string[],
  ): Promise<Map<string, { deleted: boolean }>>;
  /** Returns every role of every user who has a role through this group. */
  rolesOfHolders(sql: Transaction, tenant: string, groupId: string): Promise<string[]>;
}
