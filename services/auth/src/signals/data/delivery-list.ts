import { type Sql, wayOf } from '@ostiary/database';
import type { IdPage } from '@ostiary/service';
import { Conditions } from '../../database/data/index.ts';
import type { ReceiverKind } from '../../events/index.ts';
import type { DeliveryState } from '../domain/delivery.ts';
import type { Counted, DeliveryFilter, DeliveryStore, DeliverySummary } from '../domain/delivery-store.ts';
import { findNotified, receiverStatus } from './receivers.ts';

const columns = `d.id, d.receiver_kind AS "receiverKind", d.receiver_id AS "receiverId",
  coalesce(f.type, d.payload ->> 'type') AS type, f.subject_kind AS "subjectKind", f.subject_id AS "subjectId", d.state, d.attempts,
  d.last_status AS "lastStatus", d.last_error AS "lastError",
  CASE WHEN d.state = 'pending' THEN d.due_at END AS "nextAttemptAt", d.created_at AS "createdAt",
  d.finished_at AS "finishedAt"`;
const from = 'auth.deliveries d LEFT JOIN auth.facts f ON f.tenant = d.tenant AND f.id = d.fact_id';

/** Deliveries of a tenant, newest first, from a position on; backward: the nearest before it first. */
export async function listDeliveries(
  sql: Sql,
  tenant: string,
  filter: DeliveryFilter,
  page: IdPage,
): Promise<DeliverySummary[]> {
  const where = conditions(tenant, filter);
  const { beyond, order } = wayOf(page, { newestFirst: true });
  where.add((p) => `d.id ${beyond} ${p}::uuid`, page.position);
  const { rows } = await sql.query<DeliverySummary>(
    `SELECT ${columns} FROM ${from} WHERE ${where.text} ORDER BY d.id ${order} LIMIT ${Math.trunc(page.limit)}`,
    where.values,
  );
  return rows;
}

/** Deliveries that are counted; beyond that nobody pages. */
const countedAtMost = 20_000;

/** How many there are, as far as they are counted. @param most how many, the newest ones, are looked at */
export async function countDeliveries(
  sql: Sql,
  tenant: string,
  filter: DeliveryFilter,
  most = countedAtMost,
): Promise<Counted> {
  const where = conditions(tenant, filter);
  const { rows } = await sql.query<{ looked: number }>(
    `SELECT count(*)::int AS looked FROM (
       SELECT FROM ${from} WHERE ${where.text} ORDER BY d.id DESC LIMIT ${Math.trunc(most) + 1}) looked`,
    where.values,
  );
  const looked = rows[0]?.looked ?? 0;
  return { total: Math.min(looked, most), isExact: looked <= most };
}

/** One delivery of a tenant; `lock` keeps workers and everybody else from it. */
export async function findDelivery(
  sql: Sql,
  tenant: string,
  id: string,
  o: { lock?: boolean } = {},
): Promise<(DeliverySummary & { underWay: boolean }) | undefined> {
  const { rows } = await sql.query<DeliverySummary & { underWay: boolean }>(
    `SELECT ${columns}, coalesce(d.leased_until > now(), false) AS "underWay" FROM ${from}
     WHERE d.tenant = $1 AND d.id = $2::uuid ${o.lock ? 'FOR UPDATE OF d' : ''}`,
    [tenant, id],
  );
  return rows[0];
}

/** Sends a delivery anew, with all the time there is; its place among those of its subject stays. */
export async function reviveDelivery(tx: Sql, tenant: string, id: string): Promise<void> {
  await tx.query(
    `UPDATE auth.deliveries SET state = 'pending', due_at = now(), begun_at = now(), attempts = 0, finished_at = NULL,
            leased_until = NULL
      WHERE tenant = $1 AND id = $2::uuid`,
    [tenant, id],
  );
}

/** As `reviveDelivery`, for the dead ones of a receiver written down since then; at most `limit`. @returns how many */
export async function reviveDead(
  tx: Sql,
  tenant: string,
  receiverId: string,
  since: Date | undefined,
  limit: number,
): Promise<number> {
  const { rowCount } = await tx.query(
    `UPDATE auth.deliveries SET state = 'pending', due_at = now(), begun_at = now(), attempts = 0, finished_at = NULL,
            leased_until = NULL
      WHERE (tenant, id) IN (
        SELECT tenant, id FROM auth.deliveries
         WHERE state = 'dead' AND tenant = $1 AND receiver_id = $2 AND ($3::timestamptz IS NULL OR created_at >= $3)
         ORDER BY id LIMIT $4 FOR UPDATE)`,
    [tenant, receiverId, since ?? null, limit],
  );
  return rowCount;
}

/** Deletes a delivery, whose lock the caller holds; what has waited for it may go. */
export async function deleteDelivery(tx: Sql, tenant: string, id: string): Promise<void> {
  const { rows } = await tx.query<{
    kind: ReceiverKind;
    receiverId: string;
    subjectKey: string;
    position: string;
    state: DeliveryState;
    factId: string;
  }>(
    `DELETE FROM auth.deliveries WHERE tenant = $1 AND id = $2::uuid
     RETURNING receiver_kind AS kind, receiver_id AS "receiverId", subject_key AS "subjectKey",
               position::text AS position, state, fact_id AS "factId"`,
    [tenant, id],
  );
  const [deleted] = rows;
  if (!deleted) return;
  if (deleted.state === 'pending') {
    await tx.query(
      `UPDATE auth.deliveries SET due_at = least(now(), begun_at) WHERE (tenant, id) IN (
         SELECT tenant, id FROM (
           SELECT tenant, id, position FROM auth.deliveries
            WHERE state = 'pending' AND tenant = $1 AND receiver_kind = $2 AND receiver_id = $3 AND subject_key = $4
            ORDER BY position LIMIT 1) first WHERE position > $5::bigint)
         AND state = 'pending' AND (leased_until IS NULL OR leased_until < now())`,
      [tenant, deleted.kind, deleted.receiverId, deleted.subjectKey, deleted.position],
    );
  }
  await tx.query(
    `DELETE FROM auth.facts f WHERE tenant = $1 AND id = $2
       AND NOT EXISTS (SELECT FROM auth.deliveries d WHERE d.tenant = f.tenant AND d.fact_id = f.id)`,
    [tenant, deleted.factId],
  );
}

function conditions(tenant: string, filter: DeliveryFilter): Conditions {
  const where = new Conditions('d.tenant = $1', tenant);
  const isWritten = filter.receiverId === filter.receiverId?.toLowerCase();
  where.add(
    // A receiver's id may be asked for in upper case; a client's is as it is.
    (p) => (isWritten ? `d.receiver_id = ${p}::text` : `d.receiver_id IN (${p}::text, lower(${p}::text))`),
    filter.receiverId,
  );
  where.add((p) => `d.receiver_kind = ${p}::text`, filter.receiverKind);
  // As text of the statement, so that what waits and what is dead is found by its own index.
  if (filter.state !== undefined) where.state(`d.state = '${literal(filter.state)}'`);
  where.add(
    (p) => `d.subject_key IN ('user:' || ${p}::text, 'group:' || ${p}::text, 'client:' || ${p}::text)`,
    filter.subjectId?.toLowerCase(),
  );
  where.add((p) => `f.type = ${p}::text`, filter.type);
  where.add((p) => `d.created_at >= ${p}::timestamptz`, filter.since);
  return where;
}

const states = ['held', 'pending', 'delivered', 'dead'] as const satisfies readonly DeliveryState[];

const literal = (state: DeliveryState): DeliveryState => states.find((known) => known === state) ?? 'dead';

export const deliveryStore: DeliveryStore = {
  list: listDeliveries,
  count: countDeliveries,
  find: findDelivery,
  revive: reviveDelivery,
  reviveDead,
  delete: deleteDelivery,
  findNotified,
  receiverStatus,
};
