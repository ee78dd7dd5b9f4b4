import type { Logger } from '../kit/log.ts';
import { repeat } from './repeat.ts';
import type { Wake } from './wake.ts';

export interface WorkPollOptions<Q extends string> {
  name: string;
  /** Milliseconds between two looks. */
  everyMs: number;
  /** Whether there is something to do, for each question: one statement answers all of them. */
  look(): Promise<Readonly<Record<Q, boolean>> | undefined>;
  log: Logger;
}

interface Waiting {
  wake: Pick<Wake, 'poke'>;
  everyMs: number;
  pokedAt: number;
}

/**
 * Looks for all jobs of a process at once whether there is something to do, and pokes those that have. So a job that mostly has nothing to
 * do costs next to nothing, and begins as soon as if it looked by itself, whoever wrote down what is to be done, and whatever became of
 * that process or of a notification.
 */
export class WorkPoll<Q extends string> {
  readonly #o: WorkPollOptions<Q>;
  readonly #waiting = new Map<Q, Waiting[]>();

  constructor(options: WorkPollOptions<Q>) {
    this.#o = options;
  }

  /**
   * Has a job poked while there is something to do for it.
   * @param everyMs at most so often, in ms: what is to be done may be there for long, and not for this process
   */
  on(question: Q, everyMs: number, wake: Pick<Wake, 'poke'>): void {
    const waiting = { wake, everyMs, pokedAt: Number.NEGATIVE_INFINITY };
    this.#waiting.set(question, [...(this.#waiting.get(question) ?? []), waiting]);
  }

  /** @returns the function that stops it, letting the look under way finish */
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
        // Timers are late by some milliseconds: a second's pause must not become one and a half.
        if (now - waiting.pokedAt < waiting.everyMs - this.#o.everyMs / 2) continue;
        waiting.pokedAt = now;
        waiting.wake.poke(false);
      }
    }
  }
}
