/**
 * Transactions whose entries a reading of the feed found (`pg_current_snapshot`). Entries get their numbers before
 * they are committed, so a number cannot be the position of a reader: an entry with a lower number may follow.
 */
export interface FeedSnapshot {
  /** Every earlier transaction is included. */
  readonly xmin: bigint;
  /** This transaction and every later one are not. */
  readonly xmax: bigint;
  /** Transactions between both that are not included, ascending. */
  readonly open: readonly bigint[];
}

/** Includes no transaction. */
export const beginning: FeedSnapshot = { xmin: 0n, xmax: 0n, open: [] };

/** Reports whether a snapshot includes the entries of a transaction. */
export const includes = ({ xmin, xmax, open }: FeedSnapshot, xid: bigint): boolean =>
  xid < xmin || (xid < xmax && !open.includes(xid));

/** Reports whether one snapshot of a server includes at least what another does. */
export const isAsRecent = (one: FeedSnapshot, other: FeedSnapshot): boolean =>
  one.xmax === other.xmax ? one.open.length <= other.open.length : one.xmax > other.xmax;

/** Returns the text of PostgreSQL, `xmin:xmax:xip_list`. */
export const snapshotText = ({ xmin, xmax, open }: FeedSnapshot): string =>
  // 0 is no valid transaction id, and 1 is that of no transaction.
  xmax === 0n ? '1:1:' : `${xmin}:${xmax}:${open.join(',')}`;

/** @throws Error for a text that PostgreSQL does not produce */
export function snapshotOf(text: string): FeedSnapshot {
  const [, xmin, xmax, open = ''] = /^(\d{1,20}):(\d{1,20}):((?:\d{1,20}(?:,\d{1,20})*)?)$/.exec(text) ?? [];
  if (xmin === undefined || xmax === undefined) throw new Error('the database returned no snapshot');
  return {
    xmin: BigInt(xmin),
    xmax: BigInt(xmax),
    open: open === '' ? [] : open.split(',').map(BigInt),
  };
}
