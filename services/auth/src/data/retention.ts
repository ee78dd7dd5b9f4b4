import type { Database } from '@ostiary/database';
import type { Logger } from '@ostiary/service';

/** Rows deleted by one statement: few enough that nobody waits for their locks. */
const batch = 1_000;
const everyMs = 60_000;

/**
 * What has ended and can't matter any more. A grant outlives its expiry by an hour, so that a late replay still finds it; its
 * refresh families go with it.
 */
const expired = [
  `DELETE FROM auth.grants WHERE (tenant, id) IN (
     SELECT tenant, id FROM auth.grants WHERE expires_at < now() - interval '1 hour' LIMIT $1 FOR UPDATE SKIP LOCKED)`,
  `DELETE FROM auth.client_secrets WHERE (tenant, id) IN (
     SELECT tenant, id FROM auth.client_secrets WHERE expires_at < now() LIMIT $1 FOR UPDATE SKIP LOCKED)`,
  `DELETE FROM auth.signing_keys WHERE (tenant, kid) IN (
     SELECT tenant, kid FROM auth.signing_keys WHERE state = 'retired' AND retired_at < now() - interval '30 days'
     LIMIT $1 FOR UPDATE SKIP LOCKED)`,
];

/** Deletes one round of expired rows, until none are left. Any number of processes may do it at once. */
export async function pruneExpired(database: Pick<Database<unknown>, 'sql'>): Promise<number> {
  let total = 0;
  for (const statement of expired) {
    for (;;) {
      const { rowCount } = await database.sql.query(statement, [batch]);
      total += rowCount;
      if (rowCount < batch) break;
    }
  }
  return total;
}

/** Prunes every minute, so that tables stay at their steady size. Returns the way to stop it. */
export function startRetention(o: {
  database: Pick<Database<unknown>, 'sql'>;
  log: Logger;
}): () => Promise<void> {
  let running: Promise<unknown> = Promise.resolve();
  const timer = setInterval(() => {
    running = pruneExpired(o.database).catch((error) =>
      o.log.warn({ err: error }, 'expired rows not deleted'),
    );
  }, everyMs);
  timer.unref();
  return async () => {
    clearInterval(timer);
    await running;
  };
}
