import { type Sql, wayOf } from '@ostiary/database';
import type { IdPage } from '@ostiary/service';
import type { Receiver } from '../domain/delivery.ts';
import type { NewReceiver, ReceiverChange, ReceiverHealth, ReceiverStore } from '../domain/receiver-store.ts';

/** A receiver as a statement gives it: `receiverColumns`. */
export type ReceiverRow = Receiver;

export const receiverColumns = `tenant, id, kind, name, client_id AS "clientId", endpoint, status, status_reason AS "statusReason",
  fact_types AS "factTypes", settings, secrets, failing_since AS "failingSince", verified_at AS "verifiedAt", version, created_at AS "createdAt",
  updated_at AS "updatedAt"`;

export const receiverFrom = (row: ReceiverRow): Receiver => ({
  ...row,
  secrets: row.secrets && Buffer.from(row.secrets),
});

/** A receiver of this tenant; `lock` keeps everybody else from changing it. */
export async function findReceiver(
  sql: Sql,
  tenant: string,
  id: string,
  o: { kind: Receiver['kind']; lock?: boolean },
): Promise<Receiver | undefined> {
  const { rows } = await sql.query<ReceiverRow>(
    `SELECT ${receiverColumns} FROM auth.receivers WHERE tenant = $1 AND id = $2::uuid AND kind = $3
     ${o.lock ? 'FOR NO KEY UPDATE' : ''}`,
    [tenant, id, o.kind],
  );
  return rows[0] && receiverFrom(rows[0]);
}

/** Receivers of one kind in the order they were made, from a position on; backward: the nearest before it first. */
export async function listReceivers(
  sql: Sql,
  tenant: string,
  kind: Receiver['kind'],
  page: IdPage,
): Promise<Receiver[]> {
  const { beyond, order } = wayOf(page);
  const { rows } = await sql.query<ReceiverRow>(
    `SELECT ${receiverColumns} FROM auth.receivers
     WHERE tenant = $1 AND kind = $2 AND ($3::uuid IS NULL OR id ${beyond} $3::uuid) ORDER BY id ${order} LIMIT $4`,
    [tenant, kind, page.position ?? null, page.limit],
  );
  return rows.map(receiverFrom);
}

export async function countReceivers(sql: Sql, tenant: string, kind: Receiver['kind']): Promise<number> {
  const { rows } = await sql.query<{ total: number }>(
    'SELECT count(*)::int AS total FROM auth.receivers WHERE tenant = $1 AND kind = $2',
    [tenant, kind],
  );
  return rows[0]?.total ?? 0;
}

/** Adds one unless the tenant has `most` of its kind already; then undefined. */
export async function insertReceiver(
  tx: Sql,
  tenant: string,
  receiver: NewReceiver,
  most: number,
): Promise<Receiver | undefined> {
  // Serializes those who add to one tenant, so that the count holds.
  await tx.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`receivers/${tenant}`]);
  const { rows } = await tx.query<ReceiverRow>(
    `INSERT INTO auth.receivers (tenant, id, kind, name, client_id, endpoint, status, fact_types, settings, secrets)
     SELECT $1, $2, $3, $4, $5, $6, $7, $8::text[], $9::jsonb, $10
     WHERE (SELECT count(*) FROM auth.receivers WHERE tenant = $1 AND kind = $3) < $11
     RETURNING ${receiverColumns}`,
    [
      tenant,
      receiver.id,
      receiver.kind,
      receiver.name,
      receiver.clientId,
      receiver.endpoint,
      receiver.status,
      receiver.factTypes,
      JSON.stringify(receiver.settings),
      receiver.secrets,
      most,
    ],
  );
  return rows[0] && receiverFrom(rows[0]);
}

/** Overwrites a receiver, whose lock the caller holds. One that is enabled again starts with a clean slate. */
export async function updateReceiver(
  tx: Sql,
  tenant: string,
  id: string,
  change: ReceiverChange,
): Promise<Receiver> {
  const { rows } = await tx.query<ReceiverRow>(
    `UPDATE auth.receivers SET name = $3, endpoint = $4, status = $5, status_reason = $6, fact_types = $7::text[],
            settings = $8::jsonb, secrets = $9, version = version + 1, updated_at = now(),
            resumed_at = CASE WHEN $5 = 'enabled' AND status <> 'enabled' THEN now() ELSE resumed_at END,
            failing_since = CASE WHEN $5 = 'enabled' AND status <> 'enabled' OR $4 IS DISTINCT FROM endpoint THEN NULL ELSE failing_since END
      WHERE tenant = $1 AND id = $2::uuid RETURNING ${receiverColumns}`,
    [
      tenant,
      id,
      change.name,
      change.endpoint,
      change.status,
      change.statusReason,
      change.factTypes,
      JSON.stringify(change.settings),
      change.secrets,
    ],
  );
  return receiverFrom(rows[0] as ReceiverRow);
}

/** Gives up what waits for a receiver that is disabled; it can be replayed. */
export async function giveUpWaiting(
  tx: Sql,
  { tenant, kind, id }: Pick<Receiver, 'tenant' | 'kind' | 'id'>,
): Promise<void> {
  await tx.query(
    `UPDATE auth.deliveries SET state = 'dead', finished_at = now(), leased_until = NULL,
            last_error = 'The receiver is disabled.'
      WHERE tenant = $1 AND receiver_kind = $2 AND receiver_id = $3 AND state IN ('held', 'pending') AND NOT regardless`,
    [tenant, kind, id],
  );
}

/** Removes a receiver; its deliveries are removed later, in batches (`pruneOutward`). False when the tenant has no such receiver. */
export async function deleteReceiver(
  tx: Sql,
  tenant: string,
  id: string,
  kind: Receiver['kind'],
): Promise<boolean> {
  const { rowCount } = await tx.query(
    'DELETE FROM auth.receivers WHERE tenant = $1 AND id = $2::uuid AND kind = $3',
    [tenant, id, kind],
  );
  return rowCount > 0;
}

/** Notes that messages do, or don't, arrive there. */
export async function noteHealth(sql: Sql, tenant: string, id: string, healthy: boolean): Promise<void> {
  await sql.query(
    healthy
      ? 'UPDATE auth.receivers SET failing_since = NULL WHERE tenant = $1 AND id = $2::uuid AND failing_since IS NOT NULL'
      : 'UPDATE auth.receivers SET failing_since = now() WHERE tenant = $1 AND id = $2::uuid AND failing_since IS NULL',
    [tenant, id],
  );
}

/** Disables a receiver that said it is gone. False when it was disabled, or removed, already, or is elsewhere meanwhile. */
export async function disableReceiver(
  sql: Sql,
  { tenant, id, endpoint }: Pick<Receiver, 'tenant' | 'id' | 'endpoint'>,
  reason: string,
): Promise<boolean> {
  const { rowCount } = await sql.query(
    `UPDATE auth.receivers SET status = 'disabled', status_reason = $3, version = version + 1, updated_at = now()
      WHERE tenant = $1 AND id = $2::uuid AND status <> 'disabled' AND endpoint IS NOT DISTINCT FROM $4`,
    [tenant, id, reason, endpoint],
  );
  return rowCount > 0;
}

/** Of a receiver of any kind; locked, so that it stays so until the transaction ends. */
export async function receiverStatus(
  tx: Sql,
  tenant: string,
  id: string,
): Promise<Receiver['status'] | undefined> {
  const { rows } = await tx.query<Pick<Receiver, 'status'>>(
    'SELECT status FROM auth.receivers WHERE tenant = $1 AND id = $2::uuid FOR SHARE',
    [tenant, id],
  );
  return rows[0]?.status;
}

/** What of the tenant is notified and has this id: a receiver, or a client. */
export async function findNotified(
  sql: Sql,
  tenant: string,
  id: string,
): Promise<{ kind: Receiver['kind'] | 'client'; id: string } | undefined> {
  const { rows } = await sql.query<{ kind: Receiver['kind'] | 'client'; id: string }>(
    `SELECT kind, id::text FROM auth.receivers WHERE tenant = $1 AND id::text = lower($2)
     UNION ALL SELECT 'client', client_id FROM auth.clients WHERE tenant = $1 AND client_id = $2`,
    [tenant, id],
  );
  return rows[0];
}

export const receiverStore: ReceiverStore = {
  find: findReceiver,
  list: listReceivers,
  count: countReceivers,
  insert: insertReceiver,
  update: updateReceiver,
  giveUpWaiting,
  delete: deleteReceiver,
};

export const receiverHealth = (sql: Sql): ReceiverHealth => ({
  note: (tenant, id, healthy) => noteHealth(sql, tenant, id, healthy),
  disable: (receiver, reason) => disableReceiver(sql, receiver, reason),
});
