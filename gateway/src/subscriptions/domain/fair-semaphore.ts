/**
 * Lets so many do something at once. The others wait, in the order they came but party by party in turn: who wants a thousand things
 * done doesn't make anybody else wait for all of them.
 */
export class Turns {
  readonly #atOnce: number;
  /** By party, those first in line whose turn is next. */
  readonly #waiting = new Map<string, (() => void)[]>();
  #busy = 0;

  constructor(atOnce: number) {
    this.#atOnce = atOnce;
  }

  async take<T>(party: string, work: () => Promise<T>): Promise<T> {
    if (this.#busy < this.#atOnce) this.#busy += 1;
    else await this.#turn(party);
    try {
      return await work();
    } finally {
      this.#next();
    }
  }

  #turn(party: string): Promise<void> {
    return new Promise((resolve) => {
      const line = this.#waiting.get(party);
      if (line) line.push(resolve);
      else this.#waiting.set(party, [resolve]);
    });
  }

  #next(): void {
    const [first] = this.#waiting;
    if (!first) {
      this.#busy -= 1;
      return;
    }
    const [party, line] = first;
    this.#waiting.delete(party);
    line.shift()?.();
    if (line.length > 0) this.#waiting.set(party, line);
  }
}
