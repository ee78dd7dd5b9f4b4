import { statement, statementsBySchema } from '@ostiary/database';

/** Statements on the inbox: the rows by which a consumer detects events that it has processed. */
export const inboxStatements = statementsBySchema(['inbox_entries'], (schema) => ({
  find: statement({
    name: 'inbox.find',
    reason: 'hot path',
    text: `SELECT event_id AS "eventId" FROM ${schema}.inbox_entries
            WHERE consumer = $consumer AND event_id = ANY ($eventIds)`,
    parameters: { consumer: 'text', eventIds: 'uuid[]' },
    columns: { eventId: 'uuid' },
  }),
  add: statement({
    name: 'inbox.add',
    reason: 'atomic',
    text: `INSERT INTO ${schema}.inbox_entries (event_id, consumer)
           SELECT id, $consumer FROM unnest($eventIds::uuid[]) AS id ORDER BY id
           ON CONFLICT DO NOTHING RETURNING event_id AS "eventId"`,
    parameters: { eventIds: 'uuid[]', consumer: 'text' },
    columns: { eventId: 'uuid' },
  }),
  prune: statement({
    name: 'inbox.prune',
    reason: 'set',
    text: `DELETE FROM ${schema}.inbox_entries WHERE (event_id, consumer) IN (
             SELECT event_id, consumer FROM ${schema}.inbox_entries
             WHERE consumer = $consumer AND received_at < now() - $retentionMs * interval '1 millisecond'
             LIMIT $limit FOR UPDATE SKIP LOCKED)`,
    parameters: { consumer: 'text', retentionMs: 'float8', limit: 'int8' },
  }),
}));
