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

/** Texts and how often they were used so far, or the name under which connections have them prepared. */
const texts = new Map<string, number | string>();
let prepared = 0;

/**
 * The name under which to prepare a statement, once it has turned out to be used again and again; PostgreSQL then neither
 * parses nor plans it anew each time, which costs more than running most of ours. A name means the same text on
 * every connection of this process, for as long as it runs.
 */
export function preparedName(text: string): string | undefined {
  if (text.startsWith(plannedAnew)) return undefined;
  const known = texts.get(text);
  if (typeof known === 'string') return known;
  const uses = known ?? 0;
  if (uses < usesBefore) {
    if (texts.size >= watchedAtMost) forgetWatched();
    texts.set(text, uses + 1);
    return undefined;
  }
  if (prepared >= preparedAtMost) return undefined;
  prepared += 1;
  const name = `s${prepared}`;
  texts.set(text, name);
  return name;
}

function forgetWatched(): void {
  for (const [text, entry] of texts) if (typeof entry === 'number') texts.delete(text);
}
