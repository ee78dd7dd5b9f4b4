/** Position of a subject's published facts, in the order of versions. */
export interface Cursor {
  /** Every version up to this one is published; null if no earlier version is known. */
  version: bigint | null;
  /** Versions that arrived before their predecessors and wait. */
  early: readonly bigint[];
}

export interface Gating {
  cursor: Cursor;
  /** Arriving versions to publish now, in this order. */
  passed: bigint[];
  /** Waiting versions to publish now, in this order, after passed ones below them. */
  released: bigint[];
  /** Arriving versions that must wait. */
  held: bigint[];
}

/**
 * Orders versions of one subject. The directory increments the version with each change and sends each version exactly
 * once, but events can overtake each other: a version that arrives before its predecessor waits for it. A version that
 * arrives after its successor was published (whose waiting time had ended) is published late.
 * @param waited a version whose waiting time has ended: it passes without its predecessor
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

/** Releases the earliest waiting version, whose waiting time has ended, and its successors. */
export function giveWay({ version, early }: Cursor): { cursor: Cursor; released: bigint[] } {
  const [first] = [...early].sort(ascending);
  if (first === undefined) return { cursor: { version, early }, released: [] };
  return gate({ version, early }, [], first);
}

const ascending = (a: bigint, b: bigint): number => (a < b ? -1 : a > b ? 1 : 0);
