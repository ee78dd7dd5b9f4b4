import { type Composition, composedStatement } from '@ostiary/database';
import { createOutbox, type NewEvent, type Outbox } from '@ostiary/events';
import type { NewAuditEntry } from '../domain/audit-log.ts';
import { entryClause } from './audit-log.ts';

/** Audit entries and events of the changes of one tenant. */
export interface Records {
  entries: NewAuditEntry[];
  events: NewEvent[];
}

/**
 * Returns the statement that writes audit entries and events together with their change, in one round trip; without
 * an effect of the change, no entries are written. Without a change it writes only the entries and events.
 */
export function recordingStatement(
  { outbox, tenant }: { outbox: Outbox; tenant: string },
  { entries, events }: Records,
  change?: Composition,
): Composition {
  const values = change ? [...change.values] : [];
  const onlyIf = change ? { onlyIf: 'changed' } : {};
  const audit = entryClause(tenant, entries, { firstParameter: values.length + 1, ...onlyIf });
  values.push(...audit.values);
  const emitted = outbox.clause(events, { firstParameter: values.length + 1, ...onlyIf });
  values.push(...emitted.values);
  const changed = change ? `changed AS (${change.text} RETURNING 1), ` : '';
  const result = change ? 'changed' : 'outbox_event';
  return { text: `WITH ${changed}${audit.text}, ${emitted.text} SELECT FROM ${result}`, values };
}

/** Writes the audit entries and events of changes made in the transaction. */
export const recordChanges = composedStatement({
  name: 'audit.record changes',
  reason: 'set',
  columns: {},
  compose: ({ outbox, tenant, records }: { outbox: Outbox; tenant: string; records: Records }) =>
    recordingStatement({ outbox, tenant }, records),
  examples: () => [
    { outbox: createOutbox('directory', ['auth']), tenant: 'demo', records: { entries: [], events: [] } },
  ],
});
