import type { Sql } from '@ostiary/database';
import { type DomainEvent, readEvents } from './contracts.ts';
import { OutboxTable } from './outbox-table.ts';

/** Maximum number of events per page. */
const pageSize = 200;

export interface UndeliveredEvents {
  events: DomainEvent[];
  /** Whether further events follow. */
  more: boolean;
}

/**
 * Reads urgent events that a consumer has not confirmed, in pages, for a consumer that cannot wait for
 * delivery. The inbox knows those that have arrived. @throws DatabaseUnavailable
 */
export function undeliveredEvents(
  schema: string,
): (sql: Sql, consumer: string, after?: string) => Promise<UndeliveredEvents> {
  const table = new OutboxTable(schema);
  return async (sql, consumer, after) => {
    const events = await table.undeliveredUrgent(sql, consumer, after, pageSize + 1);
    return { events: events.slice(0, pageSize), more: events.length > pageSize };
  };
}

/** Parses an outbox owner's response; undefined if it is not a page of events. */
export function readUndelivered(body: unknown): UndeliveredEvents | undefined {
  const { events, more } = (body ?? {}) as { events?: unknown; more?: unknown };
  if (!Array.isArray(events) || typeof more !== 'boolean') return undefined;
  if (events.length === 0) return more ? undefined : { events: [], more };
  const read = readEvents(body);
  return read && { events: read, more };
}
