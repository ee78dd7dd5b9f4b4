import { type Sql, statement } from '@ostiary/database';

const sendNotification = statement({
  name: 'database.notify',
  reason: 'atomic',
  text: 'SELECT pg_notify($channel, $payload) AS sent',
  parameters: { channel: 'text', payload: 'text' },
  columns: { sent: 'void' },
});

/** Every process that listens hears of it when the transaction commits, and of nothing when it is rolled back. Takes a lock until then: for what is rare. */
export async function notify(tx: Sql, channel: string, payload: string): Promise<void> {
  await sendNotification.run(tx, { channel, payload });
}
