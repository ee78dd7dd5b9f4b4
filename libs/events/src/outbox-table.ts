import type { Sql } from '@ostiary/database';
import type { Actor, DomainEvent } from './contracts.ts';
import { outboxStatements } from './outbox-statements.ts';

/** Default time in ms after enqueuing within which a delivery must be confirmed. */
export const confirmedAfterMs = 1000;

/** Kinds of work of a relay, for cheap checks. */
export type OutboxWork = 'toSend' | 'toSubscribers' | 'toConfirm';

/** Reports the pending work in the outbox of a schema, with one index lookup each. */
export const lookIntoOutbox = (sql: Sql, schema: string): Promise<Record<OutboxWork, boolean> | undefined> =>
  outboxStatements(schema).work.first(sql, { afterMs: confirmedAfterMs });

/** Delivery of one event to one consumer. */
export interface Delivery {
  eventId: string;
  consumer: string;
  /** Number of times it was lost and sent again. */
  generation: number;
}

/** An event with the consumers to which it has not been sent. */
export interface Pending {
  event: DomainEvent;
  consumers: string[];
}

/** A delivery accepted by Redis, with its job. */
export interface SentDelivery extends Delivery {
  job: string;
}

interface EventRow {
  id: string;
  tenant: string;
  type: string;
  subject: string;
  version: number;
  payload: unknown;
  actor: Actor;
  traceparent: string | null;
  occurredAt: Date;
}

const eventOf = (row: EventRow): DomainEvent =>
  ({
    id: row.id,
    tenant: row.tenant,
    type: row.type,
    subject: row.subject,
    version: Number(row.version),
    occurredAt: row.occurredAt.toISOString(),
    actor: row.actor,
    ...(row.traceparent !== null && { traceparent: row.traceparent }),
    payload: row.payload,
  }) as DomainEvent;

/**
 * The outbox as used by the relay. Statements that take rows skip rows locked by another process, so relays
 * run in parallel without waiting.
 */
export class OutboxTable {
  readonly #statements: ReturnType<typeof outboxStatements>;

  constructor(schema: string) {
    this.#statements = outboxStatements(schema);
  }

  /** Locks the oldest pending deliveries until the transaction ends, in the order of their events. */
  async lockPending(tx: Sql, limit: number): Promise<Pending[]> {
    return pendingOf(await this.#statements.lockOldest.rows(tx, { limit }));
  }

  /** Locks pending deliveries of urgent events, searching all pending ones. */
  async lockUrgent(tx: Sql, limit: number): Promise<Pending[]> {
    return pendingOf(await this.#statements.lockUrgent.rows(tx, { limit }));
  }

  /** Returns urgent events that the consumer has not confirmed, in order of creation. Locks nothing. */
  async undeliveredUrgent(
    sql: Sql,
    consumer: string,
    after: string | undefined,
    limit: number,
  ): Promise<DomainEvent[]> {
    return (await this.#statements.undeliveredUrgent.rows(sql, { consumer, after, limit })).map(eventOf);
  }

  /** Returns the urgent ones of the events. */
  async urgentOf(sql: Sql, eventIds: readonly string[]): Promise<DomainEvent[]> {
    if (eventIds.length === 0) return [];
    return (await this.#statements.urgentOf.rows(sql, { ids: eventIds })).map(eventOf);
  }

  /** Returns those of the events that this outbox created. */
  async known(sql: Sql, eventIds: readonly string[]): Promise<DomainEvent[]> {
    return (await this.#statements.known.rows(sql, { ids: eventIds })).map(eventOf);
  }

  /** Records the Redis job of each delivery. */
  async markEnqueued(
    tx: Sql,
    sent: readonly { eventId: string; consumer: string; job: string }[],
  ): Promise<void> {
    if (sent.length > 0)
      await this.#statements.markEnqueued.run(tx, { ...keysOf(sent), jobs: sent.map(({ job }) => job) });
  }

  /** Locks deliveries that were enqueued or checked longer than `afterMs` ago, until the transaction ends. */
  async lockUnconfirmed(tx: Sql, limit: number, afterMs: number): Promise<SentDelivery[]> {
    return (await this.#statements.lockUnconfirmed.rows(tx, { limit, afterMs })).map(sentOf);
  }

  /** Locks pending deliveries of urgent events that were not checked within `afterMs`. */
  async lockPendingUrgent(tx: Sql, limit: number, afterMs: number): Promise<SentDelivery[]> {
    return (await this.#statements.lockPendingUrgent.rows(tx, { limit, afterMs })).map(sentOf);
  }

  /** Deletes confirmed deliveries: each row is a pending delivery. */
  async forget(tx: Sql, arrived: readonly Delivery[]): Promise<void> {
    if (arrived.length > 0) await this.#statements.forget.run(tx, keysOf(arrived));
  }

  /** Makes lost deliveries pending again. */
  async requeue(tx: Sql, lost: readonly Delivery[]): Promise<void> {
    if (lost.length > 0) await this.#statements.requeue.run(tx, keysOf(lost));
  }

  /** Postpones the next check of slow deliveries by the time to confirm. */
  async touch(tx: Sql, slow: readonly Delivery[]): Promise<void> {
    if (slow.length > 0) await this.#statements.touch.run(tx, keysOf(slow));
  }

  /** Returns open deliveries, for metrics. */
  async open(sql: Sql): Promise<{ consumer: string; state: string; count: number; ageSeconds: number }[]> {
    const rows = await this.#statements.open.rows(sql);
    return rows.map(({ age, ...row }) => ({ ...row, ageSeconds: Math.max(0, age) }));
  }

  /**
   * Deletes events that every consumer has confirmed and that are older than `retentionMs`; returns their
   * number. Rows in state `done` are from an earlier release.
   */
  prune(sql: Sql, limit: number, retentionMs: number): Promise<number> {
    return this.#statements.prune.count(sql, { limit, retentionMs });
  }
}

// Without a job, the event has not been sent; its id has its time.
const sentOf = ({ job, ...delivery }: Delivery & { job: string | null }): SentDelivery => ({
  ...delivery,
  job: job ?? delivery.eventId,
});

const pendingOf = (rows: readonly (EventRow & { consumers: string[] })[]): Pending[] =>
  rows.map((row) => ({ event: eventOf(row), consumers: row.consumers }));

const keysOf = (some: readonly { eventId: string; consumer: string }[]) => ({
  eventIds: some.map(({ eventId }) => eventId),
  consumers: some.map(({ consumer }) => consumer),
});
