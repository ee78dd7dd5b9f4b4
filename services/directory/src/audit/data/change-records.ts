import type { Sql } from '@ostiary/database';
import type { NewEvent, Outbox } from '@ostiary/events';
import type { NewAuditEntry } from '../domain/audit-log.ts';
import { AuditLog } from './audit-log.ts';

/** What there is to say about changes of one tenant. */
export interface Records {
  entries: NewAuditEntry[];
  events: NewEvent[];
}

/** A statement of which something is a part: its text and the values of its parameters. */
export interface SqlStatement {
  text: string;
  values: unknown[];
}

/**
 * The statement that writes audit entries and events, together with the change they are about: in one round trip, and without the
 * change there are no entries. Without a change it only writes them.
 */
export function recordingStatement(
  { sql, outbox, tenant }: { sql: Sql; outbox: Outbox; tenant: string },
  { entries, events }: Records,
  change?: SqlStatement,
): SqlStatement {
  const values = change ? [...change.values] : [];
  const onlyIf = change ? { onlyIf: 'changed' } : {};
  const audit = new AuditLog(sql, tenant).clause(entries, { firstParameter: values.length + 1, ...onlyIf });
  values.push(...audit.values);
  const emitted = outbox.clause(events, { firstParameter: values.length + 1, ...onlyIf });
  values.push(...emitted.values);
  const changed = change ? `changed AS (${change.text} RETURNING 1), ` : '';
  const result = change ? 'changed' : 'outbox_event';
  return { text: `WITH ${changed}${audit.text}, ${emitted.text} SELECT FROM ${result}`, values };
}
