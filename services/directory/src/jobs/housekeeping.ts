import { type Logger, repeat } from '@ostiary/service';
import type { Directory } from '../domain/directory.ts';

/**
 * Purges what nobody restored in time and takes out what is no longer defined, about once a minute. Several processes may do it at once.
 * @returns the function that stops it, letting what is under way finish
 */
export const startHousekeeping = (directory: Pick<Directory, 'tidy'>, log: Logger): (() => Promise<void>) =>
  repeat({
    name: 'housekeeping',
    everyMs: 60_000,
    pauseFirst: true,
    jitter: true,
    log,
    work: (signal) => directory.tidy(() => signal.aborted),
  });
