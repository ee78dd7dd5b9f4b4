/** A position in the write-ahead log of one history. */
export interface WalPosition {
  /** System identifier of the cluster, from initdb. */
  system: string;
  timeline: number;
  lsn: bigint;
}

/** Parses an LSN such as `16/B374D848`. @throws SyntaxError for any other text */
export const lsnOf = (text: string): bigint => {
  const [high = '', low = ''] = text.split('/');
  return (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`);
};

interface Mark {
  /** Time, by performance.now(), before the primary was queried. */
  at: number;
  lsn: bigint;
}

/** Retention time in ms of marks, by which the lag of a replica is measured. */
const keptMs = 60_000;

/**
 * Age of a standby's data. The time of its last replayed transaction does not show it: without writes on the
 * primary it is old although nothing is missing, and it is on the primary's clock. So the end of the
 * primary's log is recorded with the time of the query: a standby that has replayed up to it has everything
 * acknowledged before that time, on this process's clock. Positions are comparable only within one timeline
 * of one system.
 */
export class Freshness {
  /** Oldest first; all of one history. */
  #marks: Mark[] = [];
  #system: string | undefined;
  #timeline: number | undefined;

  /** Time of the last query of the primary. */
  get markedAt(): number {
    return this.#marks.at(-1)?.at ?? Number.NEGATIVE_INFINITY;
  }

  /** @param at time of the query of the primary */
  mark(at: number, { system, timeline, lsn }: WalPosition): void {
    if (system !== this.#system || timeline !== this.#timeline) this.forget();
    this.#system = system;
    this.#timeline = timeline;
    const last = this.#marks.at(-1);
    if (last && (at < last.at || lsn < last.lsn)) return;
    this.#marks = [...this.#marks.filter((mark) => mark.at > at - keptMs), { at, lsn }];
  }

  isOfThisHistory({ system, timeline }: WalPosition): boolean {
    return system === this.#system && timeline === this.#timeline;
  }

  /**
   * Returns the earliest time since which a standby at this position may lack data; undefined if it is before
   * the marks.
   */
  asOf({ lsn }: WalPosition): number | undefined {
    return this.#marks.findLast((mark) => mark.lsn <= lsn)?.at;
  }

  /** Returns the minimum lag in ms of data older than all marks. */
  atLeastBehind(now: number): number {
    return now - (this.#marks[0]?.at ?? now);
  }

  /** Called after a failover. */
  forget(): void {
    this.#marks = [];
    this.#system = undefined;
    this.#timeline = undefined;
  }
}
