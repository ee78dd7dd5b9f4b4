import type { Logger } from '../kit/log.ts';
import { repeat } from './repeat.ts';
import type { Wake } from './wake.ts';

export interface WorkPollOptions<Q extends string> {
  name: string;
  /** Milliseconds between two checks. */
  everyMs: number;
  /** Reports for each question whether there is work; one statement answers all of them. */
  look(): Promise<Readonly<Record<Q, boolean>> | undefined>;
  log: Logger;
}

interface Waiting {
  wake: Pick<Wake, 'poke'>;
  everyMs: number;
  wokenAt: number;
}

/**
 * Checks for the work of all jobs of a process in one statement and wakes those that have some. An idle job
 * costs almost nothing, yet starts as soon as if it polled itself, even if the writer or its notification was
 * lost.
 */
export class WorkPoll<Q extends string> {
  readonly #o: WorkPollOptions<Q>;
  readonly #waiting = new Map<Q, Waiting[]>();

  constructor(options: WorkPollOptions<Q>) {
    this.#o = options;
  }

  /**
   * Wakes a job while there is work for it.
   * @param everyMs minimum interval between wakes in ms: work may remain for long, and belong to another
   * process
   */
  on(question: Q, everyMs: number, wake: Pick<Wake, 'poke'>): void {
    const waiting = { wake, everyMs, wokenAt: Number.NEGATIVE_INFINITY };
    this.#waiting.set(question, [...(this.#waiting.get(question) ?? []), waiting]);
  }

  /** @returns a function that stops it after the check in progress */
  start(): () => Promise<void> {
    const { name, everyMs, log } = this.#o;
    return repeat({ name, everyMs, log, work: () => this.#look() });
  }

  async #look(): Promise<void> {
    const found = await this.#o.look();
    if (found === undefined) return;
    const now = performance.now();
    for (const [question, all] of this.#waiting) {
      if (!found[question]) continue;
      for (const waiting of all) {
        // Timers are late by some milliseconds: a pause of a second must not become one and a half.
        if (now - waiting.wokenAt < waiting.everyMs - this.#o.everyMs / 2) continue;
        waiting.wokenAt = now;
        waiting.wake.poke(false);
      }
    }
  }
}
