import { type Scan, type Sql, statement } from '@ostiary/database';

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

const prune = statement({
  name: 'upkeep.prune-idempotency-keys',
  reason: 'set',
  text: `DELETE FROM auth.idempotency_keys WHERE (tenant, digest) IN (
     SELECT tenant, digest FROM auth.idempotency_keys WHERE created_at < now() - interval '1 day'
     LIMIT $limit FOR UPDATE SKIP LOCKED)`,
  parameters: { limit: 'int8' },
});

export const pruneIdempotencyKeys = (sql: Sql, limit: number): Promise<number> => prune.count(sql, { limit });
