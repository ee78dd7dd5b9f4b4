/** How far a subject's facts were told in the order of their versions. */
export interface Cursor {
  /** All up to this one were told; null: nothing is known of what was before. */
  version: bigint | null;
  /** Versions that came too early and wait. */
  early: readonly bigint[];
}

export interface Gating {
  cursor: Cursor;
  /** Of those that arrive: told now, in this order. */
  passed: bigint[];
  /** Of those that came before: their time has come, in this order, after what passed below them. */
  released: bigint[];
  /** Of those that arrive: too early. */
  held: bigint[];
}

/**
 * Puts versions of one subject in order. The directory gives each change the next version and tells of each exactly once,
 * but its events overtake each other: one that comes before its predecessor waits for it. One that comes after its
 * successor was told (because that had waited long enough) is told late.
 * @param waited a version that has waited long enough: it goes, whatever was before it
 */
export function gate(cursor: Cursor, arriving: readonly bigint[], waited?: bigint): Gating {
  const passed: bigint[] = [];
  const released: bigint[] = [];
  const early = new Set(cursor.early);
  const fresh = new Set<bigint>();
  let { version } = cursor;
  for (const arrived of arriving) {
    if (version !== null && arrived <= version) passed.push(arrived);
    else fresh.add(arrived);
  }
  const waiting = [...new Set([...early, ...fresh])].sort(ascending);
  for (const next of waiting) {
    const follows = version !== null && next === version + 1n;
    if (!follows && next !== 1n && next !== waited) break;
    (fresh.has(next) ? passed : released).push(next);
    version = next;
  }
  const left = waiting.filter((one) => version === null || one > version);
  return { cursor: { version, early: left }, passed, released, held: left.filter((one) => fresh.has(one)) };
}

/** What becomes of a subject whose earliest waiting version has waited long enough: it and what follows it go. */
export function giveWay({ version, early }: Cursor): { cursor: Cursor; released: bigint[] } {
  const [first] = [...early].sort(ascending);
  if (first === undefined) return { cursor: { version, early }, released: [] };
  return gate({ version, early }, [], first);
}

const ascending = (a: bigint, b: bigint): number => (a < b ? -1 : a > b ? 1 : 0);
