import type { Transaction } from '@ostiary/service';

/** A connector that stood for e-mail addresses, and since when it doesn't. */
export interface VouchingWithdrawal {
  tenant: string;
  connectorId: string;
  endedAt: Date;
  /** Whether a change that was begun while it still did may be under way. */
  recent: boolean;
}

export interface VouchingWithdrawals {
  /** Withdrawals that the directory has to be notified of, of all tenants; the oldest first. */
  open(sql: Transaction): Promise<VouchingWithdrawal[]>;
  /** Whether it is still so: an administrator may say of a connector that it stands for addresses again. */
  isWithdrawn(sql: Transaction, withdrawal: VouchingWithdrawal): Promise<boolean>;
  /** The directory knows it; a later withdrawal stays. */
  close(sql: Transaction, withdrawal: VouchingWithdrawal): Promise<void>;
}

/** The directory, which notes who stands for an e-mail address. */
export interface VouchingDirectory {
  /**
   * A source no longer stands for e-mail addresses: some users behind an id are gone through.
   * @returns where to go on; undefined at the end
   */
  withdrawVouching(tenant: string, source: string, after: string | undefined): Promise<string | undefined>;
}

export interface WithdrawalOptions {
  sql: Transaction;
  withdrawals: VouchingWithdrawals;
  directory: VouchingDirectory;
}

/**
 * Goes through the users whom such a connector stood for. It is done when they were gone through once more after every change
 * that was begun before has ended.
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
