import { type Logger, repeat } from '@ostiary/service';

/**
 * Writes collected last uses and sign-in counts once a second.
 * @returns function that stops it after writing the rest
 */
export function startLastUses(
  log: Logger,
  gathered: readonly { flush(): Promise<void> }[],
): () => Promise<void> {
  const work = async (): Promise<void> => {
    for (const uses of gathered) await uses.flush();
  };
  const stop = repeat({ name: 'last uses', everyMs: 1_000, log, work });
  return async () => {
    await stop();
    await work().catch((error) =>
      log.warn({ event: 'last_uses.write_failed', err: error }, 'Last uses could not be stored'),
    );
  };
}
