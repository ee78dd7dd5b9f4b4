/** A repeatable pseudorandom source (mulberry32). */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** Returns a number from 0 to 1, excluding 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** Returns an integer from `low` to `high`, both included. */
  between(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low + 1));
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(from: readonly T[]): T {
    const chosen = from[Math.floor(this.next() * from.length)];
    if (chosen === undefined) throw new Error('there is nothing to pick from');
    return chosen;
  }

  shuffled<T>(of: readonly T[]): T[] {
    const all = [...of];
    for (let last = all.length - 1; last > 0; last -= 1) {
      const other = Math.floor(this.next() * (last + 1));
      [all[last], all[other]] = [all[other] as T, all[last] as T];
    }
    return all;
  }

  /** Returns an independent source, so that draws of one part of a run do not change the others. */
  fork(name: string): Random {
    let hash = this.#state;
    for (const letter of name) hash = Math.imul(hash ^ letter.charCodeAt(0), 0x01000193);
    return new Random(hash >>> 0);
  }
}

/** Cards in random order, each once before any occurs again. */
export class Deck<T> {
  readonly #cards: readonly T[];
  readonly #random: Random;
  #left: T[] = [];

  constructor(cards: readonly T[], random: Random) {
    this.#cards = cards;
    this.#random = random;
  }

  draw(count: number): T[] {
    return Array.from({ length: count }, () => {
      if (this.#left.length === 0) this.#left = this.#random.shuffled(this.#cards);
      return this.#left.pop() as T;
    });
  }
}
