import type { Transaction } from '@ostiary/service';

/** That somebody has a role through a group. */
export interface Holding {
  subjectId: string;
  groupId: string;
  role: string;
}

/** Who has which roles through which groups. */
export interface GroupRoleHolderStore {
  /** What these people have through groups. */
  holdingsOf(sql: Transaction, tenant: string, subjectIds: readonly string[]): Promise<Holding[]>;
  /** The first people after an id who have anything through groups, in the order of their ids. */
  holdersAfter(sql: Transaction, tenant: string, after: string | undefined, limit: number): Promise<string[]>;
  /** The first people who still have what their group hasn't any more. */
  formerHolders(sql: Transaction, tenant: string, limit: number): Promise<string[]>;
  /** Writes who has what; the caller holds the subjects' rows. */
  changeHoldings(
    tx: Transaction,
    tenant: string,
    change: { add: readonly Holding[]; remove: readonly Holding[] },
  ): Promise<void>;
  /**
   * Holds people's rows, in the order of their ids, against everything that is issued to them and against each other change of
   * their roles. @returns those that this service knows; `deleted` ones are gone for good or for now
   */
  holdSubjects(
    tx: Transaction,
    tenant: string,
    ids: readonly string[],
  ): Promise<Map<string, { deleted: boolean }>>;
  /** Every role that anybody has who has one through this group. */
  rolesOfHolders(sql: Transaction, tenant: string, groupId: string): Promise<string[]>;
}
