import { notify, type Sql, type Transaction } from '@ostiary/database';
import { currentTraceparent, uuidv7 } from '@ostiary/service';
import { isUrgent, type NewEvent } from './contracts.ts';
import { outboxStatements, outboxWriting } from './outbox-statements.ts';

/** Returns the notification channel of a schema's outbox. */
export const outboxChannel = (schema: string): string => `${schema}_outbox`;

/** Notification for urgent events; any other text is not urgent. */
export const urgentNote = 'urgent';

export interface Outbox {
  /**
   * Writes events, and one delivery per consumer, in the transaction of the change: one statement for any
   * number of events. The relay is notified on commit.
   * @returns the ids of the events, in order
   */
  append(tx: Sql | Transaction, events: readonly NewEvent[]): Promise<string[]>;
  /**
   * Returns `append` as part of a larger statement that also makes the change. Call `announce` once it is
   * committed.
   */
  clause(events: readonly NewEvent[], place: ClausePlace): OutboxClause;
  /** Notifies the relay of these events. */
  announce(on: Pick<Transaction, 'announce'>, events: readonly NewEvent[]): void;
}

/** Position of the outbox's clause in a statement. */
export interface ClausePlace {
  /** The number of the clause's first parameter. */
  firstParameter: number;
  /** Common table expression of the statement without whose rows nothing is written. */
  onlyIf?: string;
}

export interface OutboxClause {
  /** Common table expressions without WITH, joined by commas; their names begin with `outbox_`. */
  text: string;
  values: unknown[];
}

/** Creates the outbox in `<schema>.outbox_events` and `<schema>.outbox_deliveries`, read by `consumers`. */
export function createOutbox(schema: string, consumers: readonly string[]): Outbox {
  const channel = outboxChannel(schema);
  const names = `ARRAY[${consumers.map(literal).join(', ')}]`;
  const statements = outboxStatements(schema);

  const rowsOf = (events: readonly NewEvent[]) => {
    const traceparent = currentTraceparent() ?? null;
    return events.map((event) => ({ ...event, id: event.id ?? uuidv7(), traceparent }));
  };

  return {
    async append(tx, events) {
      if (events.length === 0) return [];
      const rows = rowsOf(events);
      await statements.append.run(tx, { events: rows, consumers });
      if ('announce' in tx) this.announce(tx, events);
      else await notify(tx, channel, noteOf(events));
      return rows.map(({ id }) => id);
    },
    clause(events, { firstParameter, onlyIf }) {
      const writing = outboxWriting({ schema, events: `$${firstParameter}`, consumers: names, onlyIf });
      return {
        text: `${writing.events}, outbox_delivery AS (${writing.deliveries})`,
        values: [JSON.stringify(rowsOf(events))],
      };
    },
    announce(on, events) {
      if (events.length > 0) on.announce(channel, noteOf(events));
    },
  };
}

const noteOf = (events: readonly NewEvent[]): string => (events.some(isUrgent) ? urgentNote : 'appended');

function literal(name: string): string {
  if (!/^[\w-]+$/.test(name)) throw new Error(`"${name}" cannot be the name of a consumer`);
  return `'${name}'`;
}
