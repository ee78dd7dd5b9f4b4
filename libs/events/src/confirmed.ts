import { type Sql, statement } from '@ostiary/database';
import type { DomainEvent } from './contracts.ts';
import type { ConfirmedEvent } from './event-confirmation.ts';
import { OutboxTable } from './outbox-table.ts';

/**
 * Declares how events are read as their owner made them, each with how it stands with its subject now. Those it doesn't have are missing.
 * @param stands SQL over events `e`: whether the user may sign in now, or the tenant is active
 */
export function confirmedEvents(
  schema: string,
  stands: string,
): (sql: Sql, ids: readonly string[]) => Promise<ConfirmedEvent[]> {
  const table = new OutboxTable(schema);
  const standing = statement({
    name: 'outbox.standing',
    reason: 'hot path',
    text: `SELECT e.id, ${stands} AS active FROM ${schema}.outbox_events e WHERE e.id = ANY ($ids)`,
    parameters: { ids: 'uuid[]' },
    columns: { id: 'uuid', active: 'bool?' },
  });
  return async (sql, ids) => {
    const events = await table.known(sql, ids);
    const rows = await standing.rows(sql, { ids });
    const active = new Map(rows.map((row) => [row.id, row.active]));
    return events.map((event: DomainEvent) => ({ event, active: active.get(event.id) ?? false }));
  };
}
