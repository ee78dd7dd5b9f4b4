import type { Logger } from './log.ts';

export interface RoundsOptions {
  name: string;
  /** One round; ends early once `stopping` says so. */
  work: (stopping: () => boolean) => Promise<void>;
  log: Logger;
  /** Milliseconds between rounds. */
  intervalMs?: number | undefined;
}

/** Work that a process does again and again beside serving, without a cron job outside; never two rounds at a time. */
export class Rounds {
  readonly #options: RoundsOptions;
  #timer: NodeJS.Timeout | undefined;
  #round: Promise<void> = Promise.resolve();
  #stopping = false;

  constructor(options: RoundsOptions) {
    this.#options = options;
  }

  start(): void {
    this.#timer ??= setInterval(() => void this.run(), this.#options.intervalMs ?? 60_000);
    this.#timer.unref();
  }

  /** One round. Failures are logged; the next round tries again. */
  run(): Promise<void> {
    this.#round = this.#round.then(() => this.#work());
    return this.#round;
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    clearInterval(this.#timer);
    await this.#round;
  }

  async #work(): Promise<void> {
    const { name, work, log } = this.#options;
    try {
      await work(() => this.#stopping);
    } catch (error) {
      log.warn({ err: error }, `${name} failed`);
    }
  }
}
