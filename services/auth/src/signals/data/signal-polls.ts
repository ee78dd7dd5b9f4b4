import { plannedAnew, type Sql, statement, typed } from '@ostiary/database';
import type { Fact, FactType, SubjectKind } from '../../tenancy/index.ts';
import type { Receiver } from '../domain/delivery.ts';
import type { PollStore, WaitingDelivery } from '../domain/poll-store.ts';

/**
 * First leased position per subject of this receiver; later deliveries of the subject wait. One JSON value that each
 * row looks up, so that no plan compares every row with every other.
 */
const handedOut = `handed_out AS MATERIALIZED (
  SELECT jsonb_object_agg(subject_key, first) AS firsts FROM (
    SELECT subject_key, min(position) AS first FROM auth.deliveries
     WHERE state = 'pending' AND receiver_kind = 'ssf' AND tenant = $tenant AND receiver_id = $id AND leased_until > now()
     GROUP BY subject_key) subject
)`;
const notHandedOut =
  'coalesce(d.position < ((SELECT firsts FROM handed_out) ->> d.subject_key)::bigint, true)';

const waiting = (name: string, all: boolean) =>
  statement({
    name,
    reason: 'set',
    text: `${plannedAnew}${all ? '' : `WITH ${handedOut}`}
SELECT d.id, d.variant, d.payload, d.created_at AS "createdAt", d.begun_at <> d.created_at AS replayed, f.id AS "factId", f.type,
       f.subject_kind AS "subjectKind", f.subject_id AS "subjectId", f.version::text AS version, f.occurred_at AS "occurredAt",
       f.data, f.actor, f.traceparent
FROM auth.deliveries d LEFT JOIN auth.facts f ON f.tenant = d.tenant AND f.id = d.fact_id
WHERE d.state = 'pending' AND d.receiver_kind = 'ssf' AND d.tenant = $tenant AND d.receiver_id = $id
  AND ($enabled OR d.regardless)
  ${all ? '' : `AND ${notHandedOut}`}
ORDER BY d.position LIMIT $limit`,
    parameters: { tenant: 'text', id: 'text', enabled: 'bool', limit: 'int8' },
    // Fact columns are NULL for messages about the stream itself.
    columns: {
      id: 'uuid',
      variant: 'text?',
      payload: typed<Record<string, unknown> | null>('jsonb?'),
      createdAt: 'timestamptz',
      replayed: 'bool',
      factId: 'uuid?',
      type: typed<FactType>('text'),
      subjectKind: typed<SubjectKind>('text'),
      subjectId: 'text',
      version: 'text?',
      occurredAt: 'timestamptz',
      data: typed<Record<string, unknown>>('jsonb'),
      actor: typed<Fact['actor']>('jsonb'),
      traceparent: 'text?',
    },
  });

/**
 * Pending deliveries of a polling receiver in order of creation: all, or only those without a current lease, where
 * later deliveries of a leased subject wait too. A stream that is not enabled returns only events about the stream
 * itself.
 */
const allWaiting = waiting('signals.waiting', true);
const unseenWaiting = waiting('signals.waiting-unseen', false);

/** Returns up to `limit` pending deliveries. The caller holds the receiver's lock. */
export async function waitingDeliveries(
  tx: Sql,
  { tenant, id, status }: Receiver,
  o: { all: boolean; limit: number },
): Promise<WaitingDelivery[]> {
  const statement = o.all ? allWaiting : unseenWaiting;
  const rows = await statement.rows(tx, { tenant, id, enabled: status === 'enabled', limit: o.limit });
  return rows.map(
    ({ id, variant, payload, createdAt, replayed, factId, subjectKind, subjectId, ...fact }) => ({
      id,
      variant,
      payload,
      createdAt,
      replayed,
      fact: factId === null ? null : { ...fact, id: factId, subject: { kind: subjectKind, id: subjectId } },
    }),
  );
}

const glance = statement({
  name: 'signals.anything-waiting',
  reason: 'set',
  text: `${plannedAnew}WITH ${handedOut}
     SELECT FROM auth.deliveries d
      WHERE d.state = 'pending' AND d.receiver_kind = 'ssf' AND d.tenant = $tenant AND d.receiver_id = $id
        AND ${notHandedOut} LIMIT 1`,
  parameters: { tenant: 'text', id: 'text' },
});

/** Reports, without a lock, whether a waiting poll request may have something to return. */
export async function anythingWaiting(sql: Sql, { tenant, id }: Receiver): Promise<boolean> {
  return (await glance.count(sql, { tenant, id })) > 0;
}

const lease = statement({
  name: 'signals.note-handed-out',
  reason: 'set',
  text: `UPDATE auth.deliveries SET attempts = attempts + 1, leased_until = now() + make_interval(secs => $seconds)
      WHERE tenant = $tenant AND id = ANY ($ids::uuid[]) AND state = 'pending'`,
  parameters: { tenant: 'text', ids: 'uuid[]', seconds: 'float8' },
});

/** Leases these deliveries to one poll request for `seconds`. */
export async function noteHandedOut(
  tx: Sql,
  tenant: string,
  ids: readonly string[],
  seconds: number,
): Promise<void> {
  if (ids.length === 0) return;
  await lease.run(tx, { tenant, ids, seconds });
}

// Includes dead letters: an acknowledgement shows that the message arrived.
const settleDelivered = statement({
  name: 'signals.settle-delivered',
  reason: 'set',
  text: `UPDATE auth.deliveries SET state = 'delivered', finished_at = now(), leased_until = NULL, last_error = NULL
      WHERE tenant = $tenant AND receiver_kind = 'ssf' AND receiver_id = $receiverId AND id = ANY ($ids::uuid[])
        AND state IN ('pending', 'dead')`,
  parameters: { tenant: 'text', receiverId: 'text', ids: 'uuid[]' },
});

const settleDead = statement({
  name: 'signals.settle-dead',
  reason: 'set',
  text: `UPDATE auth.deliveries d SET state = 'dead', finished_at = now(), leased_until = NULL, last_error = said.reason
       FROM unnest($ids::uuid[], $reasons::text[]) AS said (id, reason)
      WHERE d.tenant = $tenant AND d.receiver_kind = 'ssf' AND d.receiver_id = $receiverId AND d.id = said.id AND d.state = 'pending'`,
  parameters: { tenant: 'text', receiverId: 'text', ids: 'uuid[]', reasons: 'text[]' },
});

/**
 * Stores the receiver's acknowledgements and errors. Unknown and already settled ids are ignored.
 * @returns number of deliveries that became dead letters
 */
export async function settleDeliveries(
  tx: Sql,
  { tenant, id }: Receiver,
  o: { delivered: readonly string[]; dead: readonly { id: string; reason: string }[] },
): Promise<number> {
  if (o.delivered.length > 0) {
    await settleDelivered.run(tx, { tenant, receiverId: id, ids: o.delivered });
  }
  if (o.dead.length === 0) return 0;
  return settleDead.count(tx, {
    tenant,
    receiverId: id,
    ids: o.dead.map((one) => one.id),
    reasons: o.dead.map(({ reason }) => reason),
  });
}

export const pollStore: PollStore = {
  waiting: waitingDeliveries,
  anythingWaiting,
  noteHandedOut,
  settle: settleDeliveries,
};
