import { setTimeout as sleep } from 'node:timers/promises';
import type { RevocationKind, RevocationList } from '@ostiary/access';
import { beginning, type FeedSnapshot, includes, isAsRecent } from './feed-snapshot.ts';

/** Kinds of revocation that end tokens. */
export type TokenRevocationKind = Exclude<RevocationKind, 'owner'>;

/** An entry of a tenant's part of the feed. */
export interface LoggedRevocation {
  seq: bigint;
  /** Transaction of the entry; 0 for one that was restored from a dump, where the number has no meaning. */
  xid: bigint;
  kind: TokenRevocationKind;
  key: string;
  epoch?: number;
  /** Unix seconds. */
  expiresAt: number;
}

/** Entries of a tenant that a snapshot does not include. */
export interface TenantReading {
  /** Identifies the server and its start, because another server assigns the same transaction ids again. */
  cluster: string;
  /** Snapshot of the reading. */
  snapshot: FeedSnapshot;
  entries: readonly LoggedRevocation[];
}

export interface TenantJournal {
  /** Reads all unexpired entries that a snapshot of the cluster does not include. @throws ServiceUnavailable */
  ofTenant(
    tenant: string,
    since: { cluster: string; snapshot: FeedSnapshot } | undefined,
  ): Promise<TenantReading>;
}

export interface RevocationLogOptions {
  tenant: string;
  journal: TenantJournal;
  /** Revocation list of this process, which its own reading of the feed keeps complete. */
  list: RevocationList;
  /** Clock of the list, in milliseconds. */
  monotonic: () => number;
  /** Wall clock in milliseconds. */
  clock: () => number;
}

/** A position in the log of a tenant, valid in every process. */
export interface LogPosition {
  cluster: string;
  /** Entries that the reader has. */
  since: FeedSnapshot;
  /** For a reading in several pages: all entries of it, and the last one of the previous page. */
  page?: { until: FeedSnapshot; xid: bigint; seq: bigint };
}

/** A page of the log. */
export interface LogPage {
  entries: readonly LoggedRevocation[];
  /** Position after the entries. */
  next: LogPosition;
  /** Whether further entries follow. */
  more: boolean;
  /** Returns the page with only the first entries, at least one and fewer than it has. */
  shorter(limit: number): LogPage;
}

/** Minimum milliseconds between two readings. When many users are offboarded together, one reading has many entries. */
const restMs = 50;
const retryMs = 250;

/** Number of readings with entries in this process. */
let readings = 0;

/**
 * Unexpired revocations of one tenant in memory, in the order of the durable feed. The list of the process reports each
 * new entry; a reading then appends it with its transaction. So readers that wait cost no statement while nothing is
 * revoked, and one statement serves all of them afterwards.
 */
export class RevocationLog {
  readonly #o: RevocationLogOptions;
  readonly #listeners = new Set<() => void>();
  #entries: LoggedRevocation[] = [];
  #cluster = '';
  /** Snapshot of the last reading. */
  #read: FeedSnapshot | undefined;
  /** Snapshot of the last reading with entries: it stays the position of all readers while nothing is revoked. */
  #head: FeedSnapshot = beginning;
  #generation = 0;
  #isBehind = false;
  #isFollowing = false;
  #lastBegunAt = Number.NEGATIVE_INFINITY;
  #completeAt = Number.NEGATIVE_INFINITY;
  #current: Promise<void> | undefined;
  #next: Promise<void> | undefined;

  constructor(options: RevocationLogOptions) {
    this.#o = options;
  }

  /**
   * Identifies the last reading that found entries, among those of all logs in this process: caches of pages outlive a
   * log, and the next one of the tenant must not match them.
   */
  get generation(): number {
    return this.#generation;
  }

  /** Time up to which the log has all entries, on the clock of the list. */
  get completeAt(): number {
    return this.#isBehind || this.#current
      ? this.#completeAt
      : Math.max(this.#completeAt, this.#o.list.freshAt);
  }

  /** Position of a reader that has all entries. */
  get head(): LogPosition {
    return { cluster: this.#cluster, since: this.#head };
  }

  /** Notes that the list has a new entry of the tenant, and reads it. */
  noteRevoked(): void {
    // Entries that the list had before are in the log.
    this.#completeAt = this.completeAt;
    this.#isBehind = true;
    void this.#follow();
  }

  /** Calls `listener` after each reading that found entries. Returns a function that removes it. */
  onEntries(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * Reads until the log is as recent as a position, which another process may have issued.
   * @returns the position; the beginning if the position is of another cluster
   */
  async reach(position: LogPosition | undefined): Promise<LogPosition> {
    if (this.#read === undefined) await this.read();
    const wanted = position?.page?.until ?? position?.since;
    const isReached = (): boolean =>
      position?.cluster === this.#cluster &&
      wanted !== undefined &&
      isAsRecent(this.#read ?? beginning, wanted);
    if (position && !isReached()) await this.read();
    return position && isReached() ? position : { cluster: this.#cluster, since: beginning };
  }

  /** Reads the feed. The log then has all entries that were committed before the call. @throws ServiceUnavailable */
  read(): Promise<void> {
    // A running reading may have missed the last entries.
    this.#next ??= (this.#current ?? Promise.resolve())
      .catch(() => undefined)
      .then(() => {
        this.#next = undefined;
        const current = this.#readOnce().finally(() => {
          this.#current = undefined;
        });
        this.#current = current;
        return current;
      });
    return this.#next;
  }

  /** Returns the entries after a position of `reach`, at most `limit`. */
  after(position: LogPosition, limit: number): LogPage {
    const { cluster, since, page } = position;
    const until = page?.until ?? this.#head;
    const entries: LoggedRevocation[] = [];
    for (let at = this.#startOf(since, page); at < this.#entries.length; at += 1) {
      const entry = this.#entries[at] as LoggedRevocation;
      if (includes(since, entry.xid) || !includes(until, entry.xid)) continue;
      if (entries.length === limit) return cut({ cluster, since, until }, entries, limit);
      entries.push(entry);
    }
    // Entries that were appended while the reader fetched its pages follow.
    const more = page !== undefined && this.#entries.some(({ xid }) => !includes(until, xid));
    const next = more ? { cluster, since: until } : this.head;
    const shorter = (to: number): LogPage => cut({ cluster, since, until }, entries, to);
    return { entries, next, more, shorter };
  }

  /** Returns the index of the first entry that can follow a position. */
  #startOf(since: FeedSnapshot, page: LogPosition['page']): number {
    const isAfter = ({ xid, seq }: LoggedRevocation): boolean =>
      page ? xid > page.xid || (xid === page.xid && seq > page.seq) : xid >= since.xmin;
    let [low, high] = [0, this.#entries.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (isAfter(this.#entries[middle] as LoggedRevocation)) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  async #follow(): Promise<void> {
    if (this.#isFollowing) return;
    this.#isFollowing = true;
    while (this.#isBehind) {
      const rest = this.#lastBegunAt + restMs - this.#o.monotonic();
      if (rest > 0) await sleep(rest, undefined, { ref: false });
      await this.read().catch(() => sleep(retryMs, undefined, { ref: false }));
    }
    this.#isFollowing = false;
  }

  async #readOnce(): Promise<void> {
    const { tenant, journal, monotonic } = this.#o;
    const begunAt = monotonic();
    const wasBehind = this.#isBehind;
    this.#completeAt = this.completeAt;
    this.#lastBegunAt = begunAt;
    this.#isBehind = false;
    try {
      const since = this.#read && { cluster: this.#cluster, snapshot: this.#read };
      this.#append(await journal.ofTenant(tenant, since));
    } catch (error) {
      this.#isBehind ||= wasBehind;
      if (this.#isBehind) void this.#follow();
      throw error;
    }
    this.#completeAt = Math.max(this.#completeAt, begunAt);
  }

  #append({ cluster, snapshot, entries }: TenantReading): void {
    const isFirst = cluster !== this.#cluster;
    const now = this.#o.clock() / 1000;
    const kept = isFirst ? [] : this.#entries.filter(({ expiresAt }) => expiresAt > now);
    // Only entries of transactions that committed late are not at the end.
    const [earliest] = entries;
    const end = earliest ? kept.splice(kept.findLastIndex((one) => inOrder(one, earliest) < 0) + 1) : [];
    this.#entries = kept.concat(end.concat(entries).sort(inOrder));
    this.#cluster = cluster;
    this.#read = snapshot;
    if (!isFirst && entries.length === 0) return;
    this.#head = snapshot;
    readings += 1;
    this.#generation = readings;
    for (const listener of this.#listeners) listener();
  }
}

/** Returns the first entries of a reading. */
function cut(
  reading: { cluster: string; since: FeedSnapshot; until: FeedSnapshot },
  all: readonly LoggedRevocation[],
  limit: number,
): LogPage {
  const { cluster, since, until } = reading;
  const entries = all.slice(0, limit);
  const { xid, seq } = entries.at(-1) as LoggedRevocation;
  return {
    entries,
    next: { cluster, since, page: { until, xid, seq } },
    more: true,
    shorter: (to) => cut(reading, entries, to),
  };
}

const inOrder = (a: LoggedRevocation, b: LoggedRevocation): number =>
  a.xid === b.xid ? (a.seq < b.seq ? -1 : 1) : a.xid < b.xid ? -1 : 1;
