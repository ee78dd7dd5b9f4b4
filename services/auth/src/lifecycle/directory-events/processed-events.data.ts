import { type Sql, statement } from '@ostiary/database';

const findReceived = statement({
  name: 'maintenance.received',
  reason: 'set',
  text: `SELECT event_id AS id FROM auth.inbox_entries WHERE consumer = 'auth' AND event_id = ANY ($eventIds::uuid[])`,
  parameters: { eventIds: 'uuid[]' },
  columns: { id: 'uuid' },
});

/** Returns those of the events that were processed here. */
export async function received(sql: Sql, eventIds: readonly string[]): Promise<Set<string>> {
  return new Set((await findReceived.rows(sql, { eventIds })).map(({ id }) => id));
}
