import type { Logger } from '@ostiary/service';
import type { Directory } from '../domain/directory.ts';

export interface HousekeepingOptions {
  directory: Pick<Directory, 'tidy'>;
  log: Logger;
  /** Milliseconds between rounds. */
  intervalMs?: number;
}

/**
 * Purges what nobody restored in time and takes out what is no longer defined, without a cron job outside. Several
 * processes may do it at once.
 */
export class Housekeeping {
  readonly #options: HousekeepingOptions;
  #timer: NodeJS.Timeout | undefined;
  #round: Promise<void> = Promise.resolve();
  #stopping = false;

  constructor(options: HousekeepingOptions) {
    this.#options = options;
  }

  start(): void {
    this.#timer ??= setInterval(() => void this.run(), this.#options.intervalMs ?? 60_000);
    this.#timer.unref();
  }

  /** One round. Failures are logged; the next round tries again. */
  run(): Promise<void> {
    this.#round = this.#round.then(() => this.#tidy());
    return this.#round;
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    clearInterval(this.#timer);
    await this.#round;
  }

  async #tidy(): Promise<void> {
    try {
      await this.#options.directory.tidy(() => this.#stopping);
    } catch (error) {
      this.#options.log.warn({ err: error }, 'housekeeping failed');
    }
  }
}
