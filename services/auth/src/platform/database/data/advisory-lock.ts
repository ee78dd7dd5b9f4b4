import { type Sql, statement } from '@ostiary/database';

const takeLock = statement({
  name: 'database.lock',
  reason: 'atomic',
  text: 'SELECT pg_advisory_xact_lock(hashtextextended($name, 0)) AS held',
  parameters: { name: 'text' },
  columns: { held: 'void' },
});

/** Locks a name until the end of the transaction, where no row exists to lock. */
export async function holdName(tx: Sql, name: string): Promise<void> {
  await takeLock.run(tx, { name });
}
