import { type Logger, Rounds } from '@ostiary/service';
import type { Directory } from '../domain/directory.ts';

export interface HousekeepingOptions {
  directory: Pick<Directory, 'tidy'>;
  log: Logger;
  /** Milliseconds between rounds. */
  intervalMs?: number;
}

/** Purges what nobody restored in time and takes out what is no longer defined. Several processes may do it at once. */
export class Housekeeping extends Rounds {
  constructor({ directory, log, intervalMs }: HousekeepingOptions) {
    super({ name: 'housekeeping', work: (stopping) => directory.tidy(stopping), log, intervalMs });
  }
}
