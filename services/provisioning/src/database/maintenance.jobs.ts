import { type Logger, repeat } from '@ostiary/service';

/** Removes a bounded number of expired rows. @returns the number of removed rows; 0 when none is left */
export type RetentionStep = (signal?: AbortSignal) => Promise<number>;

/**
 * Removes expired rows about once a minute, to bound the size of the tables. Several processes may do so
 * concurrently.
 * @returns the function that stops it after the running work
 */
export const startMaintenance = (log: Logger, steps: readonly RetentionStep[]): (() => Promise<void>) =>
  repeat({
    name: 'maintenance',
    everyMs: 60_000,
    pauseFirst: true,
    jitter: true,
    log,
    work: (signal) => tidy(steps, signal),
  });

/** Removes all expired rows, step by step, unless it is stopped. */
export async function tidy(steps: readonly RetentionStep[], signal?: AbortSignal): Promise<void> {
  for (const step of steps) {
    while (!signal?.aborted && (await step(signal)) > 0);
  }
}
