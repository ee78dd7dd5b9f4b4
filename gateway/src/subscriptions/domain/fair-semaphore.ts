/**
 * A semaphore that is fair between parties: it admits waiters of each party in turn, within a party in order of
 * arrival. A party with a thousand tasks does not delay the others by all of them.
 */
export class FairSemaphore {
  /** Number of permits. */
  readonly #concurrency: number;
  /** Waiters by party; the next party comes first. */
  readonly #queues = new Map<string, (() => void)[]>();
  #busy = 0;

  constructor(concurrency: number) {
    this.#concurrency = concurrency;
  }

  async run<T>(party: string, work: () => Promise<T>): Promise<T> {
    if (this.#busy < this.#concurrency) this.#busy += 1;
    else await this.#permit(party);
    try {
      return await work();
    } finally {
      this.#release();
    }
  }

  #permit(party: string): Promise<void> {
    return new Promise((resolve) => {
      const waiters = this.#queues.get(party);
      if (waiters) waiters.push(resolve);
      else this.#queues.set(party, [resolve]);
    });
  }

  #release(): void {
    const [first] = this.#queues;
    if (!first) {
      this.#busy -= 1;
      return;
    }
    const [party, waiters] = first;
    this.#queues.delete(party);
    waiters.shift()?.();
    if (waiters.length > 0) this.#queues.set(party, waiters);
  }
}
