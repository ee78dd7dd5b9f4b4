import type { Sql } from '@ostiary/database';
import { type Logger, repeat } from '@ostiary/service';
import type { Directory } from '../../resources/domain/ports.ts';
import { closeWithdrawal, isWithdrawn, openWithdrawals } from '../data/vouching-withdrawals.ts';

interface WithdrawalOptions {
  sql: Sql;
  directory: Pick<Directory, 'withdrawVouching'>;
}

/**
 * Tells the directory of connectors that no longer stand for e-mail addresses, within seconds. Several processes may do it at
 * once.
 * @returns the function that stops it, letting what is under way finish
 */
export const startVouchingWithdrawals = (log: Logger, options: WithdrawalOptions): (() => Promise<void>) =>
  repeat({
    name: 'vouching withdrawals',
    everyMs: 5_000,
    jitter: true,
    log,
    work: (signal) => withdrawVouching(options, signal),
  });

/**
 * Goes through the people whom such a connector stood for. It is done when they were gone through once more after every change
 * that was begun before has ended.
 */
export async function withdrawVouching(
  { sql, directory }: WithdrawalOptions,
  signal?: AbortSignal,
): Promise<void> {
  for (const withdrawal of await openWithdrawals(sql)) {
    const { tenant, connectorId, recent } = withdrawal;
    let after: string | undefined;
    do {
      if (signal?.aborted || !(await isWithdrawn(sql, withdrawal))) break;
      after = await directory.withdrawVouching(tenant, connectorId, after);
      if (after === undefined && !recent) await closeWithdrawal(sql, withdrawal);
    } while (after !== undefined);
  }
}
