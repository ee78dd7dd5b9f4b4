/** Number of uses before a statement is prepared; one-off texts never are. */
const usesBefore = 2;
/** Each takes memory on every connection. */
const preparedAtMost = 500;
const watchedAtMost = 2_000;

/**
 * Prefix of a statement that is planned for each execution: queues are empty when a plan would be cached and
 * long when it matters.
 */
export const plannedAnew = '/* planned anew */ ';

/** Statements of a pool; recurring ones get a name. */
export class PreparedStatements {
  /** Text → number of uses, or the name under which connections have it prepared. */
  readonly #texts = new Map<string, number | string>();
  #prepared = 0;

  /**
   * Returns the name for preparing a recurring statement, which saves parsing and planning, usually the
   * larger part of its cost. A name has the same text on every connection of the pool.
   */
  nameOf(text: string): string | undefined {
    if (text.startsWith(plannedAnew)) return undefined;
    const known = this.#texts.get(text);
    if (typeof known === 'string') return known;
    const uses = known ?? 0;
    if (uses < usesBefore) {
      if (this.#texts.size >= watchedAtMost) this.#forgetWatched();
      this.#texts.set(text, uses + 1);
      return undefined;
    }
    if (this.#prepared >= preparedAtMost) return undefined;
    this.#prepared += 1;
    const name = `s${this.#prepared}`;
    this.#texts.set(text, name);
    return name;
  }

  /** Forces a new plan: a statement that is prepared again has another name, on every connection. */
  renew(text: string): void {
    this.#texts.delete(text);
  }

  #forgetWatched(): void {
    for (const [text, entry] of this.#texts) if (typeof entry === 'number') this.#texts.delete(text);
  }
}
