import type { Sql } from '@ostiary/database';
import { isUuid } from '@ostiary/service';
import type { Receiver } from '../domain/delivery.ts';
import {
  type Exclusion,
  primaryAddress,
  type SignalSubjects,
  type StreamOwner,
  type StreamStore,
} from '../domain/stream-store.ts';
import { findReceiver, type ReceiverRow, receiverColumns, receiverFrom } from './receivers.ts';

/** A stream of this client; `lock` keeps everybody else from changing it. */
export async function findStream(
  sql: Sql,
  { tenant, clientId }: StreamOwner,
  id: string,
  o: { lock?: boolean } = {},
): Promise<Receiver | undefined> {
  if (!isUuid(id)) return undefined;
  const found = await findReceiver(sql, tenant, id, { kind: 'ssf', ...o });
  return found?.clientId === clientId ? found : undefined;
}

/** All streams of a client, in the order they were made. */
export async function listStreams(sql: Sql, { tenant, clientId }: StreamOwner): Promise<Receiver[]> {
  const { rows } = await sql.query<ReceiverRow>(
    `SELECT ${receiverColumns} FROM auth.receivers WHERE tenant = $1 AND kind = 'ssf' AND client_id = $2 ORDER BY id`,
    [tenant, clientId],
  );
  return rows.map(receiverFrom);
}

/** How many streams a client has. Whoever adds one asks in the transaction, with the tenant's receivers locked. */
export async function countStreams(tx: Sql, { tenant, clientId }: StreamOwner): Promise<number> {
  // The lock `insertReceiver` takes.
  await tx.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`receivers/${tenant}`]);
  const { rows } = await tx.query<{ total: number }>(
    `SELECT count(*)::int AS total FROM auth.receivers WHERE tenant = $1 AND kind = 'ssf' AND client_id = $2`,
    [tenant, clientId],
  );
  return rows[0]?.total ?? 0;
}

/**
 * Notes a verification request. False when the last one was less than so many seconds ago; of parallel ones a single one
 * is noted.
 */
export async function noteVerification(
  tx: Sql,
  { tenant, id }: Pick<Receiver, 'tenant' | 'id'>,
  seconds: number,
): Promise<boolean> {
  const { rowCount } = await tx.query(
    `UPDATE auth.receivers SET verified_at = now()
      WHERE tenant = $1 AND id = $2::uuid AND (verified_at IS NULL OR verified_at <= now() - make_interval(secs => $3))`,
    [tenant, id, seconds],
  );
  return rowCount > 0;
}

/** Excludes a subject unless `most` are excluded already; then false. To exclude one again changes nothing. */
export async function excludeSubject(
  tx: Sql,
  { tenant, id }: Pick<Receiver, 'tenant' | 'id'>,
  subject: Exclusion,
  most: number,
): Promise<boolean> {
  const { rows } = await tx.query<{ fits: boolean }>(
    `WITH excluded AS (
       INSERT INTO auth.receiver_exclusions (tenant, receiver_id, subject_kind, subject_id)
       SELECT $1, $2::uuid, $3, $4
       WHERE (SELECT count(*) FROM auth.receiver_exclusions WHERE tenant = $1 AND receiver_id = $2::uuid) < $5
       ON CONFLICT DO NOTHING RETURNING 1
     )
     SELECT EXISTS (SELECT FROM excluded) OR EXISTS (
       SELECT FROM auth.receiver_exclusions
        WHERE tenant = $1 AND receiver_id = $2::uuid AND subject_kind = $3 AND subject_id = $4) AS fits`,
    [tenant, id, subject.kind, subject.id, most],
  );
  return rows[0]?.fits === true;
}

export async function includeSubject(
  sql: Sql,
  { tenant, id }: Pick<Receiver, 'tenant' | 'id'>,
  subject: Exclusion,
): Promise<void> {
  await sql.query(
    // That the receiver wants to know more than before is a change of it.
    `WITH included AS (
       DELETE FROM auth.receiver_exclusions
        WHERE tenant = $1 AND receiver_id = $2::uuid AND subject_kind = $3 AND subject_id = $4 RETURNING 1
     )
     UPDATE auth.receivers SET updated_at = now()
      WHERE tenant = $1 AND id = $2::uuid AND EXISTS (SELECT FROM included)`,
    [tenant, id, subject.kind, subject.id],
  );
}

/** Whether a user has left since a version of theirs, and not come back, as far as this service has heard. */
export async function hasLeftSince(
  sql: Sql,
  tenant: string,
  subjectId: string,
  version: string | null,
): Promise<boolean> {
  if (!isUuid(subjectId) || version === null) return false;
  const { rowCount } = await sql.query(
    'SELECT FROM auth.subjects WHERE tenant = $1 AND id = $2::uuid AND NOT active AND version > $3::bigint',
    [tenant, subjectId, version],
  );
  return rowCount > 0;
}

/** A user's address when this service last heard of them; undefined for one who has none, or is gone. */
export async function addressOf(sql: Sql, tenant: string, subjectId: string): Promise<string | undefined> {
  if (!isUuid(subjectId)) return undefined;
  const { rows } = await sql.query<{ emails: unknown }>(
    `SELECT profile->'emails' AS emails FROM auth.subjects WHERE tenant = $1 AND id = $2::uuid`,
    [tenant, subjectId],
  );
  return primaryAddress(rows[0]?.emails);
}

export const streamStore: StreamStore = {
  find: findStream,
  list: listStreams,
  count: countStreams,
  noteVerification,
  exclude: excludeSubject,
  include: includeSubject,
};

export const signalSubjects = (sql: Sql): SignalSubjects => ({
  hasLeftSince: (tenant, subjectId, version) => hasLeftSince(sql, tenant, subjectId, version),
  addressOf: (tenant, subjectId) => addressOf(sql, tenant, subjectId),
});
