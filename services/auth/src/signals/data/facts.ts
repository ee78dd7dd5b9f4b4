import { notify, type Sql, statement, type Transaction } from '@ostiary/database';
import { currentTraceparent, uuidv7 } from '@ostiary/service';
import { currentActor } from '../../platform/index.ts';
import { type FactStore, type NewDelivery, type NewFact, subjectKeyOf } from '../../tenancy/index.ts';

/** NOTIFY channel that wakes the delivery workers. */
export const deliveriesChannel = 'auth_deliveries';

/** Maximum number of facts per statement. */
const batchSize = 1_000;

/** SQL that generates a UUIDv7 per row, for statements that determine the number of rows (RFC 9562 §5.7). */
const newId = `encode(set_bit(set_bit(overlay(uuid_send(gen_random_uuid())
    PLACING substring(int8send((extract(epoch FROM clock_timestamp()) * 1000)::bigint) FROM 3) FROM 1 FOR 6), 52, 1), 53, 1), 'hex')::uuid`;

const insertFacts = statement({
  name: 'events.append-facts',
  reason: 'set',
  text: `
WITH new AS (
  SELECT * FROM jsonb_to_recordset($facts::jsonb) AS n (
    position int, id uuid, type text, "subjectKind" text, "subjectId" text, "subjectKey" text, version bigint,
    "occurredAt" timestamptz, data jsonb, actor jsonb, traceparent text, "heldSeconds" float8)
), wanted AS (
  SELECT n.position, n.id, n."subjectKey", n."heldSeconds", r.kind, r.id AS receiver_id, v.variant, v.nth
  FROM auth.receivers r JOIN new n ON n.type = ANY (r.fact_types)
  CROSS JOIN LATERAL jsonb_array_elements_text(coalesce(r.settings #> ARRAY['variants', n.type], '[null]'::jsonb))
    WITH ORDINALITY v (variant, nth)
  WHERE r.tenant = $tenant AND r.status <> 'disabled'
    AND NOT EXISTS (SELECT FROM auth.receiver_exclusions x WHERE x.tenant = r.tenant AND x.receiver_id = r.id
                    AND x.subject_kind = n."subjectKind" AND x.subject_id = n."subjectId")
), fact AS (
  INSERT INTO auth.facts (tenant, id, type, subject_kind, subject_id, version, occurred_at, data, actor, traceparent)
  SELECT $tenant, id, type, "subjectKind", "subjectId", version, coalesce("occurredAt", now()), data, actor, traceparent
  FROM new WHERE id IN (SELECT id FROM wanted)
)
INSERT INTO auth.deliveries (tenant, id, fact_id, receiver_kind, receiver_id, subject_key, variant, state, due_at)
SELECT $tenant, ${newId}, id, kind, receiver_id::text, "subjectKey", variant,
       CASE WHEN "heldSeconds" IS NULL THEN 'pending' ELSE 'held' END, now() + make_interval(secs => coalesce("heldSeconds", 0))
FROM wanted ORDER BY wanted.position, wanted.nth`,
  parameters: { tenant: 'text', facts: 'jsonb' },
});

const insertDeliveries = statement({
  name: 'events.append-deliveries',
  reason: 'set',
  text: `INSERT INTO auth.deliveries (tenant, id, receiver_kind, receiver_id, subject_key, payload, regardless)
     SELECT $tenant, id, "receiverKind", "receiverId", "subjectKey", payload, coalesce(regardless, false)
     FROM jsonb_to_recordset($deliveries::jsonb) AS n (
       position int, id uuid, "receiverKind" text, "receiverId" text, "subjectKey" text, payload jsonb, regardless boolean)
     ORDER BY position`,
  parameters: { tenant: 'text', deliveries: 'jsonb' },
});

export async function appendFacts(
  tx: Sql | Transaction,
  tenant: string,
  facts: readonly NewFact[],
): Promise<void> {
  await appendGated(
    tx,
    tenant,
    facts.map((fact) => ({ fact, heldSeconds: undefined })),
  );
}

export async function appendGated(
  tx: Sql | Transaction,
  tenant: string,
  facts: readonly { fact: NewFact; heldSeconds: number | undefined }[],
): Promise<void> {
  let written = 0;
  for (let start = 0; start < facts.length; start += batchSize) {
    const rows = facts.slice(start, start + batchSize).map(({ fact, heldSeconds }, position) => ({
      position,
      id: uuidv7(),
      type: fact.type,
      subjectKind: fact.subject.kind,
      subjectId: fact.subject.id,
      subjectKey: subjectKeyOf(fact.subject),
      version: fact.version?.toString() ?? null,
      occurredAt: fact.occurredAt ?? null,
      data: fact.data,
      actor: fact.actor ?? currentActor(fact.subject.kind === 'user' ? fact.subject.id : undefined),
      traceparent: fact.traceparent ?? currentTraceparent() ?? null,
      heldSeconds: heldSeconds ?? null,
    }));
    written += await insertFacts.count(tx, { tenant, facts: rows });
  }
  if (written > 0) await wakeWorkers(tx, tenant);
}

export async function appendDeliveries(
  tx: Sql | Transaction,
  tenant: string,
  deliveries: readonly NewDelivery[],
): Promise<string[]> {
  if (deliveries.length === 0) return [];
  const rows = deliveries.map((delivery, position) => ({ ...delivery, position, id: uuidv7() }));
  await insertDeliveries.run(tx, { tenant, deliveries: rows });
  await wakeWorkers(tx, tenant);
  return rows.map(({ id }) => id);
}

export async function wakeWorkers(tx: Sql | Transaction, tenant: string): Promise<void> {
  if ('announce' in tx) tx.announce(deliveriesChannel, tenant);
  else await notify(tx, deliveriesChannel, tenant);
}

export const postgresFacts: FactStore = { appendFacts, appendGated, appendDeliveries, wakeWorkers };
