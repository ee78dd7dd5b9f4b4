import type { Sql } from '@ostiary/database';
import { type Actor, type DomainEvent, liveConsumer, urgentRow } from './contracts.ts';

/** One event on its way to one consumer. */
export interface Delivery {
  eventId: string;
  consumer: string;
  /** Counts how often it was found lost and sent anew. */
  generation: number;
}

/** An event, and who hasn't been sent it yet. */
export interface Pending {
  event: DomainEvent;
  consumers: string[];
}

/** A delivery that Redis has been given, and the job that carries it. */
export interface SentDelivery extends Delivery {
  job: string;
}

interface EventRow {
  event_id: string;
  consumers: string[];
  tenant: string;
  type: string;
  subject: string;
  version: number;
  payload: unknown;
  actor: Actor;
  traceparent: string | null;
  occurred_at: Date;
}

interface DeliveryRow {
  event_id: string;
  consumer: string;
  generation: number;
  job: string | null;
}

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
export class OutboxTable {
  readonly #events: string;
  readonly #deliveries: string;

  constructor(schema: string) {
    this.#events = `${schema}.outbox_events`;
    this.#deliveries = `${schema}.outbox_deliveries`;
  }

  /**
   * Locks the oldest pending deliveries, until the transaction ends; in the order of their events' making.
   * @param only those of events that close doors: all that waits is looked through for them
   */
  async lockPending(tx: Sql, limit: number, only?: 'urgent'): Promise<Pending[]> {
    const oldest =
      only === undefined
        ? `SELECT event_id, consumer FROM ${this.#deliveries}
           WHERE state = 'pending' AND consumer <> '${liveConsumer}'
           ORDER BY enqueued_at, event_id LIMIT $1 FOR UPDATE SKIP LOCKED`
        : `SELECT d.event_id, d.consumer FROM ${this.#deliveries} d JOIN ${this.#events} e ON e.id = d.event_id
           WHERE d.state = 'pending' AND d.consumer <> '${liveConsumer}' AND ${urgentRow}
           ORDER BY d.event_id LIMIT $1 FOR UPDATE OF d SKIP LOCKED`;
    const { rows } = await tx.query<EventRow>(
      `SELECT d.event_id, d.consumers,
              e.tenant, e.type, e.subject, e.version, e.payload, e.actor, e.traceparent, e.occurred_at
       FROM (SELECT event_id, array_agg(consumer) AS consumers FROM (${oldest}) locked GROUP BY event_id) d
       JOIN ${this.#events} e ON e.id = d.event_id
       ORDER BY d.event_id`,
      [limit],
    );
    return rows.map((row) => ({ event: event(row), consumers: row.consumers }));
  }

  /** Consumers for whom something waits to be sent. */
  async consumersWaiting(sql: Sql): Promise<string[]> {
    const { rows } = await sql.query<{ consumer: string }>(
      `SELECT DISTINCT consumer FROM ${this.#deliveries} WHERE state = 'pending' AND consumer <> '${liveConsumer}'`,
    );
    return rows.map(({ consumer }) => consumer);
  }

  /** Locks one consumer's pending deliveries of events that close doors, from an event on; in the order of their making. */
  async lockPendingUrgent(
    tx: Sql,
    consumer: string,
    after: string | undefined,
    limit: number,
  ): Promise<DomainEvent[]> {
    const { rows } = await tx.query<EventRow>(
      `SELECT d.event_id, e.tenant, e.type, e.subject, e.version, e.payload, e.actor, e.traceparent, e.occurred_at
       FROM ${this.#deliveries} d JOIN ${this.#events} e ON e.id = d.event_id
       WHERE d.state = 'pending' AND d.consumer = $1 AND ($2::uuid IS NULL OR d.event_id > $2::uuid) AND ${urgentRow}
       ORDER BY d.event_id LIMIT $3 FOR UPDATE OF d SKIP LOCKED`,
      [consumer, after ?? null, limit],
    );
    return rows.map(event);
  }

  /** Events that close doors and that the consumer isn't known to have taken in, in the order of their making. Locks nothing. */
  async undeliveredUrgent(
    sql: Sql,
    consumer: string,
    after: string | undefined,
    limit: number,
  ): Promise<DomainEvent[]> {
    const { rows } = await sql.query<EventRow>(
      `SELECT e.id AS event_id, e.tenant, e.type, e.subject, e.version, e.payload, e.actor, e.traceparent, e.occurred_at
       FROM ${this.#deliveries} d JOIN ${this.#events} e ON e.id = d.event_id
       WHERE d.state IN ('pending', 'enqueued') AND d.consumer = $1 AND ($2::uuid IS NULL OR d.event_id > $2::uuid)
         AND ${urgentRow}
       ORDER BY d.event_id LIMIT $3`,
      [consumer, after ?? null, limit],
    );
    return rows.map(event);
  }

  /** Those of the events that close doors. */
  async urgentOf(sql: Sql, eventIds: readonly string[]): Promise<DomainEvent[]> {
    if (eventIds.length === 0) return [];
    const { rows } = await sql.query<EventRow>(
      `SELECT id AS event_id, tenant, type, subject, version, payload, actor, traceparent, occurred_at
       FROM ${this.#events} e WHERE id = ANY ($1::uuid[]) AND ${urgentRow} ORDER BY id`,
      [eventIds],
    );
    return rows.map(event);
  }

  /** Those of the events that were made here. */
  async known(sql: Sql, eventIds: readonly string[]): Promise<DomainEvent[]> {
    const { rows } = await sql.query<EventRow>(
      `SELECT id AS event_id, tenant, type, subject, version, payload, actor, traceparent, occurred_at
       FROM ${this.#events} e WHERE id = ANY ($1::uuid[]) ORDER BY id`,
      [eventIds],
    );
    return rows.map(event);
  }

  /** Notes which job of Redis carries which delivery. */
  async markEnqueued(
    tx: Sql,
    sent: readonly { eventId: string; consumer: string; job: string }[],
  ): Promise<void> {
    await tx.query(
      `UPDATE ${this.#deliveries} d SET state = 'enqueued', enqueued_at = clock_timestamp(), job = sent.job
       FROM unnest($1::uuid[], $2::text[], $3::uuid[]) AS sent (event_id, consumer, job)
       WHERE d.event_id = sent.event_id AND d.consumer = sent.consumer`,
      [sent.map((d) => d.eventId), sent.map((d) => d.consumer), sent.map((d) => d.job)],
    );
  }

  /** Locks deliveries that were enqueued, or looked at, longer ago than `afterMs`, until the transaction ends. */
  async lockUnconfirmed(tx: Sql, limit: number, afterMs: number): Promise<SentDelivery[]> {
    const { rows } = await tx.query<DeliveryRow>(
      `SELECT event_id, consumer, generation, job FROM ${this.#deliveries}
       WHERE state = 'enqueued' AND enqueued_at < clock_timestamp() - $2 * interval '1 millisecond'
       ORDER BY enqueued_at, event_id LIMIT $1 FOR UPDATE SKIP LOCKED`,
      [limit, afterMs],
    );
    return rows.map((row) => ({
      eventId: row.event_id,
      consumer: row.consumer,
      generation: row.generation,
      // Without a job it was sent by an earlier release, one event a job.
      job: row.job ?? `${row.event_id}-${row.generation}`,
    }));
  }

  /** Forgets deliveries that have arrived: a row is a delivery under way. */
  async forget(tx: Sql, arrived: readonly Delivery[]): Promise<void> {
    if (arrived.length === 0) return;
    await tx.query(
      `DELETE FROM ${this.#deliveries} d USING unnest($1::uuid[], $2::text[]) AS arrived (event_id, consumer)
       WHERE d.event_id = arrived.event_id AND d.consumer = arrived.consumer`,
      keysOf(arrived),
    );
  }

  /** Makes lost deliveries pending again. */
  async requeue(tx: Sql, lost: readonly Delivery[]): Promise<void> {
    if (lost.length === 0) return;
    await tx.query(
      `UPDATE ${this.#deliveries} d SET state = 'pending', generation = d.generation + 1, enqueued_at = NULL, job = NULL
       FROM unnest($1::uuid[], $2::text[]) AS lost (event_id, consumer)
       WHERE d.event_id = lost.event_id AND d.consumer = lost.consumer`,
      keysOf(lost),
    );
  }

  /** Has been looked at: nobody looks again before the time to confirm has passed once more. */
  async touch(tx: Sql, slow: readonly Delivery[]): Promise<void> {
    if (slow.length === 0) return;
    await tx.query(
      `UPDATE ${this.#deliveries} d SET enqueued_at = clock_timestamp()
       FROM unnest($1::uuid[], $2::text[]) AS slow (event_id, consumer)
       WHERE d.event_id = slow.event_id AND d.consumer = slow.consumer`,
      keysOf(slow),
    );
  }

  /** What is still open, for the metrics. */
  async open(sql: Sql): Promise<{ consumer: string; state: string; count: number; ageSeconds: number }[]> {
    const { rows } = await sql.query<{ consumer: string; state: string; count: number; age: number }>(
      `SELECT d.consumer, d.state, count(*) AS count,
              extract(epoch FROM clock_timestamp() - min(e.occurred_at))::float8 AS age
       FROM ${this.#deliveries} d JOIN ${this.#events} e ON e.id = d.event_id
       WHERE d.state IN ('pending', 'enqueued') GROUP BY d.consumer, d.state`,
    );
    return rows.map(({ consumer, state, count, age }) => ({
      consumer,
      state,
      count,
      ageSeconds: Math.max(0, age),
    }));
  }

  /**
   * Deletes events that every consumer has confirmed and that are older than `retentionMs`; says how many. A row that
   * is `done` is what an earlier release left of a delivery.
   */
  async prune(sql: Sql, limit: number, retentionMs: number): Promise<number> {
    const { rowCount } = await sql.query(
      `WITH old AS (
         SELECT id FROM ${this.#events} e
         WHERE occurred_at < now() - $2 * interval '1 millisecond'
           AND NOT EXISTS (SELECT FROM ${this.#deliveries} d WHERE d.event_id = e.id AND d.state <> 'done')
         ORDER BY occurred_at LIMIT $1 FOR UPDATE SKIP LOCKED
       ), gone AS (
         DELETE FROM ${this.#deliveries} d USING old WHERE d.event_id = old.id
       )
       DELETE FROM ${this.#events} e USING old WHERE e.id = old.id`,
      [limit, retentionMs],
    );
    return rowCount;
  }
}

const keysOf = (some: readonly Delivery[]) => [some.map((d) => d.eventId), some.map((d) => d.consumer)];
