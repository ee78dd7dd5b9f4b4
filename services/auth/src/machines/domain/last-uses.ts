/** One use of a token or key. */
export interface Use {
  tenant: string;
  id: string;
  at: Date;
}

/** Different tokens whose last use is held in memory at most; beyond, a use isn't noted. */
const capacity = 20_000;
/** Uses in one statement. */
const batch = 1_000;

/**
 * Gathers when tokens were last used, so that no request waits for a write. Written once a second: a crash loses at most
 * the last one.
 */
export class LastUses {
  readonly #write: (uses: readonly Use[]) => Promise<void>;
  readonly #clock: () => number;
  #uses = new Map<string, Use>();

  constructor(o: {
    write: (uses: readonly Use[]) => Promise<void>;
    /** Wall clock, milliseconds. */
    clock: () => number;
  }) {
    this.#write = o.write;
    this.#clock = o.clock;
  }

  note(tenant: string, id: string): void {
    if (this.#uses.size < capacity || this.#uses.has(id)) {
      this.#uses.set(id, { tenant, id, at: new Date(this.#clock()) });
    }
  }

  /** Writes what has gathered. What could not be written is forgotten: the next use says the same again. */
  async flush(): Promise<void> {
    // In one order everywhere, so that two processes that write the same rows never wait for each other in a circle.
    const uses = [...this.#uses.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
    this.#uses = new Map();
    for (let start = 0; start < uses.length; start += batch) {
      await this.#write(uses.slice(start, start + batch));
    }
  }
}
