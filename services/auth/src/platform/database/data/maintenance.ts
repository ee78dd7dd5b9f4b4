import type { Scan } from '@ostiary/database';
import { pruning } from './pruning.ts';

/** Primary key of most tables. */
export const keyOfPage = [
  ['tenant', 'text'],
  ['id', 'uuid'],
] as const;

/** Condition of rows that are neither revoked nor expired. */
export const liveInPage = 'page.revoked_at IS NULL AND page.expires_at > now()';

/**
 * Condition for rows created so long before an end that the end must have found them, including the longest
 * transaction. Rows created concurrently are subject to epochs and locks and prove nothing.
 */
export const longBefore = (end: string): string => `page.created_at < ${end} - interval '10 seconds'`;

/** Returns the invariant that no row waits longer than `waitingSeconds`. @param detail expression */
export const waitingScan = (
  scan: Omit<Scan, 'flaws' | 'parameter'>,
  { since, detail, waitingSeconds }: { since: string; detail: string; waitingSeconds: number },
): Scan => ({
  ...scan,
  parameter: waitingSeconds,
  flaws: `SELECT page.tenant, page.id::text AS id, ${detail} AS detail FROM page
           WHERE page.${since} < now() - $1::float8 * interval '1 second'`,
});

export const pruneIdempotencyKeys = pruning(
  'maintenance.prune-idempotency-keys',
  'idempotency_keys',
  "created_at < now() - interval '1 day'",
  'tenant, digest',
);
