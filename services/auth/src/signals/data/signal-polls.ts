import { plannedAnew, type Sql } from '@ostiary/database';
import type { Fact, FactType, SubjectKind } from '../../events/index.ts';
import type { Receiver } from '../domain/delivery.ts';
import type { PollStore, WaitingDelivery } from '../domain/poll-store.ts';

/**
 * By subject, the first of what this receiver was handed lately: what comes after it waits. A single value that each row looks
 * into: no plan compares each row with each other one.
 */
const handedOut = `handed_out AS MATERIALIZED (
  SELECT jsonb_object_agg(subject_key, first) AS firsts FROM (
    SELECT subject_key, min(position) AS first FROM auth.deliveries
     WHERE state = 'pending' AND receiver_kind = 'ssf' AND tenant = $1 AND receiver_id = $2 AND leased_until > now()
     GROUP BY subject_key) subject
)`;
const notHandedOut =
  'coalesce(d.position < ((SELECT firsts FROM handed_out) ->> d.subject_key)::bigint, true)';

/**
 * What waits for a receiver that asks, in the order of its making. `all` or only what nobody was handed lately: then what
 * comes after it about the same subject waits, too. A stream that doesn't carry events hands out only what is said of
 * itself.
 */
const waitingStatement = (all: boolean) => `${plannedAnew}${all ? '' : `WITH ${handedOut}`}
SELECT d.id, d.variant, d.payload, d.created_at AS "createdAt", d.begun_at <> d.created_at AS replayed, f.id AS "factId", f.type, f.subject_kind AS "subjectKind",
       f.subject_id AS "subjectId", f.version::text AS version, f.occurred_at AS "occurredAt", f.data, f.actor, f.traceparent
FROM auth.deliveries d LEFT JOIN auth.facts f ON f.tenant = d.tenant AND f.id = d.fact_id
WHERE d.state = 'pending' AND d.receiver_kind = 'ssf' AND d.tenant = $1 AND d.receiver_id = $2 AND ($3 OR d.regardless)
  ${all ? '' : `AND ${notHandedOut}`}
ORDER BY d.position LIMIT $4`;

interface WaitingRow {
  id: string;
  variant: string | null;
  payload: Record<string, unknown> | null;
  createdAt: Date;
  replayed: boolean;
  factId: string | null;
  type: FactType;
  subjectKind: SubjectKind;
  subjectId: string;
  version: string | null;
  occurredAt: Date;
  data: Record<string, unknown>;
  actor: Fact['actor'];
  traceparent: string | null;
}

/** At most so many of what waits; the caller holds the receiver's lock. */
export async function waitingDeliveries(
  tx: Sql,
  { tenant, id, status }: Pick<Receiver, 'tenant' | 'id' | 'status'>,
  o: { all: boolean; limit: number },
): Promise<WaitingDelivery[]> {
  const { rows } = await tx.query<WaitingRow>(waitingStatement(o.all), [
    tenant,
    id,
    status === 'enabled',
    o.limit,
  ]);
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

/** Whether there may be something for somebody who waits: a glance, without any lock. */
export async function anythingWaiting(
  sql: Sql,
  { tenant, id }: Pick<Receiver, 'tenant' | 'id'>,
): Promise<boolean> {
  const { rowCount } = await sql.query(
    `${plannedAnew}WITH ${handedOut}
     SELECT FROM auth.deliveries d
      WHERE d.state = 'pending' AND d.receiver_kind = 'ssf' AND d.tenant = $1 AND d.receiver_id = $2 AND ${notHandedOut} LIMIT 1`,
    [tenant, id],
  );
  return rowCount > 0;
}

/** Notes that these were handed out: for so many seconds nobody else who waits gets them. */
export async function noteHandedOut(
  tx: Sql,
  tenant: string,
  ids: readonly string[],
  seconds: number,
): Promise<void> {
  if (ids.length === 0) return;
  await tx.query(
    `UPDATE auth.deliveries SET attempts = attempts + 1, leased_until = now() + make_interval(secs => $3)
      WHERE tenant = $1 AND id = ANY ($2::uuid[]) AND state = 'pending'`,
    [tenant, ids, seconds],
  );
}

/** What the receiver took, and what it can't take. What isn't its own, or was said before, is passed over. @returns how many died of it */
export async function settleDeliveries(
  tx: Sql,
  { tenant, id }: Pick<Receiver, 'tenant' | 'id'>,
  o: { delivered: readonly string[]; dead: readonly { id: string; reason: string }[] },
): Promise<number> {
  if (o.delivered.length > 0) {
    // Also what was given up meanwhile: it has arrived.
    await tx.query(
      `UPDATE auth.deliveries SET state = 'delivered', finished_at = now(), leased_until = NULL, last_error = NULL
        WHERE tenant = $1 AND receiver_kind = 'ssf' AND receiver_id = $2 AND id = ANY ($3::uuid[]) AND state IN ('pending', 'dead')`,
      [tenant, id, o.delivered],
    );
  }
  if (o.dead.length === 0) return 0;
  const { rowCount } = await tx.query(
    `UPDATE auth.deliveries d SET state = 'dead', finished_at = now(), leased_until = NULL, last_error = said.reason
       FROM unnest($3::uuid[], $4::text[]) AS said (id, reason)
      WHERE d.tenant = $1 AND d.receiver_kind = 'ssf' AND d.receiver_id = $2 AND d.id = said.id AND d.state = 'pending'`,
    [tenant, id, o.dead.map((one) => one.id), o.dead.map(({ reason }) => reason)],
  );
  return rowCount;
}

export const pollStore: PollStore = {
  waiting: waitingDeliveries,
  anythingWaiting,
  noteHandedOut,
  settle: settleDeliveries,
};
