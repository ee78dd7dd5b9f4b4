import type { Scan } from '@ostiary/database';
import { clientAs, wantsLogouts } from '../../clients/data/client-conditions.ts';
import { sessionAs } from '../../identity/sessions/data/session-conditions.ts';
import { entriesWith } from '../../platform/audit/security-log.data.ts';

/**
 * Period that the scans examine, by the index of its time. `DELIVERED_RETENTION_SECONDS` is never shorter, so nothing
 * in it is pruned.
 */
const lately = "occurred_at > now() - interval '1 day'";
const byTime = [
  ['occurred_at', 'timestamptz'],
  ['tenant', 'text'],
  ['id', 'uuid'],
] as const;

/** Condition: an administrator deleted the delivery, so its absence is no flaw. */
const discarded = (o: { tenant: string; receiver: string; type?: string; since: string }): string =>
  `EXISTS (SELECT FROM ${entriesWith('delivery.discarded')} l
            WHERE l.tenant = ${o.tenant} AND l.occurred_at >= ${o.since}
              AND l.changes #>> '{receiverId,before}' = ${o.receiver}
              ${o.type === undefined ? '' : `AND l.changes #>> '{type,before}' = ${o.type}`})`;

/**
 * Joins the receivers `r` and variants `v` that must receive an event written at `since`. Receivers changed up to 10
 * seconds before it are excluded, because a long transaction may have read their previous state.
 */
const wanting = (o: { tenant: string; type: string; kind: string; id: string; since: string }): string =>
  `JOIN auth.receivers r ON r.tenant = ${o.tenant} AND r.status <> 'disabled' AND ${o.type} = ANY (r.fact_types)
      AND greatest(r.created_at, r.updated_at) < ${o.since} - interval '10 seconds'
      AND NOT EXISTS (SELECT FROM auth.receiver_exclusions x WHERE x.tenant = r.tenant AND x.receiver_id = r.id
                       AND x.subject_kind = ${o.kind} AND x.subject_id = ${o.id})
   CROSS JOIN LATERAL jsonb_array_elements_text(
     coalesce(r.settings #> ARRAY['variants', ${o.type}], '[null]'::jsonb)) v (variant)`;

const toReceiver = `d.tenant = r.tenant AND d.receiver_kind = r.kind AND d.receiver_id = r.id::text
                AND d.variant IS NOT DISTINCT FROM v.variant`;

const sameReceiver = `o.tenant = page.tenant AND o.receiver_kind = page.receiver_kind AND o.receiver_id = page.receiver_id`;

const factScans = (): Scan[] => [
  {
    name: 'facts and their deliveries',
    says: 'Each event of the last day is pending for or delivered to every subscribed receiver.',
    table: `(SELECT f.*, coalesce((SELECT min(d.created_at) FROM auth.deliveries d
                                    WHERE d.fact_id = f.id AND d.tenant = f.tenant), f.occurred_at) AS written_at
               FROM auth.facts f WHERE f.${lately}) AS told`,
    key: byTime,
    flaws: `SELECT page.tenant, page.id::text AS id, page.type || ' has no delivery to ' || r.id AS detail
              FROM page ${wanting({
                tenant: 'page.tenant',
                type: 'page.type',
                kind: 'page.subject_kind',
                id: 'page.subject_id',
                since: 'page.written_at',
              })}
             WHERE NOT EXISTS (SELECT FROM auth.deliveries d WHERE d.fact_id = page.id AND ${toReceiver})
               AND NOT ${discarded({ tenant: 'page.tenant', receiver: 'r.id::text', type: 'page.type', since: 'page.written_at' })}`,
  },
  {
    name: 'facts without deliveries',
    says: 'Facts about users are not stored longer than their deliveries.',
    // Facts whose last deliveries were deleted concurrently stay until deliveries of their age are pruned; the maximum
    // retention is 120 days.
    table: `(SELECT f.* FROM auth.facts f WHERE f.occurred_at < now() - interval '120 days') AS old`,
    key: byTime,
    flaws: `SELECT page.tenant, page.id::text AS id, page.type || ' of ' || page.occurred_at AS detail FROM page
             WHERE NOT EXISTS (SELECT FROM auth.deliveries d WHERE d.fact_id = page.id AND d.tenant = page.tenant)`,
  },
  {
    name: 'offboardings and their deliveries',
    says: 'Each offboarding of the last day has one delivery for every subscribed receiver.',
    table: `(SELECT * FROM ${entriesWith('user.departed')} l WHERE ${lately}) AS departures`,
    key: byTime,
    flaws: `SELECT page.tenant, page.subject_id::text AS id, due.type || ', ' || told.times || ' times to ' || r.id AS detail
              FROM page CROSS JOIN LATERAL (VALUES
                ('session.revoked', NULL), ('user.doors_closed', NULL),
                (page.changes #>> '{trigger,after}', page.changes #>> '{directoryVersion,after}')) due (type, version)
              ${wanting({
                tenant: 'page.tenant',
                type: 'due.type',
                kind: "'user'",
                id: 'page.subject_id::text',
                since: 'page.occurred_at',
              })}
              CROSS JOIN LATERAL (
                SELECT count(*) AS times FROM auth.deliveries d JOIN auth.facts f ON f.tenant = d.tenant AND f.id = d.fact_id
                 WHERE d.subject_key = 'user:' || page.subject_id AND ${toReceiver} AND f.type = due.type
                   AND CASE WHEN due.version IS NULL THEN f.data->>'departureId' = page.id::text
                            ELSE f.version::text = due.version END
              ) told
             WHERE told.times > 1 OR (told.times = 0 AND NOT ${discarded({
               tenant: 'page.tenant',
               receiver: 'r.id::text',
               type: 'due.type',
               since: 'page.occurred_at',
             })})`,
  },
];

const receiverScans = (): Scan[] => [
  {
    name: 'ended sessions and logout tokens',
    says: 'Each session ended in the last day has a delivery for every client registered for logout notifications.',
    table: 'auth.session_clients',
    key: [
      ['tenant', 'text'],
      ['session_id', 'uuid'],
      ['client_id', 'text'],
    ],
    flaws: `SELECT page.tenant, page.session_id::text AS id, 'no logout token for ' || page.client_id AS detail
              FROM page JOIN ${sessionAs('page.tenant', 'page.session_id')}
              JOIN ${clientAs('page.tenant', 'page.client_id')} AND ${wantsLogouts}
             WHERE s.revoked_at > now() - interval '1 day' AND page.created_at < s.revoked_at
               AND c.updated_at < s.revoked_at - interval '10 seconds'
               AND NOT EXISTS (
                 SELECT FROM auth.deliveries d
                  WHERE d.subject_key = 'user:' || s.subject_id AND d.tenant = page.tenant AND d.receiver_id = page.client_id
                    AND d.receiver_kind = 'backchannel_logout' AND d.created_at >= s.revoked_at
                    AND coalesce(d.payload->>'sessionId', s.id::text) = s.id::text)
               AND NOT ${discarded({ tenant: 'page.tenant', receiver: 'page.client_id', since: 's.revoked_at' })}`,
  },
  {
    name: 'deliveries',
    says: 'A receiver gets each event once, and the events of one user or group in order.',
    table: 'auth.deliveries',
    key: [
      ['tenant', 'text'],
      ['id', 'uuid'],
    ],
    // Each row is compared with the row before it only: any misordered sequence has a misordered adjacent pair.
    // Replayed deliveries, polling receivers and rows written at the same time have no defined order.
    flaws: `SELECT page.tenant, page.id::text AS id,
                   CASE WHEN double.id IS NOT NULL THEN 'the same as ' || double.id ELSE 'came on the wrong side of ' || beside.id END AS detail
              FROM page
              LEFT JOIN LATERAL (
                SELECT o.id FROM auth.deliveries o
                 WHERE o.fact_id = page.fact_id AND ${sameReceiver} AND o.variant IS NOT DISTINCT FROM page.variant
                   AND o.id < page.id LIMIT 1
              ) double ON true
              LEFT JOIN LATERAL (
                SELECT o.* FROM auth.deliveries o
                 WHERE page.state = 'delivered' AND o.subject_key = page.subject_key AND ${sameReceiver} AND o.id < page.id
                 ORDER BY o.id DESC LIMIT 1
              ) beside ON beside.state = 'delivered' AND page.begun_at = page.created_at AND beside.begun_at = beside.created_at
                AND CASE WHEN beside.position < page.position
                         THEN beside.finished_at > page.finished_at AND page.finished_at > beside.created_at + interval '10 seconds'
                         ELSE page.finished_at > beside.finished_at AND beside.finished_at > page.created_at + interval '10 seconds' END
                AND (page.receiver_kind <> 'ssf' OR EXISTS (
                  SELECT FROM auth.receivers r WHERE r.tenant = page.tenant AND r.endpoint IS NOT NULL
                     AND r.id = CASE WHEN page.receiver_kind = 'ssf' THEN page.receiver_id::uuid END
                     AND r.updated_at < beside.created_at))
             WHERE double.id IS NOT NULL OR beside.id IS NOT NULL`,
  },
];

const dueScans = (waitingSeconds: number): Scan[] => [
  {
    name: 'deliveries that are due',
    says: 'Due deliveries are sent: no receiver is left out, and no expired lease remains.',
    table: "(SELECT * FROM auth.deliveries WHERE state = 'pending') AS pending",
    key: [
      ['receiver_kind', 'text'],
      ['tenant', 'text'],
      ['receiver_id', 'text'],
      ['due_at', 'timestamptz'],
      ['id', 'uuid'],
    ],
    parameter: waitingSeconds,
    // A receiver with a long queue is active as long as a delivery is leased or was decided recently. A failing
    // receiver has one delivery in progress at a time, so its queue is allowed more time.
    flaws: `SELECT page.tenant, page.id::text AS id, page.receiver_kind || ' to ' || page.receiver_id ||
                   CASE WHEN page.leased_until IS NULL THEN ', due since ' || page.due_at
                        ELSE ', in nobody’s hands since ' || page.leased_until END AS detail
              FROM page JOIN (
                SELECT lane.*, CASE WHEN r.failing_since IS NOT NULL OR EXISTS (
                         SELECT FROM auth.deliveries o WHERE o.state = 'pending' AND o.receiver_kind = lane.receiver_kind
                            AND o.tenant = lane.tenant AND o.receiver_id = lane.receiver_id
                            AND o.attempts > 0 AND o.leased_until IS NULL)
                       THEN 3600 ELSE 0 END AS patience
                  FROM (SELECT DISTINCT receiver_kind, tenant, receiver_id FROM page
                         WHERE due_at < now() - $1::float8 * interval '1 second') lane
                  LEFT JOIN auth.receivers r ON lane.receiver_kind IN ('webhook', 'ssf') AND r.tenant = lane.tenant
                    AND r.id = CASE WHEN lane.receiver_kind IN ('webhook', 'ssf') THEN lane.receiver_id::uuid END
                 WHERE (lane.receiver_kind NOT IN ('webhook', 'ssf') OR (r.status = 'enabled' AND r.endpoint IS NOT NULL
                         AND coalesce(r.resumed_at, r.created_at) < now() - $1::float8 * interval '1 second'))
                   AND NOT EXISTS (
                     SELECT FROM auth.deliveries o WHERE o.state = 'pending' AND o.receiver_kind = lane.receiver_kind
                        AND o.tenant = lane.tenant AND o.receiver_id = lane.receiver_id AND o.leased_until > now())
                   AND NOT EXISTS (
                     SELECT FROM auth.deliveries o
                      WHERE o.state IN ('delivered', 'dead') AND o.finished_at > now() - $1::float8 * interval '1 second'
                        AND o.receiver_kind = lane.receiver_kind AND o.tenant = lane.tenant AND o.receiver_id = lane.receiver_id)
              ) idle USING (receiver_kind, tenant, receiver_id)
             WHERE page.due_at < now() - ($1::float8 + idle.patience) * interval '1 second'`,
  },
];

const heldScans = (waitingSeconds: number): Scan[] => [
  {
    name: 'deliveries that are held',
    says: 'A delivery held for an earlier one does not wait longer than the limit.',
    table: "(SELECT * FROM auth.deliveries WHERE state = 'held') AS held",
    key: [
      ['due_at', 'timestamptz'],
      ['tenant', 'text'],
      ['id', 'uuid'],
    ],
    parameter: waitingSeconds,
    // Deliveries without a cursor are released one minute after their time.
    flaws: `SELECT page.tenant, page.id::text AS id, 'was to be let go at ' || page.due_at AS detail FROM page
             WHERE page.due_at < now() - interval '1 minute' - $1::float8 * interval '1 second'`,
  },
];

/**
 * Returns the invariants of deliveries to receivers.
 * @param waitingSeconds maximum time for which a due or held delivery may wait
 */
export const outwardScans = (waitingSeconds: number): Scan[] => [
  ...factScans(),
  ...receiverScans(),
  ...dueScans(waitingSeconds),
  ...heldScans(waitingSeconds),
];
