/** A statement is prepared from its third use on: what is built for one occasion never is. */
const usesBefore = 2;
/** Each takes memory on every connection. */
const preparedAtMost = 500;
const watchedAtMost = 2_000;

/**
 * Begins a statement that is planned anew each time: of queues, which are empty when a plan would be kept and long when it
 * matters.
 */
export const plannedAnew = '/* planned anew */ ';

/** The statements of one pool, of which those used again and again get a name. */
export class PreparedStatements {
  /** Texts and how often they were used so far, or the name under which connections have them prepared. */
  readonly #texts = new Map<string, number | string>();
  #prepared = 0;

  /**
   * The name under which to prepare a statement, once it has turned out to be used again and again; PostgreSQL then neither
   * parses nor plans it anew each time, which costs more than running most of ours. A name means the same text on
   * every connection of the pool, for as long as it lasts.
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

  /** A statement that has to be planned anew: when it is prepared again it has another name, on every connection. */
  renew(text: string): void {
    this.#texts.delete(text);
  }

  #forgetWatched(): void {
    for (const [text, entry] of this.#texts) if (typeof entry === 'number') this.#texts.delete(text);
  }
}
