import { type Logger, repeat } from '@ostiary/service';
import { type WithdrawalOptions, withdrawVouching } from '../domain/vouching.ts';

/**
 * Notifies the directory within seconds of connectors that no longer vouch for e-mail addresses. Several processes
 * may do so concurrently.
 * @returns the function that stops it after the running work
 */
export const startVouchingWithdrawals = (log: Logger, options: WithdrawalOptions): (() => Promise<void>) =>
  repeat({
    name: 'vouching withdrawals',
    everyMs: 5_000,
    jitter: true,
    log,
    work: (signal) => withdrawVouching(options, signal),
  });
