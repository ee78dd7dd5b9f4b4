/** Work for one tenant at a time, never twice at once in this process. */
export class Settling {
  readonly #work: (tenant: string) => Promise<void>;
  readonly #underWay = new Map<string, { again: boolean; done: Promise<void> }>();

  constructor(work: (tenant: string) => Promise<void>) {
    this.#work = work;
  }

  /** Does the work; while it is under way, it is done once more for all who ask meanwhile. */
  settle(tenant: string): Promise<void> {
    const running = this.#underWay.get(tenant);
    if (running) {
      running.again = true;
      return running.done;
    }
    const state = { again: false, done: Promise.resolve() };
    this.#underWay.set(tenant, state);
    state.done = this.#settleAgain(tenant, state);
    return state.done;
  }

  /** Resolves when what is under way has ended, whatever came of it. */
  async idle(): Promise<void> {
    await Promise.allSettled([...this.#underWay.values()].map(({ done }) => done));
  }

  async #settleAgain(tenant: string, state: { again: boolean }): Promise<void> {
    try {
      do {
        state.again = false;
        await this.#work(tenant);
      } while (state.again);
    } finally {
      this.#underWay.delete(tenant);
    }
  }
}
