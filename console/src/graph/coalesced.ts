export interface CoalescedTimes {
  /** Delay in ms of the work after the first call. */
  gatherMs: number;
  /** Minimum time in ms between two executions. */
  restMs: number;
}

const usual: CoalescedTimes = { gatherMs: 200, restMs: 2_000 };

/** Runs work once for all calls in a short time: thousands of events must not cause as many requests. */
export class Coalesced {
  readonly #work: () => void;
  readonly #times: CoalescedTimes;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #ranAt = Number.NEGATIVE_INFINITY;

  constructor(work: () => void, times: Partial<CoalescedTimes> = {}) {
    this.#work = work;
    this.#times = { ...usual, ...times };
  }

  call(): void {
    const { gatherMs, restMs } = this.#times;
    this.#timer ??= setTimeout(
      () => {
        this.#timer = undefined;
        this.#ranAt = performance.now();
        this.#work();
      },
      Math.max(gatherMs, this.#ranAt + restMs - performance.now()),
    );
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
