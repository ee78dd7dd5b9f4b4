import type { Transaction } from '@ostiary/service';

/** Stores which role holders the directory was notified of. */
export interface RoleHolderStore {
  /** Returns users whose roles the directory must be notified of, first or again; the oldest first. */
  unnotifiedHolders(sql: Transaction, limit: number): Promise<{ tenant: string; subjectId: string }[]>;
  /** Locks the notice about a user and returns a version higher than all before. Undefined if no notice is pending. */
  lockHolder(tx: Transaction, tenant: string, subjectId: string): Promise<number | undefined>;
  /** Returns the directly assigned roles of a user. */
  ownRolesOf(tx: Transaction, tenant: string, subjectId: string): Promise<string[]>;
  /** Records that the directory was notified. The row of a user without a role is deleted. */
  noteHolderNotified(tx: Transaction, tenant: string, subjectId: string, isHolder: boolean): Promise<void>;
}
