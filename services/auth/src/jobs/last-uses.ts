import type { Logger } from '@ostiary/service';
import type { LastUses } from '../domain/last-uses.ts';
import { repeat } from './repeat.ts';

/** Writes down when tokens and keys were last used, once a second. Returns the way to stop it, which writes the rest. */
export function startLastUses(log: Logger, gathered: readonly LastUses[]): () => Promise<void> {
  const work = async (): Promise<void> => {
    for (const uses of gathered) await uses.flush();
  };
  const stop = repeat({ name: 'last uses', everyMs: 1_000, log, work });
  return async () => {
    await stop();
    await work().catch((error) => log.warn({ err: error }, 'last uses not written'));
  };
}
