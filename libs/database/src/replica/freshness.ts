/** A place in the write-ahead log of one history. */
export interface WalPosition {
  /** Of the cluster, made by initdb. */
  system: string;
  timeline: number;
  lsn: bigint;
}

/** `16/B374D848` as PostgreSQL writes it. @throws SyntaxError when it isn't one */
export const lsnOf = (text: string): bigint => {
  const [high = '', low = ''] = text.split('/');
  return (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`);
};

interface Mark {
  /** By performance.now(), before the primary was asked. */
  at: number;
  lsn: bigint;
}

/** Marks are kept this long, to say how far behind a replica is, in ms. */
const keptMs = 60_000;

/**
 * How old what a standby has is. The time of the last transaction that it replayed doesn't say so: on a primary without writes it is long
 * ago on a standby that has everything, and it is the primary's clock. So the primary is asked where its log ends, and it is noted when it
 * was asked: a standby that has replayed up to there has everything that was acknowledged before that moment, by this process's own clock.
 * Positions are compared within one timeline of one system only: those of another history say nothing.
 */
export class Freshness {
  /** Oldest first; all of the same history. */
  #marks: Mark[] = [];
  #system: string | undefined;
  #timeline: number | undefined;

  /** When the primary was asked last. */
  get markedAt(): number {
    return this.#marks.at(-1)?.at ?? Number.NEGATIVE_INFINITY;
  }

  /** @param at when the primary was asked for it */
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

  /** Since when, at the most, a standby that has replayed up to there lacks something; undefined: for longer than is known. */
  asOf({ lsn }: WalPosition): number | undefined {
    return this.#marks.findLast((mark) => mark.lsn <= lsn)?.at;
  }

  /** How long something is missing of which is known when it was there, in ms. */
  atLeastBehind(now: number): number {
    return now - (this.#marks[0]?.at ?? now);
  }

  /** Another server has become the primary. */
  forget(): void {
    this.#marks = [];
    this.#system = undefined;
    this.#timeline = undefined;
  }
}
