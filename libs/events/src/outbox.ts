import type { Sql, Transaction } from '@ostiary/database';
import { currentTraceparent, uuidv7 } from '@ostiary/service';
import type { NewEvent } from './contracts.ts';

/** The channel on which a relay learns that its outbox has something new. */
export const outboxChannel = (schema: string): string => `${schema}_outbox`;

export interface Outbox {
  /**
   * Writes events, and one delivery per consumer, in the transaction that makes the change: one statement for any
   * number of events. The relay learns of them when the transaction commits.
   * @returns the events' ids, in order
   */
  append(tx: Sql | Transaction, events: readonly NewEvent[]): Promise<string[]>;
}

/** The outbox in `<schema>.outbox_events` and `<schema>.outbox_deliveries`, read by `consumers`. */
export function createOutbox(schema: string, consumers: readonly string[]): Outbox {
  const insert = `
    WITH events AS (
      INSERT INTO ${schema}.outbox_events (id, tenant, type, subject, version, payload, actor, traceparent)
      SELECT id, tenant, type, subject, version, payload, actor, traceparent
      FROM jsonb_to_recordset($1::jsonb) AS new (
        id uuid, tenant text, type text, subject text, version bigint, payload jsonb, actor jsonb, traceparent text)
      RETURNING id
    )
    INSERT INTO ${schema}.outbox_deliveries (event_id, consumer)
    SELECT events.id, consumer FROM events CROSS JOIN unnest($2::text[]) AS consumer`;
  const channel = outboxChannel(schema);

  return {
    async append(tx, events) {
      if (events.length === 0) return [];
      const traceparent = currentTraceparent() ?? null;
      const rows = events.map((event) => ({ ...event, id: event.id ?? uuidv7(), traceparent }));
      await tx.query(insert, [JSON.stringify(rows), consumers]);
      if ('announce' in tx) tx.announce(channel);
      else await tx.query('SELECT pg_notify($1, $2)', [channel, 'appended']);
      return rows.map(({ id }) => id);
    },
  };
}
