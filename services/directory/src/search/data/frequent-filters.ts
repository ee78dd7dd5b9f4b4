import type { Gathering } from './gathering.ts';

/** So long an index isn't asked again. */
const rememberedMs = 60_000;
const mostRemembered = 1_000;

/**
 * Filters for which an index has lately found more candidates than are looked at: the next page of a walk needn't find that out
 * again, only to look at rows in their order as the page before. What a search answers doesn't rest on it, but for the total that a
 * walk may leave out.
 */
export class FrequentFilters {
  readonly #until = new Map<string, number>();
  readonly #now: () => number;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  has(gathering: Gathering): boolean {
    return (this.#until.get(keyOf(gathering)) ?? Number.NEGATIVE_INFINITY) > this.#now();
  }

  add(gathering: Gathering): void {
    const key = keyOf(gathering);
    this.#until.delete(key);
    const [oldest] = this.#until.keys();
    if (this.#until.size >= mostRemembered && oldest !== undefined) this.#until.delete(oldest);
    this.#until.set(key, this.#now() + rememberedMs);
  }
}

/** What is looked for where: the first of the values is the tenant. */
const keyOf = ({ query, condition, matches, most }: Gathering): string =>
  JSON.stringify([query.type, condition, matches, most, query.values]);
