import type { Sql } from '@ostiary/database';
import { type Actor, type DomainEvent, liveConsumer } from './contracts.ts';

/** One event on its way to one consumer. */
export interface Delivery {
  eventId: string;
  consumer: string;
  /** Counts how often it was enqueued anew. BullMQ ignores a job id it has seen, so each time needs its own. */
  generation: number;
}

interface DeliveryRow {
  event_id: string;
  consumer: string;
  generation: number;
}

interface EventRow extends DeliveryRow {
  tenant: string;
  type: string;
  subject: string;
  version: number;
  payload: unknown;
  actor: Actor;
  traceparent: string | null;
  occurred_at: Date;
}

const delivery = (row: DeliveryRow): Delivery => ({
  eventId: row.event_id,
  consumer: row.consumer,
  generation: row.generation,
});

const event = (row: EventRow): DomainEvent =>
  ({
    id: row.event_id,
    tenant: row.tenant,
    type: row.type,
    subject: row.subject,
    version: Number(row.version),
    occurredAt: row.occurred_at.toISOString(),
    actor: row.actor,
    ...(row.traceparent !== null && { traceparent: row.traceparent }),
    payload: row.payload,
  }) as DomainEvent;

/**
 * The SQL of the relay. Every statement that takes rows skips those another process has locked, so relays work side
 * by side without waiting for one another.
 */
export function outboxTable(schema: string) {
  const events = `${schema}.outbox_events`;
  const deliveries = `${schema}.outbox_deliveries`;

  return {
    /** Locks the oldest pending deliveries, until the transaction ends. */
    async lockPending(tx: Sql, limit: number): Promise<{ delivery: Delivery; event: DomainEvent }[]> {
      const { rows } = await tx.query<EventRow>(
        `SELECT d.event_id, d.consumer, d.generation,
                e.tenant, e.type, e.subject, e.version, e.payload, e.actor, e.traceparent, e.occurred_at
         FROM (SELECT event_id, consumer, generation FROM ${deliveries}
               WHERE state = 'pending' AND consumer <> '${liveConsumer}'
               ORDER BY enqueued_at, event_id LIMIT $1 FOR UPDATE SKIP LOCKED) d
         JOIN ${events} e ON e.id = d.event_id`,
        [limit],
      );
      return rows.map((row) => ({ delivery: delivery(row), event: event(row) }));
    },

    async markEnqueued(tx: Sql, sent: readonly Delivery[]): Promise<void> {
      await tx.query(
        `UPDATE ${deliveries} d SET state = 'enqueued', enqueued_at = clock_timestamp()
         FROM unnest($1::uuid[], $2::text[]) AS sent (event_id, consumer)
         WHERE d.event_id = sent.event_id AND d.consumer = sent.consumer`,
        [sent.map((d) => d.eventId), sent.map((d) => d.consumer)],
      );
    },

    /**
     * Takes deliveries that were enqueued, or looked at, longer ago than `afterMs`. Looking counts as touching: nobody
     * else, and not this process either, looks at them again before that time has passed once more.
     */
    async claimUnconfirmed(sql: Sql, limit: number, afterMs: number): Promise<Delivery[]> {
      const { rows } = await sql.query<DeliveryRow>(
        `UPDATE ${deliveries} d SET enqueued_at = clock_timestamp()
         FROM (SELECT event_id, consumer FROM ${deliveries}
               WHERE state = 'enqueued' AND enqueued_at < clock_timestamp() - $2 * interval '1 millisecond'
               ORDER BY enqueued_at, event_id LIMIT $1 FOR UPDATE SKIP LOCKED) due
         WHERE d.event_id = due.event_id AND d.consumer = due.consumer
         RETURNING d.event_id, d.consumer, d.generation`,
        [limit, afterMs],
      );
      return rows.map(delivery);
    },

    async markDone(sql: Sql, consumer: string, eventIds: readonly string[]): Promise<void> {
      await sql.query(
        `UPDATE ${deliveries} SET state = 'done'
         WHERE consumer = $1 AND event_id = ANY ($2::uuid[]) AND state <> 'done'`,
        [consumer, eventIds],
      );
    },

    /** Makes lost deliveries pending under a new generation, unless somebody else has done so meanwhile. */
    async requeue(sql: Sql, lost: readonly Delivery[]): Promise<number> {
      const { rowCount } = await sql.query(
        `UPDATE ${deliveries} d SET state = 'pending', generation = d.generation + 1, enqueued_at = NULL
         FROM unnest($1::uuid[], $2::text[], $3::int[]) AS lost (event_id, consumer, generation)
         WHERE d.event_id = lost.event_id AND d.consumer = lost.consumer
           AND d.generation = lost.generation AND d.state = 'enqueued'`,
        [lost.map((d) => d.eventId), lost.map((d) => d.consumer), lost.map((d) => d.generation)],
      );
      return rowCount;
    },

    /** What is still open, for the metrics. */
    async open(sql: Sql): Promise<{ consumer: string; state: string; count: number; ageSeconds: number }[]> {
      const { rows } = await sql.query<{ consumer: string; state: string; count: number; age: number }>(
        `SELECT d.consumer, d.state, count(*) AS count,
                extract(epoch FROM clock_timestamp() - min(e.occurred_at))::float8 AS age
         FROM ${deliveries} d JOIN ${events} e ON e.id = d.event_id
         WHERE d.state IN ('pending', 'enqueued') GROUP BY d.consumer, d.state`,
      );
      return rows.map(({ consumer, state, count, age }) => ({
        consumer,
        state,
        count,
        ageSeconds: Math.max(0, age),
      }));
    },

    /** Deletes events that every consumer has confirmed and that are older than `retentionMs`; says how many. */
    async prune(sql: Sql, limit: number, retentionMs: number): Promise<number> {
      const { rowCount } = await sql.query(
        `WITH old AS (
           SELECT id FROM ${events} e
           WHERE occurred_at < now() - $2 * interval '1 millisecond'
             AND NOT EXISTS (SELECT FROM ${deliveries} d WHERE d.event_id = e.id AND d.state <> 'done')
           ORDER BY occurred_at LIMIT $1 FOR UPDATE SKIP LOCKED
         ), gone AS (
           DELETE FROM ${deliveries} d USING old WHERE d.event_id = old.id
         )
         DELETE FROM ${events} e USING old WHERE e.id = old.id`,
        [limit, retentionMs],
      );
      return rowCount;
    },
  };
}
