/** One use of a token, key or client. */
export interface Use {
  tenant: string;
  id: string;
  at: Date;
}

/** Maximum number of tokens held in memory; uses of further ones are not recorded. */
const capacity = 20_000;
/** Maximum number of uses in one statement. */
const batch = 1_000;

/**
 * Collects last uses of tokens, so that no request waits for a write. They are written once a second; a crash loses at
 * most the last second.
 */
export class LastUses {
  readonly #write: (uses: readonly Use[]) => Promise<void>;
  readonly #clock: () => number;
  #uses = new Map<string, Use>();

  constructor(o: {
    write: (uses: readonly Use[]) => Promise<void>;
    /** Current time in milliseconds. */
    clock: () => number;
  }) {
    this.#write = o.write;
    this.#clock = o.clock;
  }

  note(tenant: string, id: string): void {
    const key = `${tenant}\0${id}`;
    if (this.#uses.size < capacity || this.#uses.has(key)) {
      this.#uses.set(key, { tenant, id, at: new Date(this.#clock()) });
    }
  }

  /** Writes the collected uses. Failed writes are dropped: the next use records the token again. */
  async flush(): Promise<void> {
    // The same order in all processes prevents deadlocks on the rows.
    const uses = [...this.#uses].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, use]) => use);
    this.#uses = new Map();
    for (let start = 0; start < uses.length; start += batch) {
      await this.#write(uses.slice(start, start + batch));
    }
  }
}
