import { plannedAnew, statement, typed } from '@ostiary/database';
import type { Fact, FactType, ReceiverKind, SubjectKind } from '../../tenancy/index.ts';
import type { Receiver } from '../domain/delivery.ts';

/**
 * Receivers with pending deliveries, found by one index step per receiver (loose index scan), independent of queue
 * length.
 */
export const lanes = `lane AS (
  (SELECT receiver_kind, tenant, receiver_id FROM auth.deliveries WHERE state = 'pending'
    ORDER BY receiver_kind, tenant, receiver_id LIMIT 1)
  UNION ALL
  SELECT following.* FROM lane CROSS JOIN LATERAL (
    SELECT d.receiver_kind, d.tenant, d.receiver_id FROM auth.deliveries d
     WHERE d.state = 'pending'
       AND (d.receiver_kind, d.tenant, d.receiver_id) > (lane.receiver_kind, lane.tenant, lane.receiver_id)
     ORDER BY d.receiver_kind, d.tenant, d.receiver_id LIMIT 1) following
)`;

/**
 * Due deliveries, at most a few per receiver, with tenants taking turns up to their remaining capacity. A tenant or
 * receiver with many messages does not delay others. Delivered rows are not read, and locked rows are skipped.
 */
export const findDue = statement({
  name: 'signals.due',
  reason: 'set',
  text: `${plannedAnew}
WITH RECURSIVE ${lanes}, rooms AS (
  SELECT * FROM unnest($roomTenants::text[], $rooms::int[]) AS given (tenant, room)
), open AS (
  SELECT lane.*, coalesce(given.slots, CASE WHEN r.failing_since IS NULL THEN $perReceiver::int ELSE 1 END) AS slots
  FROM lane
  LEFT JOIN unnest($slotKinds::text[], $slotTenants::text[], $slotReceivers::text[], $slots::int[]) AS given (kind, tenant, receiver_id, slots)
    ON given.kind = lane.receiver_kind AND given.tenant = lane.tenant AND given.receiver_id = lane.receiver_id
  LEFT JOIN auth.receivers r ON lane.receiver_kind IN ('webhook', 'ssf') AND r.tenant = lane.tenant
    AND r.id = CASE WHEN lane.receiver_kind IN ('webhook', 'ssf') THEN lane.receiver_id::uuid END
  WHERE lane.receiver_kind = ANY ($kinds::text[])
    AND lane.tenant NOT IN (SELECT tenant FROM rooms WHERE room <= 0)
    AND (lane.receiver_kind NOT IN ('webhook', 'ssf') OR (r.status = 'enabled' AND r.endpoint IS NOT NULL))
), regardless AS (
  SELECT d.tenant, d.id FROM auth.deliveries d
   WHERE d.state = 'pending' AND d.regardless AND d.due_at <= now() AND d.receiver_kind = ANY ($kinds::text[])
     AND d.tenant NOT IN (SELECT tenant FROM rooms WHERE room <= 0)
     AND NOT EXISTS (SELECT FROM auth.receivers r WHERE d.receiver_kind IN ('webhook', 'ssf') AND r.tenant = d.tenant
       AND r.id = CASE WHEN d.receiver_kind IN ('webhook', 'ssf') THEN d.receiver_id::uuid END AND r.endpoint IS NULL)
   ORDER BY d.due_at LIMIT $limit FOR UPDATE SKIP LOCKED
), turns AS (
  SELECT tenant, id, row_number() OVER (PARTITION BY tenant ORDER BY nth, random()) AS turn FROM (
    SELECT d.tenant, d.id,
           row_number() OVER (PARTITION BY open.receiver_kind, open.tenant, open.receiver_id ORDER BY d.due_at) AS nth
    FROM open CROSS JOIN LATERAL (
      SELECT d.tenant, d.id, d.due_at FROM auth.deliveries d
       WHERE d.state = 'pending' AND d.receiver_kind = open.receiver_kind AND d.tenant = open.tenant
         AND d.receiver_id = open.receiver_id AND d.due_at <= now()
       ORDER BY d.due_at LIMIT open.slots FOR UPDATE SKIP LOCKED) d) few
), due AS (
  SELECT tenant, id FROM turns LEFT JOIN rooms USING (tenant) WHERE turn <= coalesce(room, $perTenant::int)
  ORDER BY turn, random() LIMIT $limit
)
SELECT tenant, id FROM regardless UNION SELECT tenant, id FROM due`,
  parameters: {
    kinds: 'text[]',
    perReceiver: 'int4',
    slotKinds: 'text[]',
    slotTenants: 'text[]',
    slotReceivers: 'text[]',
    slots: 'int4[]',
    limit: 'int8',
    perTenant: 'int4',
    roomTenants: 'text[]',
    rooms: 'int4[]',
  },
  columns: { tenant: 'text', id: 'uuid' },
});

/**
 * Time until which an earlier undecided delivery of the same receiver and subject blocks `d`. A `regardless` delivery
 * (such as the notice of a pause) does not wait for deliveries that the pause holds.
 */
const before = `SELECT CASE WHEN e.leased_until > now() THEN now() ELSE greatest(e.due_at, now()) END AS until FROM auth.deliveries e
     WHERE e.state = 'pending' AND e.receiver_id = d.receiver_id AND e.subject_key = d.subject_key
       AND e.receiver_kind = d.receiver_kind AND e.tenant = d.tenant AND e.position < d.position
       AND (e.regardless OR NOT d.regardless)
     ORDER BY e.position LIMIT 1`;

interface TakenFact {
  id: string;
  type: FactType;
  subjectKind: SubjectKind;
  subjectId: string;
  version: string | null;
  data: Record<string, unknown>;
  actor: Fact['actor'];
  traceparent: string | null;
}

/**
 * Leases deliveries that no earlier delivery blocks. It is a separate statement so that its snapshot includes decisions
 * made before the rows were locked. It does not test for `pending` again, here and below, so that the plan uses the
 * primary key instead of the index of pending rows.
 */
export const takeOn = statement({
  name: 'signals.take-on',
  reason: 'set',
  text: `${plannedAnew}
WITH taken AS (
  UPDATE auth.deliveries d
     SET attempts = d.attempts + 1, leased_until = now() + make_interval(secs => $leaseSeconds),
         due_at = now() + make_interval(secs => $leaseSeconds)
    FROM unnest($tenants::text[], $ids::uuid[]) AS c (tenant, id)
   WHERE d.tenant = c.tenant AND d.id = c.id AND (${before}) IS NULL
  RETURNING d.*
)
SELECT t.tenant, t.id, t.receiver_kind AS "receiverKind", t.receiver_id AS "receiverId", t.subject_key AS "subjectKey",
       t.variant, t.payload, t.attempts AS attempt, t.created_at AS "createdAt", t.begun_at <> t.created_at AS replayed,
       extract(epoch FROM now() - greatest(t.begun_at, r.resumed_at))::float8 AS "ageSeconds",
       extract(epoch FROM now() - t.created_at)::float8 AS "waitedSeconds",
       CASE WHEN f.id IS NOT NULL THEN jsonb_build_object('id', f.id, 'type', f.type, 'subjectKind', f.subject_kind,
         'subjectId', f.subject_id, 'version', f.version::text, 'data', f.data, 'actor', f.actor, 'traceparent', f.traceparent) END
         AS fact,
       f.occurred_at AS "occurredAt",
       r.id AS "r.id", r.kind AS "r.kind", r.name AS "r.name", r.client_id AS "r.clientId", r.endpoint AS "r.endpoint",
       r.status AS "r.status", r.status_reason AS "r.statusReason", r.fact_types AS "r.factTypes",
       r.settings AS "r.settings", r.secrets AS "r.secrets", r.failing_since AS "r.failingSince",
       r.verified_at AS "r.verifiedAt", r.version AS "r.version",
       r.created_at AS "r.createdAt", r.updated_at AS "r.updatedAt"
FROM taken t
LEFT JOIN auth.facts f ON f.tenant = t.tenant AND f.id = t.fact_id
LEFT JOIN auth.receivers r ON r.tenant = t.tenant
  AND r.id = CASE WHEN t.receiver_kind IN ('webhook', 'ssf') THEN t.receiver_id::uuid END
ORDER BY t.position`,
  parameters: { tenants: 'text[]', ids: 'uuid[]', leaseSeconds: 'float8' },
  // Receiver columns are NULL for kinds without a row in auth.receivers.
  columns: {
    tenant: 'text',
    id: 'uuid',
    receiverKind: typed<ReceiverKind>('text'),
    receiverId: 'text',
    subjectKey: 'text',
    variant: 'text?',
    payload: typed<Record<string, unknown> | null>('jsonb?'),
    attempt: 'int4',
    createdAt: 'timestamptz',
    replayed: 'bool',
    ageSeconds: 'float8',
    waitedSeconds: 'float8',
    fact: typed<TakenFact | null>('jsonb?'),
    occurredAt: 'timestamptz?',
    'r.id': 'uuid?',
    'r.kind': typed<Receiver['kind']>('text'),
    'r.name': 'text',
    'r.clientId': 'text?',
    'r.endpoint': 'text?',
    'r.status': typed<Receiver['status']>('text'),
    'r.statusReason': 'text?',
    'r.factTypes': 'text[]!',
    'r.settings': typed<Receiver['settings']>('jsonb'),
    'r.secrets': 'bytea?',
    'r.failingSince': 'timestamptz?',
    'r.verifiedAt': 'timestamptz?',
    'r.version': 'int4',
    'r.createdAt': 'timestamptz',
    'r.updatedAt': 'timestamptz',
  },
});

/** Maximum number of due deliveries per receiver that are examined for a blocked subject. */
const postponeBatchSize = 1_000;

/**
 * Postpones blocked deliveries, and other due deliveries after them for the same subject; `finish` makes the next one
 * due. `finish` does not see deliveries inserted concurrently, so each is also checked again after as long as it has
 * waited. A long queue is therefore not read again in every round. The delivery that `finish` may have made due in the
 * meantime is at most the first of the given ones, whose lock is held.
 */
export const putOff = statement({
  name: 'signals.put-off',
  reason: 'set',
  text: `${plannedAnew}
WITH given AS (
  SELECT d.tenant, d.id, d.receiver_kind, d.receiver_id, d.subject_key, d.position, before.until
  FROM unnest($tenants::text[], $ids::uuid[]) AS c (tenant, id)
  JOIN auth.deliveries d ON d.tenant = c.tenant AND d.id = c.id
  CROSS JOIN LATERAL (${before}) before
), subject AS (
  SELECT receiver_kind, tenant, receiver_id, subject_key, min(position) AS position, max(until) AS until
  FROM given GROUP BY 1, 2, 3, 4
), following AS (
  SELECT d.tenant, d.id, subject.until
  FROM (SELECT DISTINCT receiver_kind, tenant, receiver_id FROM subject) lane
  CROSS JOIN LATERAL (
    SELECT d.tenant, d.id, d.subject_key, d.position FROM auth.deliveries d
     WHERE d.state = 'pending' AND d.receiver_kind = lane.receiver_kind AND d.tenant = lane.tenant
       AND d.receiver_id = lane.receiver_id AND d.due_at <= now() AND NOT d.regardless
     ORDER BY d.due_at LIMIT ${postponeBatchSize} FOR UPDATE SKIP LOCKED) d
  JOIN subject ON subject.receiver_kind = lane.receiver_kind AND subject.tenant = lane.tenant
    AND subject.receiver_id = lane.receiver_id AND subject.subject_key = d.subject_key AND subject.position < d.position
)
UPDATE auth.deliveries d
   SET due_at = late.until
                + least(greatest(now() - d.begun_at, interval '1 second'), interval '5 minutes')
  FROM (SELECT tenant, id, until FROM given UNION SELECT tenant, id, until FROM following) late
 WHERE d.tenant = late.tenant AND d.id = late.id`,
  parameters: { tenants: 'text[]', ids: 'uuid[]' },
});

/**
 * Stores the result of an attempt and makes the next delivery of the same receiver and subject due immediately. A
 * successful attempt counts even if the delivery was given up in the meantime.
 */
export const finish = statement({
  name: 'signals.finish',
  reason: 'atomic',
  text: `${plannedAnew}
WITH decided AS (
  UPDATE auth.deliveries d
     SET state = $state, last_status = $status, last_error = $error, leased_until = NULL,
         due_at = CASE WHEN $state = 'pending' THEN now() + make_interval(secs => $pauseSeconds::float8) ELSE due_at END,
         finished_at = CASE WHEN $state = 'pending' THEN NULL ELSE now() END
   WHERE d.tenant = $tenant AND d.id = $id
     AND (d.state = 'pending' AND ($state = 'delivered' OR attempts = $attempt::int) OR d.state = 'dead' AND $state = 'delivered')
  RETURNING *
), following AS (
  SELECT d.tenant, d.id FROM decided CROSS JOIN LATERAL (
    SELECT e.tenant, e.id FROM auth.deliveries e
     WHERE decided.state <> 'pending' AND e.state = 'pending' AND e.receiver_id = decided.receiver_id
       AND e.subject_key = decided.subject_key AND e.receiver_kind = decided.receiver_kind
       AND e.tenant = decided.tenant AND e.position > decided.position
     ORDER BY e.position LIMIT 1) d
), called AS (
  UPDATE auth.deliveries d SET due_at = least(now(), d.begun_at) FROM following
   WHERE d.tenant = following.tenant AND d.id = following.id AND d.finished_at IS NULL
     AND (d.leased_until IS NULL OR d.leased_until < now())
  RETURNING 1
)
SELECT (SELECT count(*) FROM decided)::int AS decided, (SELECT count(*) FROM called)::int AS called`,
  parameters: {
    tenant: 'text',
    id: 'uuid',
    attempt: 'int4',
    state: 'text',
    pauseSeconds: 'float8',
    status: 'int4?',
    error: 'text?',
  },
  columns: { decided: 'int4', called: 'int4' },
});

export const countOpen = statement({
  name: 'signals.open',
  reason: 'set',
  text: `${plannedAnew}${(['held', 'pending'] as const)
    .map(
      (state) => `SELECT d.receiver_kind AS kind, '${state}' AS state, count(*)::int AS total,
           coalesce(extract(epoch FROM now() - min(d.created_at) FILTER (WHERE d.receiver_kind NOT IN ('webhook', 'ssf')
             OR (r.status = 'enabled' AND r.endpoint IS NOT NULL))), 0)::float8 AS "oldestSeconds"
         FROM auth.deliveries d LEFT JOIN auth.receivers r ON r.tenant = d.tenant
           AND r.id = CASE WHEN d.receiver_kind IN ('webhook', 'ssf') THEN d.receiver_id::uuid END
         WHERE d.state = '${state}' GROUP BY d.receiver_kind`,
    )
    .join(' UNION ALL ')}`,
  columns: {
    kind: typed<ReceiverKind>('text'),
    state: typed<'held' | 'pending'>('text'),
    total: 'int4',
    oldestSeconds: 'float8',
  },
});

export const countDead = statement({
  name: 'signals.dead',
  reason: 'set',
  text: `SELECT receiver_kind AS kind, 'dead' AS state, count(*)::int AS total
           FROM auth.deliveries WHERE state = 'dead' GROUP BY receiver_kind`,
  columns: { kind: typed<ReceiverKind>('text'), state: typed<'dead'>('text'), total: 'int4' },
});
