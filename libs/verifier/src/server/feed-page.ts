/** An entry of the public revocation feed (docs/reference/revocation-feed.md). */
export interface FeedEntry {
  kind: string;
  /** Absent for `tenant`. */
  digest?: string;
  epoch?: number;
  /** Unix seconds. */
  expires_at: number;
}

/** A page of the public revocation feed. */
export interface FeedPage {
  /** Base64url. */
  digest_key: string;
  entries: FeedEntry[];
  /** Position after the page. */
  cursor: string;
  more: boolean;
  /** Milliseconds after the arrival of the request up to which the page is complete; only for the last page. */
  complete_after_ms?: number;
}

/** Reports whether a response has the form of a page. Other members are ignored. */
export function isFeedPage(value: unknown): value is FeedPage {
  const page = value as Partial<FeedPage> | null;
  return (
    typeof page === 'object' &&
    page !== null &&
    typeof page.digest_key === 'string' &&
    page.digest_key !== '' &&
    typeof page.cursor === 'string' &&
    typeof page.more === 'boolean' &&
    (page.more || typeof page.complete_after_ms === 'number') &&
    Array.isArray(page.entries) &&
    page.entries.every(isEntry)
  );
}

const isEntry = (entry: Partial<FeedEntry> | null): boolean =>
  typeof entry === 'object' &&
  entry !== null &&
  typeof entry.kind === 'string' &&
  typeof entry.expires_at === 'number' &&
  (entry.epoch === undefined || typeof entry.epoch === 'number') &&
  (entry.kind === 'tenant' || typeof entry.digest === 'string');
