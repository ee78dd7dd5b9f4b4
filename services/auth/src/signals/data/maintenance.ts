import { type Database, plannedAnew, type Sql, sealedColumn, statement } from '@ostiary/database';
import { keyOfPage } from '../../platform/database/data/maintenance.ts';
import type { SealedColumnOf } from '../../tenancy/keys/data/maintenance.ts';
import type { DeliveryMaintenance, DeliveryNotices } from '../domain/delivery-queue.ts';
import { receiverContext } from '../domain/receiver-secrets.ts';
import { releaseOverdue } from './cursors.ts';
import { deadDeliveries, openDeliveries } from './deliveries.ts';
import { lanes } from './delivery-statements.ts';
import { deliveriesChannel } from './facts.ts';

const bury = statement({
  name: 'signals.bury-undeliverable',
  reason: 'set',
  text: `${plannedAnew}WITH RECURSIVE ${lanes}, chosen AS (
        SELECT p.tenant, p.id, r.status = 'disabled' AS disabled
        FROM lane JOIN auth.receivers r ON r.tenant = lane.tenant
          AND r.id = CASE WHEN lane.receiver_kind IN ('webhook', 'ssf') THEN lane.receiver_id::uuid END
        CROSS JOIN LATERAL (
          SELECT p.tenant, p.id FROM auth.deliveries p
           WHERE p.state = 'pending' AND p.receiver_kind = lane.receiver_kind AND p.tenant = lane.tenant
             AND p.receiver_id = lane.receiver_id AND NOT p.regardless
             AND (p.leased_until IS NULL OR p.leased_until < now())
             AND (r.status = 'disabled' OR (p.due_at < now() - make_interval(secs => $giveUpSeconds)
                  AND coalesce(r.resumed_at, '-infinity') < now() - make_interval(secs => $giveUpSeconds)))
           LIMIT $limit FOR UPDATE SKIP LOCKED) p
        WHERE r.status = 'disabled' OR (r.status = 'enabled' AND r.endpoint IS NULL) LIMIT $limit
     ), buried AS (
       UPDATE auth.deliveries d SET state = 'dead', finished_at = now(), leased_until = NULL,
              last_error = coalesce(d.last_error,
                CASE WHEN chosen.disabled THEN 'The receiver is disabled.' ELSE 'Nobody asked for it.' END)
         FROM chosen WHERE d.tenant = chosen.tenant AND d.id = chosen.id
       RETURNING chosen.disabled
     )
     SELECT count(*)::int AS total, (count(*) FILTER (WHERE NOT disabled))::int AS unasked FROM buried`,
  parameters: { giveUpSeconds: 'float8', limit: 'int8' },
  columns: { total: 'int4', unasked: 'int4' },
});

/**
 * Makes dead letters of undelivered messages to disabled receivers, and of messages that a polling receiver did not
 * fetch in time. The time before a receiver was resumed does not count. They can be replayed.
 * @returns number of messages, and how many of these were not fetched
 */
export const failUndeliverable = async (
  sql: Sql,
  giveUpSeconds: number,
  limit: number,
): Promise<{ total: number; unasked: number }> =>
  (await bury.first(sql, { giveUpSeconds, limit })) ?? { total: 0, unasked: 0 };

/** Statement that deletes chosen deliveries, and the facts without remaining deliveries. */
function deletionOf(chosen: string): string {
  return `${plannedAnew}WITH RECURSIVE ${lanes}, chosen AS (${chosen}), deleted AS (
  DELETE FROM auth.deliveries d USING chosen WHERE d.tenant = chosen.tenant AND d.id = chosen.id
  RETURNING d.tenant, d.id, d.fact_id
), facts AS (
  DELETE FROM auth.facts f WHERE (f.tenant, f.id) IN (SELECT tenant, fact_id FROM deleted)
    AND NOT EXISTS (SELECT FROM auth.deliveries d WHERE d.fact_id = f.id AND d.tenant = f.tenant
                    AND d.id NOT IN (SELECT id FROM deleted))
)
SELECT count(*)::int AS total FROM deleted`;
}

const deleteFinished = statement({
  name: 'signals.prune-finished',
  reason: 'set',
  text: deletionOf(
    `SELECT tenant, id FROM auth.deliveries
    WHERE finished_at IS NOT NULL AND state = $state::text AND finished_at < now() - make_interval(secs => $seconds::float8)
    ORDER BY finished_at LIMIT $limit FOR UPDATE SKIP LOCKED`,
  ),
  parameters: { limit: 'int8', state: 'text', seconds: 'float8' },
  columns: { total: 'int4' },
});

/** Seconds added to the retention of facts: a fact is older than the end of its deliveries by their retry time. */
const triedSeconds = 7 * 86_400;

const deleteForgotten = statement({
  name: 'signals.prune-forgotten-facts',
  reason: 'set',
  text: `${plannedAnew}DELETE FROM auth.facts WHERE (tenant, id) IN (
  SELECT f.tenant, f.id FROM auth.facts f
   WHERE f.occurred_at < now() - make_interval(secs => $seconds::float8)
     AND NOT EXISTS (SELECT FROM auth.deliveries d WHERE d.fact_id = f.id AND d.tenant = f.tenant)
   ORDER BY f.occurred_at LIMIT $limit FOR UPDATE SKIP LOCKED)`,
  parameters: { limit: 'int8', seconds: 'float8' },
});

/** Deliveries that are never sent: their receiver was deleted, stays paused, or does not poll. */
const deleteAbandoned = statement({
  name: 'signals.prune-abandoned',
  reason: 'set',
  text: deletionOf(
    `SELECT old.tenant, old.id FROM lane
     LEFT JOIN auth.receivers r ON r.tenant = lane.tenant
       AND r.id = CASE WHEN lane.receiver_kind IN ('webhook', 'ssf') THEN lane.receiver_id::uuid END
     CROSS JOIN LATERAL (
       SELECT d.tenant, d.id FROM auth.deliveries d
        WHERE d.state = 'pending' AND d.receiver_kind = lane.receiver_kind AND d.tenant = lane.tenant
          AND d.receiver_id = lane.receiver_id
          AND coalesce(r.resumed_at, '-infinity') < now() - make_interval(secs => $seconds::float8)
          AND d.due_at < CASE WHEN r.id IS NULL AND lane.receiver_kind IN ('webhook', 'ssf') THEN 'infinity'::timestamptz
                              ELSE now() - make_interval(secs => $seconds::float8) END
        LIMIT $limit FOR UPDATE SKIP LOCKED) old LIMIT $limit`,
  ),
  parameters: { limit: 'int8', seconds: 'float8' },
  columns: { total: 'int4' },
});

/**
 * Deletes expired deliveries, deliveries of deleted receivers, and facts without remaining deliveries. When several
 * processes delete the last deliveries of a fact concurrently, each still sees the rows of the others, so the fact
 * stays until it is older than the retention of deliveries.
 */
export async function pruneOutward(
  sql: Sql,
  o: { deliveredSeconds: number; deadSeconds: number },
  limit: number,
): Promise<number> {
  let total = 0;
  for (const [state, seconds] of [
    ['delivered', o.deliveredSeconds],
    ['dead', o.deadSeconds],
  ] as const) {
    total += (await deleteFinished.first(sql, { limit, state, seconds }))?.total ?? 0;
  }
  total += (await deleteAbandoned.first(sql, { limit, seconds: o.deadSeconds }))?.total ?? 0;
  const seconds = Math.max(o.deliveredSeconds, o.deadSeconds) + triedSeconds;
  await deleteForgotten.run(sql, { limit, seconds });
  return total;
}

export const deliveryMaintenance = (database: Database<unknown>): DeliveryMaintenance => ({
  releaseOverdue: (limit) => releaseOverdue(database, limit),
  failUndeliverable: (giveUpSeconds, limit) => failUndeliverable(database.sql, giveUpSeconds, limit),
  open: () => openDeliveries(database.sql),
  dead: () => deadDeliveries(database.sql),
});

export const deliveryNotices = (database: Database<unknown>): DeliveryNotices => ({
  listen: (heard) => database.listen(deliveriesChannel, heard),
});

export const pendingDeliveries = {
  pendingDeliveries: `EXISTS (SELECT FROM auth.deliveries WHERE state = 'pending')`,
  overdueDeliveries: `EXISTS (SELECT FROM auth.deliveries WHERE state = 'held' AND due_at <= now())`,
};

export const receiverNode = `SELECT CASE kind WHEN 'webhook' THEN 'Webhook' ELSE 'SignalStream' END AS type, id::text AS id, NULL AS "ownerId"
    FROM auth.receivers WHERE tenant = $tenant AND id = ANY($uuids::uuid[]) AND kind IN ('webhook', 'ssf')`;

export const deliveryNode = `SELECT 'Delivery' AS type, id::text AS id, NULL AS "ownerId" FROM auth.deliveries
   WHERE tenant = $tenant AND id = ANY($uuids::uuid[])`;

const receiverSecrets = sealedColumn({
  table: 'auth.receivers',
  column: 'secrets',
  optional: true,
  id: keyOfPage,
});

export const receiverColumn: SealedColumnOf = (database, keys) => ({
  rows: receiverSecrets(database),
  ring: keys.of('receiver'),
  context: ([tenant = '', id = '']) => receiverContext(tenant, id),
});
