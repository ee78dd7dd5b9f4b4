import type { SignInCount, SignInOutcome } from './sign-in-counts.ts';

/** Different tenants and days that are held in memory at most; beyond, attempts are not counted. */
const capacity = 20_000;

/**
 * Counts attempts to sign in, so that none waits for a row that all of its tenant share. Written once a second: a crash loses
 * at most the last one. Only numbers: what somebody typed for a user name may be a password.
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
    this.#add({ tenant, day: new Date(this.#clock()).toISOString().slice(0, 10), outcome, total: 1 });
  }

  /** Writes what has gathered; what could not be written is kept for the next time. */
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
    const key = `${count.tenant}/${count.day}/${count.outcome}`;
    const known = this.#counts.get(key);
    if (known) known.total += count.total;
    else if (this.#counts.size < capacity) this.#counts.set(key, { ...count });
  }
}
