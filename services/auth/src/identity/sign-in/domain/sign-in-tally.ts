import type { SignInCount, SignInOutcome } from './sign-in-counts.ts';

/** Maximum number of entries by tenant, hour and outcome in memory. Further ones are not counted. */
const capacity = 20_000;

/**
 * Counts sign-in attempts in memory, so that they do not wait for a row of the tenant. Written once a second; a crash
 * loses at most the last second. Contains only numbers, because a typed user name may be a password.
 */
export class SignInTally {
  readonly #write: (counts: readonly SignInCount[]) => Promise<void>;
  readonly #clock: () => number;
  #counts = new Map<string, SignInCount>();

  constructor(o: {
    write: (counts: readonly SignInCount[]) => Promise<void>;
    /** Wall clock, milliseconds. */
    clock: () => number;
  }) {
    this.#write = o.write;
    this.#clock = o.clock;
  }

  note(tenant: string, outcome: SignInOutcome): void {
    const hour = new Date(this.#clock()).toISOString().slice(0, 13);
    this.#add({ tenant, start: `${hour}:00:00.000Z`, outcome, total: 1 });
  }

  /** Writes the counts. After a failure they are kept for the next call. */
  async flush(): Promise<void> {
    if (this.#counts.size === 0) return;
    const counts = [...this.#counts.values()];
    this.#counts = new Map();
    try {
      await this.#write(counts);
    } catch (error) {
      for (const count of counts) this.#add(count);
      throw error;
    }
  }

  #add(count: SignInCount): void {
    const key = `${count.tenant}/${count.start}/${count.outcome}`;
    const known = this.#counts.get(key);
    if (known) known.total += count.total;
    else if (this.#counts.size < capacity) this.#counts.set(key, { ...count });
  }
}
