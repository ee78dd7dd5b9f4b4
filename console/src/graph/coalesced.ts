import { useEffect, useRef, useState } from 'react';

/** Delay in ms of the work after the first call, and minimum time between two executions. */
const usual = { gatherMs: 200, restMs: 2_000 };

/** Runs work once for all calls in a short time: thousands of events must not cause as many requests. */
export class Coalesced {
  readonly #work: () => void;
  readonly #times: typeof usual;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #ranAt = Number.NEGATIVE_INFINITY;

  constructor(work: () => void, times: Partial<typeof usual> = {}) {
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

/** Returns a function that runs the latest work once for all calls in a short time. */
export function useCoalesced(work: () => void, times?: Partial<typeof usual>): () => void {
  const latest = useRef(work);
  useEffect(() => {
    latest.current = work;
  });
  const [coalesced] = useState(() => new Coalesced(() => latest.current(), times));
  useEffect(() => () => coalesced.stop(), [coalesced]);
  return () => coalesced.call();
}
