import { type Logger, repeat } from '@ostiary/service';

/** Takes away some of what has had its time. @returns how much it was; 0 when nothing is left */
export type RetentionStep = (signal?: AbortSignal) => Promise<number>;

/**
 * Keeps the tables at a steady size, about once a minute. Several processes may do it at once.
 * @returns the function that stops it, letting what is under way finish
 */
export const startHousekeeping = (log: Logger, steps: readonly RetentionStep[]): (() => Promise<void>) =>
  repeat({
    name: 'housekeeping',
    everyMs: 60_000,
    pauseFirst: true,
    jitter: true,
    log,
    work: (signal) => tidy(steps, signal),
  });

/** Takes away everything that has had its time, step by step, unless it is stopped. */
export async function tidy(steps: readonly RetentionStep[], signal?: AbortSignal): Promise<void> {
  for (const step of steps) {
    while (!signal?.aborted && (await step(signal)) > 0);
  }
}
