import type { Sql } from '@ostiary/database';
import { pruneApiTokens } from './api-tokens.ts';
import { pruneCredentials } from './credentials.ts';
import { pruneInvitations } from './invitations.ts';
import { pruneRevocations } from './revocations.ts';
import { pruneSessions } from './sessions.ts';

/** Rows one statement deletes: few enough that nobody waits for their locks. */
const batch = 1_000;

type Prune = (sql: Sql, limit: number) => Promise<number>;

const deletion =
  (statement: string): Prune =>
  async (sql, limit) =>
    (await sql.query(statement, [limit])).rowCount;

/** What has ended and can't matter any more, table by table. */
const prunings: readonly Prune[] = [
  pruneSessions,
  pruneCredentials,
  pruneInvitations,
  pruneApiTokens,
  pruneRevocations,
  // A grant outlives its expiry by an hour, so that a late replay still finds it; its refresh families go with it.
  deletion(`DELETE FROM auth.grants WHERE (tenant, id) IN (
     SELECT tenant, id FROM auth.grants WHERE expires_at < now() - interval '1 hour' LIMIT $1 FOR UPDATE SKIP LOCKED)`),
  deletion(`DELETE FROM auth.client_secrets WHERE (tenant, id) IN (
     SELECT tenant, id FROM auth.client_secrets WHERE expires_at < now() LIMIT $1 FOR UPDATE SKIP LOCKED)`),
  deletion(`DELETE FROM auth.initial_access_tokens WHERE (tenant, id) IN (
     SELECT tenant, id FROM auth.initial_access_tokens WHERE expires_at < now() LIMIT $1 FOR UPDATE SKIP LOCKED)`),
  deletion(`DELETE FROM auth.signing_keys WHERE (tenant, kid) IN (
     SELECT tenant, kid FROM auth.signing_keys WHERE state = 'retired' AND retired_at < now() - interval '30 days'
     LIMIT $1 FOR UPDATE SKIP LOCKED)`),
];

/**
 * Deletes what has expired until none is left, or until it is told to stop. Any number of processes may do it at once.
 * @returns how many rows were deleted
 */
export async function pruneExpired(sql: Sql, signal?: AbortSignal): Promise<number> {
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
