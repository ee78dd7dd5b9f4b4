import { type Sql, statement, typed } from '@ostiary/database';
import type { DomainEvent, UserDeparture } from './contracts.ts';
import type { ConfirmedEvent } from './event-confirmation.ts';
import { OutboxTable } from './outbox-table.ts';

/**
 * Declares a query for events as their owner wrote them, each with the current state of its subject. Unknown
 * events are omitted.
 * @param stands SQL over events `e`: whether the user may sign in now, or the tenant is active
 * @param departure SQL over events `e`: the departure of an inactive user, as JSON
 */
export function confirmedEvents(
  schema: string,
  stands: string,
  departure = 'NULL::jsonb',
): (sql: Sql, ids: readonly string[]) => Promise<ConfirmedEvent[]> {
  const table = new OutboxTable(schema);
  const standing = statement({
    name: 'outbox.standing',
    reason: 'hot path',
    text: `SELECT e.id, ${stands} AS active, ${departure} AS departure
             FROM ${schema}.outbox_events e WHERE e.id = ANY ($ids)`,
    parameters: { ids: 'uuid[]' },
    columns: { id: 'uuid', active: 'bool?', departure: typed<UserDeparture>('jsonb?') },
  });
  return async (sql, ids) => {
    const events = await table.known(sql, ids);
    const rows = await standing.rows(sql, { ids });
    const standings = new Map(rows.map((row) => [row.id, row]));
    return events.map((event: DomainEvent) => {
      const { active, departure } = standings.get(event.id) ?? {};
      return { event, active: active ?? false, ...(departure && { departure }) };
    });
  };
}
