import { createDatabase } from '@ostiary/database';
import { createOutbox, liveConsumer } from '@ostiary/events';
import { Directory } from './composition/directory.ts';
import { restoredDirectory } from './composition/restored.ts';
import { joiningTransactions } from './database/data/joined-transactions.ts';
import { PrismaClient } from './database/generated/client.ts';
import { eventConsumers } from './events/domain/deliveries.ts';
import { type Reapplied, type Remembered, reapply } from './recovery/domain/restoring.ts';

const quiet = () => undefined;

/**
 * Opens the directory's database for a program that repeats the changes that a restore has undone. Needs no process
 * of the directory.
 */
export function openRestored(url: string): {
  reapply(remembered: readonly Remembered[]): Promise<Reapplied>;
  close(): Promise<void>;
} {
  const database = createDatabase({
    url,
    schema: 'directory',
    poolSize: 2,
    log: { debug: quiet, info: quiet, warn: quiet, error: quiet },
    prisma: (adapter) => new PrismaClient({ adapter }),
  });
  const outbox = createOutbox('directory', [...eventConsumers, liveConsumer]);
  const directory = new Directory({ database: joiningTransactions(database, 1), outbox, clock: Date.now });
  return {
    reapply: (remembered) => reapply(restoredDirectory(directory, database.sql), remembered),
    close: () => database.close(),
  };
}
