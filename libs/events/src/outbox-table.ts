import type { Sql } from '@ostiary/database';
import type { Actor, DomainEvent } from './contracts.ts';
import { outboxStatements } from './outbox-statements.ts';

/** How long after enqueuing, in ms, a delivery must be confirmed, unless said. */
export const confirmedAfterMs = 3000;

/** What a relay may have to do: for those who look for it less dearly than by doing it. */
export type OutboxWork = 'toSend' | 'toSubscribers' | 'toConfirm';

/** Whether there is something to do in the outbox of a schema: one step in its index each. */
export const lookIntoOutbox = (sql: Sql, schema: string): Promise<Record<OutboxWork, boolean> | undefined> =>
  outboxStatements(schema).work.first(sql, { afterMs: confirmedAfterMs });

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
 * The outbox as the relay sees it. Every statement that takes rows skips those another process has locked, so relays work side
 * by side without waiting for one another.
 */
export class OutboxTable {
  readonly #statements: ReturnType<typeof outboxStatements>;

  constructor(schema: string) {
    this.#statements = outboxStatements(schema);
  }

  /**
   * Locks the oldest pending deliveries, until the transaction ends; in the order of their events' making.
   * @param handedOver consumers whose deliveries of events that close doors are left alone
   */
  async lockPending(tx: Sql, limit: number, handedOver: readonly string[]): Promise<Pending[]> {
    return pendingOf(await this.#statements.lockOldest.rows(tx, { limit, handedOver }));
  }

  /** Locks pending deliveries of events that close doors: all that waits is looked through for them. */
  async lockUrgent(tx: Sql, limit: number): Promise<Pending[]> {
    return pendingOf(await this.#statements.lockUrgent.rows(tx, { limit }));
  }

  /** Consumers for whom something waits to be sent. */
  async consumersWaiting(sql: Sql): Promise<string[]> {
    const rows = await this.#statements.consumersWaiting.rows(sql);
    return rows.map(({ consumer }) => consumer);
  }

  /** Locks one consumer's pending deliveries of events that close doors, from an event on; in the order of their making. */
  async lockPendingUrgent(
    tx: Sql,
    consumer: string,
    after: string | undefined,
    limit: number,
  ): Promise<DomainEvent[]> {
    return (await this.#statements.lockUrgentTo.rows(tx, { consumer, after, limit })).map(eventOf);
  }

  /** Events that close doors and that the consumer isn't known to have taken in, in the order of their making. Locks nothing. */
  async undeliveredUrgent(
    sql: Sql,
    consumer: string,
    after: string | undefined,
    limit: number,
  ): Promise<DomainEvent[]> {
    return (await this.#statements.undeliveredUrgent.rows(sql, { consumer, after, limit })).map(eventOf);
  }

  /** Those of the events that close doors. */
  async urgentOf(sql: Sql, eventIds: readonly string[]): Promise<DomainEvent[]> {
    if (eventIds.length === 0) return [];
    return (await this.#statements.urgentOf.rows(sql, { ids: eventIds })).map(eventOf);
  }

  /** Those of the events that were made here. */
  async known(sql: Sql, eventIds: readonly string[]): Promise<DomainEvent[]> {
    return (await this.#statements.known.rows(sql, { ids: eventIds })).map(eventOf);
  }

  /** Notes which job of Redis carries which delivery. */
  async markEnqueued(
    tx: Sql,
    sent: readonly { eventId: string; consumer: string; job: string }[],
  ): Promise<void> {
    await this.#statements.markEnqueued.run(tx, { ...keysOf(sent), jobs: sent.map(({ job }) => job) });
  }

  /** Locks deliveries that were enqueued, or looked at, longer ago than `afterMs`, until the transaction ends. */
  async lockUnconfirmed(tx: Sql, limit: number, afterMs: number): Promise<SentDelivery[]> {
    const rows = await this.#statements.lockUnconfirmed.rows(tx, { limit, afterMs });
    // Without a job it was sent by an earlier release, one event a job.
    return rows.map((row) => ({ ...row, job: row.job ?? `${row.eventId}-${row.generation}` }));
  }

  /** Forgets deliveries that have arrived: a row is a delivery under way. */
  async forget(tx: Sql, arrived: readonly Delivery[]): Promise<void> {
    if (arrived.length > 0) await this.#statements.forget.run(tx, keysOf(arrived));
  }

  /** Makes lost deliveries pending again. */
  async requeue(tx: Sql, lost: readonly Delivery[]): Promise<void> {
    if (lost.length > 0) await this.#statements.requeue.run(tx, keysOf(lost));
  }

  /** Has been looked at: nobody looks again before the time to confirm has passed once more. */
  async touch(tx: Sql, slow: readonly Delivery[]): Promise<void> {
    if (slow.length > 0) await this.#statements.touch.run(tx, keysOf(slow));
  }

  /** What is still open, for the metrics. */
  async open(sql: Sql): Promise<{ consumer: string; state: string; count: number; ageSeconds: number }[]> {
    const rows = await this.#statements.open.rows(sql);
    return rows.map(({ age, ...row }) => ({ ...row, ageSeconds: Math.max(0, age) }));
  }

  /**
   * Deletes events that every consumer has confirmed and that are older than `retentionMs`; says how many. A row that
   * is `done` is what an earlier release left of a delivery.
   */
  prune(sql: Sql, limit: number, retentionMs: number): Promise<number> {
    return this.#statements.prune.count(sql, { limit, retentionMs });
  }
}

const pendingOf = (rows: readonly (EventRow & { consumers: string[] })[]): Pending[] =>
  rows.map((row) => ({ event: eventOf(row), consumers: row.consumers }));

const keysOf = (some: readonly { eventId: string; consumer: string }[]) => ({
  eventIds: some.map(({ eventId }) => eventId),
  consumers: some.map(({ consumer }) => consumer),
});
