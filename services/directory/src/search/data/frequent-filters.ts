import type { Gathering } from './gathering.ts';

/** Lifetime of an entry in milliseconds. */
const rememberedMs = 60_000;
const maxRemembered = 1_000;

/**
 * Filters for which an index has recently found more candidates than the maximum. The next page of a walk skips that
 * query and examines rows in their order, as the page before did. The result of a search does not depend on it,
 * except for the total, which a walk may omit.
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
    if (this.#until.size >= maxRemembered && oldest !== undefined) this.#until.delete(oldest);
    this.#until.set(key, this.#now() + rememberedMs);
  }
}

/** Returns the key of a search; the first of the values is the tenant. */
const keyOf = ({ query, condition, matches, most }: Gathering): string =>
  JSON.stringify([query.type, condition, matches, most, query.values]);
