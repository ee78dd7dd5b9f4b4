import type { Sql } from '@ostiary/database';

/** Maximum number of rows per deletion, so that locks are short. */
const batch = 1_000;

/** Deletes at most `limit` expired rows. Returns their number. */
export type Prune = (sql: Sql, limit: number) => Promise<number>;

/**
 * Deletes expired rows until none is left, or until it is stopped. Every process may run it concurrently.
 * @returns the number of deleted rows
 */
export async function pruneAll(sql: Sql, prunings: readonly Prune[], signal?: AbortSignal): Promise<number> {
  let total = 0;
  for (const prune of prunings) {
    let deleted = batch;
    while (deleted === batch && !signal?.aborted) {
      deleted = await prune(sql, batch);
      total += deleted;
    }
  }
  return total;
}
