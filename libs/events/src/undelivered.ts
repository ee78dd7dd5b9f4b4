import type { Sql } from '@ostiary/database';
import { type DomainEvent, readEvents } from './contracts.ts';
import { OutboxTable } from './outbox-table.ts';

/** Events on one page. */
const pageSize = 200;

export interface UndeliveredEvents {
  events: DomainEvent[];
  /** Whether there are others, after the last of these. */
  more: boolean;
}

/**
 * Reads what closes doors and hasn't been confirmed by a consumer yet, a page at a time: for a consumer that can't wait until it
 * is brought. Some of it may have arrived, which the inbox knows. @throws DatabaseUnavailable
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

/** What the owner of an outbox answered; undefined when that is no page of events. */
export function readUndelivered(body: unknown): UndeliveredEvents | undefined {
  const { events, more } = (body ?? {}) as { events?: unknown; more?: unknown };
  if (!Array.isArray(events) || typeof more !== 'boolean') return undefined;
  if (events.length === 0) return more ? undefined : { events: [], more };
  const read = readEvents(body);
  return read && { events: read, more };
}
