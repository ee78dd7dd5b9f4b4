import type { Sql } from './sql.ts';
import { statement } from './statements/statement.ts';

const sendNotification = statement({
  name: 'database.notify',
  reason: 'atomic',
  text: 'SELECT pg_notify($channel, $payload) AS sent',
  parameters: { channel: 'text', payload: 'text' },
  columns: { sent: 'void' },
});

/**
 * NOTIFY: listening processes are notified when the transaction commits. Inside a transaction it takes a lock
 * that serialises all commits of the server, so use it only for rare changes.
 */
export async function notify(sql: Sql, channel: string, payload: string): Promise<void> {
  await sendNotification.run(sql, { channel, payload });
}
