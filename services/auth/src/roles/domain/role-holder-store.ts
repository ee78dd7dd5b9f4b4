import type { Transaction } from '@ostiary/service';

/** Of which role holders the directory was told. */
export interface RoleHolderStore {
  /** Whose roles the directory has yet to be told of, or told of again; the longest first. */
  untoldHolders(sql: Transaction, limit: number): Promise<{ tenant: string; subjectId: string }[]>;
  /** Locks the note about somebody, and gives a version that is higher than all before. Undefined when there is nothing to tell. */
  lockHolder(tx: Transaction, tenant: string, subjectId: string): Promise<number | undefined>;
  /** The roles somebody was given themselves. */
  ownRolesOf(tx: Transaction, tenant: string, subjectId: string): Promise<string[]>;
  /** Notes that the directory knows; who has no role is forgotten. */
  noteHolderNotified(tx: Transaction, tenant: string, subjectId: string, isHolder: boolean): Promise<void>;
}
