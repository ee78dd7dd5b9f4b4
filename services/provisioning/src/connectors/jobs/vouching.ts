import { type Logger, repeat } from '@ostiary/service';
import { type WithdrawalOptions, withdrawVouching } from '../domain/vouching.ts';

/**
 * Notifies the directory of connectors that no longer stand for e-mail addresses, within seconds. Several processes may do it at
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
