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
 * NOTIFY: every process that listens hears of it when the transaction commits, and of nothing when it is rolled back. Inside of a
 * transaction it takes a lock until then, for which all commits of the server wait in line: that is for what is rare.
 */
export async function notify(sql: Sql, channel: string, payload: string): Promise<void> {
  await sendNotification.run(sql, { channel, payload });
}
