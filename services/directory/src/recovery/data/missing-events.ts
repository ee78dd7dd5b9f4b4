import { type Sql, statement } from '@ostiary/database';

const findMissing = statement({
  name: 'takeover.missing events',
  reason: 'set',
  text: `SELECT k.id FROM unnest($ids::uuid[]) AS k (id)
          WHERE NOT EXISTS (SELECT FROM directory.outbox_events e WHERE e.id = k.id)`,
  parameters: { ids: 'uuid[]' },
  columns: { id: 'uuid' },
});

const batchSize = 1_000;

/** Returns the events that are missing in the outbox, which keeps them for days. */
export async function missingEvents(sql: Sql, ids: readonly string[]): Promise<string[]> {
  const missing: string[] = [];
  for (let from = 0; from < ids.length; from += batchSize) {
    const rows = await findMissing.rows(sql, { ids: ids.slice(from, from + batchSize) });
    missing.push(...rows.map(({ id }) => id));
  }
  return missing;
}
