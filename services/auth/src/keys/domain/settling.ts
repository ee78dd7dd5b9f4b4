/** Work for one tenant at a time, never twice at once in this process. */
export interface Settling {
  /** Does the work; while it is under way, it is done once more for all who ask meanwhile. */
  settle(tenant: string): Promise<void>;
  /** Resolves when what is under way has ended, whatever came of it. */
  idle(): Promise<void>;
}

export function createSettling(work: (tenant: string) => Promise<void>): Settling {
  const underWay = new Map<string, { again: boolean; done: Promise<void> }>();

  async function settleAgain(tenant: string, state: { again: boolean }): Promise<void> {
    try {
      do {
        state.again = false;
        await work(tenant);
      } while (state.again);
    } finally {
      underWay.delete(tenant);
    }
  }

  return {
    settle(tenant) {
      const running = underWay.get(tenant);
      if (running) {
        running.again = true;
        return running.done;
      }
      const state = { again: false, done: Promise.resolve() };
      underWay.set(tenant, state);
      state.done = settleAgain(tenant, state);
      return state.done;
    },
    idle: async () => void (await Promise.allSettled([...underWay.values()].map(({ done }) => done))),
  };
}
