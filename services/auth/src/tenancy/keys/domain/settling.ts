/** Runs work per tenant, at most once simultaneously in this process. */
export class Settling {
  readonly #work: (tenant: string) => Promise<void>;
  readonly #underWay = new Map<string, { again: boolean; done: Promise<void> }>();

  constructor(work: (tenant: string) => Promise<void>) {
    this.#work = work;
  }

  /** Runs the work. Calls while it runs share one further run. */
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

  /** Resolves when all running work has ended, including failed work. */
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
