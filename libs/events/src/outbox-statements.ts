import { fragment, statement, statementsBySchema, typed } from '@ostiary/database';
import { type Actor, liveConsumer, urgentRow } from './contracts.ts';

/** Columns of an event `e`, as written. */
const event = fragment(
  'e.id, e.tenant, e.type, e.subject, e.version, e.payload, e.actor, e.traceparent, e.occurred_at AS "occurredAt"',
  {
    id: 'uuid',
    tenant: 'text',
    type: 'text',
    subject: 'text',
    version: typed<number>('int8'),
    payload: 'jsonb',
    actor: typed<Actor>('jsonb'),
    traceparent: 'text?',
    occurredAt: 'timestamptz',
  },
);

const keys = { eventIds: 'uuid[]', consumers: 'text[]' } as const;

/** Returns common table expressions that write events, and one delivery of each to every consumer. */
export function outboxWriting(o: {
  schema: string;
  /** Parameter with the events, as JSON. */
  events: string;
  /** Parameter with the array of consumer names. */
  consumers: string;
  onlyIf?: string | undefined;
}): { events: string; deliveries: string } {
  return {
    events: `outbox_event AS (
      INSERT INTO ${o.schema}.outbox_events (id, tenant, type, subject, version, payload, actor, traceparent)
      SELECT id, tenant, type, subject, version, payload, actor, traceparent
      FROM jsonb_to_recordset(${o.events}::jsonb) AS new (
        id uuid, tenant text, type text, subject text, version bigint, payload jsonb, actor jsonb, traceparent text)
      ${o.onlyIf === undefined ? '' : `WHERE EXISTS (SELECT FROM ${o.onlyIf})`}
      RETURNING id
    )`,
    deliveries: `INSERT INTO ${o.schema}.outbox_deliveries (event_id, consumer)
      SELECT id, consumer FROM outbox_event CROSS JOIN unnest(${o.consumers}::text[]) AS consumer`,
  };
}

/** Statements on the outbox of a schema. Those that take rows skip rows locked by another process. */
export const outboxStatements = statementsBySchema(['outbox_events', 'outbox_deliveries'], (schema) => {
  const tables = { events: `${schema}.outbox_events`, deliveries: `${schema}.outbox_deliveries` };
  return {
    ...writing(schema),
    ...sending(tables),
    ...toSubscribers(tables),
    ...confirming(tables),
    ...reading(tables),
    ...looking(tables),
  };
});

interface Tables {
  events: string;
  deliveries: string;
}

function writing(schema: string) {
  const { events, deliveries } = outboxWriting({ schema, events: '$events', consumers: '$consumers' });
  return {
    append: statement({
      name: 'outbox.append',
      reason: 'hot path',
      text: `WITH ${events} ${deliveries}`,
      parameters: { events: 'jsonb', consumers: 'text[]' },
    }),
  };
}

function sending({ events, deliveries }: Tables) {
  const locked = (oldest: string): string =>
    `SELECT ${event}, d.consumers
       FROM (SELECT event_id, array_agg(consumer) AS consumers FROM (${oldest}) locked GROUP BY event_id) d
       JOIN ${events} e ON e.id = d.event_id
      ORDER BY d.event_id`;
  const columns = { ...event.columns, consumers: 'text[]' } as const;
  return {
    lockOldest: statement({
      name: 'outbox.lockOldest',
      reason: 'hot path',
      text: locked(`SELECT event_id, consumer FROM ${deliveries} d
        WHERE state = 'pending' AND consumer <> '${liveConsumer}'
        ORDER BY enqueued_at, event_id LIMIT $limit FOR UPDATE SKIP LOCKED`),
      parameters: { limit: 'int8' },
      columns,
    }),
    lockUrgent: statement({
      name: 'outbox.lockUrgent',
      reason: 'hot path',
      text: locked(`SELECT d.event_id, d.consumer FROM ${deliveries} d JOIN ${events} e ON e.id = d.event_id
        WHERE d.state = 'pending' AND d.consumer <> '${liveConsumer}' AND ${urgentRow}
        ORDER BY d.event_id LIMIT $limit FOR UPDATE OF d SKIP LOCKED`),
      parameters: { limit: 'int8' },
      columns,
    }),
    markEnqueued: statement({
      name: 'outbox.markEnqueued',
      reason: 'hot path',
      text: `UPDATE ${deliveries} d SET state = 'enqueued', enqueued_at = clock_timestamp(), job = sent.job
               FROM unnest($eventIds::uuid[], $consumers::text[], $jobs::uuid[]) AS sent (event_id, consumer, job)
              WHERE d.event_id = sent.event_id AND d.consumer = sent.consumer`,
      parameters: { ...keys, jobs: 'uuid[]' },
    }),
  };
}

function toSubscribers({ events, deliveries }: Tables) {
  return {
    takeLive: statement({
      name: 'outbox.takeLive',
      reason: 'set',
      text: `WITH taken AS (
               DELETE FROM ${deliveries} WHERE (event_id, consumer) IN (
                 SELECT event_id, consumer FROM ${deliveries}
                 WHERE state = 'pending' AND consumer = $consumer ORDER BY event_id LIMIT $limit FOR UPDATE SKIP LOCKED)
               RETURNING event_id)
             SELECT e.id, e.tenant, e.type, e.subject, e.version, e.occurred_at AS "occurredAt",
                    CASE WHEN e.type LIKE 'tenant.%' THEN e.payload->>'status' END AS status
               FROM taken JOIN ${events} e ON e.id = taken.event_id ORDER BY e.id`,
      parameters: { consumer: 'text', limit: 'int8' },
      columns: {
        id: 'uuid',
        tenant: 'text',
        type: 'text',
        subject: 'text',
        version: typed<number>('int8'),
        occurredAt: 'timestamptz',
        /** Status of the event's tenant. */
        status: 'text?',
      },
    }),
  };
}

function confirming({ events, deliveries }: Tables) {
  const locked = { limit: 'int8', afterMs: 'float8' } as const;
  const columns = { eventId: 'uuid', consumer: 'text', generation: 'int4', job: 'uuid?' } as const;
  return {
    lockUnconfirmed: statement({
      name: 'outbox.lockUnconfirmed',
      reason: 'hot path',
      text: `SELECT event_id AS "eventId", consumer, generation, job FROM ${deliveries}
              WHERE state = 'enqueued' AND enqueued_at < clock_timestamp() - $afterMs * interval '1 millisecond'
              ORDER BY enqueued_at, event_id LIMIT $limit FOR UPDATE SKIP LOCKED`,
      parameters: locked,
      columns,
    }),
    lockPendingUrgent: statement({
      name: 'outbox.lockPendingUrgent',
      reason: 'set',
      text: `SELECT d.event_id AS "eventId", d.consumer, d.generation, d.job
               FROM ${deliveries} d JOIN ${events} e ON e.id = d.event_id
              WHERE d.state = 'pending' AND d.consumer <> '${liveConsumer}' AND ${urgentRow}
                AND (d.enqueued_at IS NULL OR d.enqueued_at < clock_timestamp() - $afterMs * interval '1 millisecond')
              ORDER BY d.event_id LIMIT $limit FOR UPDATE OF d SKIP LOCKED`,
      parameters: locked,
      columns,
    }),
    forget: statement({
      name: 'outbox.forget',
      reason: 'hot path',
      text: `DELETE FROM ${deliveries} d USING unnest($eventIds::uuid[], $consumers::text[]) AS arrived (event_id, consumer)
              WHERE d.event_id = arrived.event_id AND d.consumer = arrived.consumer`,
      parameters: keys,
    }),
    requeue: statement({
      name: 'outbox.requeue',
      reason: 'set',
      text: `UPDATE ${deliveries} d SET state = 'pending', generation = d.generation + 1, enqueued_at = NULL, job = NULL
               FROM unnest($eventIds::uuid[], $consumers::text[]) AS lost (event_id, consumer)
              WHERE d.event_id = lost.event_id AND d.consumer = lost.consumer`,
      parameters: keys,
    }),
    touch: statement({
      name: 'outbox.touch',
      reason: 'set',
      text: `UPDATE ${deliveries} d SET enqueued_at = clock_timestamp()
               FROM unnest($eventIds::uuid[], $consumers::text[]) AS slow (event_id, consumer)
              WHERE d.event_id = slow.event_id AND d.consumer = slow.consumer`,
      parameters: keys,
    }),
  };
}

function reading({ events, deliveries }: Tables) {
  return {
    undeliveredUrgent: statement({
      name: 'outbox.undeliveredUrgent',
      reason: 'set',
      text: `SELECT ${event} FROM ${deliveries} d JOIN ${events} e ON e.id = d.event_id
              WHERE d.state IN ('pending', 'enqueued') AND d.consumer = $consumer
                AND ($after::uuid IS NULL OR d.event_id > $after::uuid) AND ${urgentRow}
              ORDER BY d.event_id LIMIT $limit`,
      parameters: { consumer: 'text', after: 'uuid?', limit: 'int8' },
      columns: event.columns,
    }),
    urgentOf: statement({
      name: 'outbox.urgentOf',
      reason: 'set',
      text: `SELECT ${event} FROM ${events} e WHERE e.id = ANY ($ids::uuid[]) AND ${urgentRow} ORDER BY e.id`,
      parameters: { ids: 'uuid[]' },
      columns: event.columns,
    }),
    known: statement({
      name: 'outbox.known',
      reason: 'hot path',
      text: `SELECT ${event} FROM ${events} e WHERE e.id = ANY ($ids::uuid[]) ORDER BY e.id`,
      parameters: { ids: 'uuid[]' },
      columns: event.columns,
    }),
    open: statement({
      name: 'outbox.open',
      reason: 'set',
      text: `SELECT d.consumer, d.state, count(*) AS count,
                    extract(epoch FROM clock_timestamp() - min(e.occurred_at))::float8 AS age
               FROM ${deliveries} d JOIN ${events} e ON e.id = d.event_id
              WHERE d.state IN ('pending', 'enqueued') GROUP BY d.consumer, d.state`,
      columns: { consumer: 'text', state: 'text', count: typed<number>('int8'), age: 'float8' },
    }),
    prune: statement({
      name: 'outbox.prune',
      reason: 'set',
      text: `WITH old AS (
               SELECT id FROM ${events} e
                WHERE occurred_at < now() - $retentionMs * interval '1 millisecond'
                  AND NOT EXISTS (SELECT FROM ${deliveries} d WHERE d.event_id = e.id AND d.state <> 'done')
                ORDER BY occurred_at LIMIT $limit FOR UPDATE SKIP LOCKED
             ), gone AS (
               DELETE FROM ${deliveries} d USING old WHERE d.event_id = old.id
             )
             DELETE FROM ${events} e USING old WHERE e.id = old.id`,
      parameters: { limit: 'int8', retentionMs: 'float8' },
    }),
  };
}

function looking({ deliveries }: Tables) {
  return {
    work: statement({
      name: 'outbox.work',
      reason: 'hot path',
      text: `SELECT EXISTS (SELECT FROM ${deliveries} WHERE state = 'pending' AND consumer <> '${liveConsumer}') AS "toSend",
                    EXISTS (SELECT FROM ${deliveries} WHERE state = 'pending' AND consumer = '${liveConsumer}') AS "toSubscribers",
                    EXISTS (SELECT FROM ${deliveries} WHERE state = 'enqueued'
                      AND enqueued_at < clock_timestamp() - $afterMs * interval '1 millisecond') AS "toConfirm"`,
      parameters: { afterMs: 'float8' },
      columns: { toSend: 'bool', toSubscribers: 'bool', toConfirm: 'bool' },
    }),
  };
}
