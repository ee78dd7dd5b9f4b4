import type { Transaction } from '@ostiary/service';

/** A connector that no longer vouches for e-mail addresses, with the time of the change. */
export interface VouchingWithdrawal {
  tenant: string;
  connectorId: string;
  endedAt: Date;
  /** Whether a change that began before may still be in progress. */
  recent: boolean;
}

export interface VouchingWithdrawals {
  /** Returns the withdrawals of all tenants that the directory has not applied, oldest first. */
  open(sql: Transaction): Promise<VouchingWithdrawal[]>;
  /** Reports whether the withdrawal still applies: an administrator may have allowed vouching again. */
  isWithdrawn(sql: Transaction, withdrawal: VouchingWithdrawal): Promise<boolean>;
  /** Marks a withdrawal as applied; a later one stays. */
  close(sql: Transaction, withdrawal: VouchingWithdrawal): Promise<void>;
}

/** The directory, which stores the sources that vouch for an e-mail address. */
export interface VouchingDirectory {
  /**
   * Withdraws a source's vouching for some users after an id.
   * @returns the id after which to continue; undefined at the end
   */
  withdrawVouching(tenant: string, source: string, after: string | undefined): Promise<string | undefined>;
}

export interface WithdrawalOptions {
  sql: Transaction;
  withdrawals: VouchingWithdrawals;
  directory: VouchingDirectory;
}

/**
 * Withdraws the vouching for all users of such connectors. A withdrawal is complete when the users were processed
 * again after every change that began before has ended.
 */
export async function withdrawVouching(
  { sql, withdrawals, directory }: WithdrawalOptions,
  signal?: AbortSignal,
): Promise<void> {
  for (const withdrawal of await withdrawals.open(sql)) {
    const { tenant, connectorId, recent } = withdrawal;
    let after: string | undefined;
    do {
      if (signal?.aborted || !(await withdrawals.isWithdrawn(sql, withdrawal))) break;
      after = await directory.withdrawVouching(tenant, connectorId, after);
      if (after === undefined && !recent) await withdrawals.close(sql, withdrawal);
    } while (after !== undefined);
  }
}
