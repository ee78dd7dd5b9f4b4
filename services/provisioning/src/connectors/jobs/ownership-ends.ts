import type { RevocationList } from '@ostiary/access';
import { type Logger, repeat, Wake } from '@ostiary/service';
import type { OwnershipEnds } from '../domain/ownership-ends.ts';

/** Milliseconds: the feed says when there is something, and is itself read again each second. */
const lookEveryMs = 10_000;

/**
 * Asks the authorization server who owns connectors no more as soon as the feed of revocations tells of one, and carries it out. It keeps
 * an end until it is notified that that is done, so nothing is lost with a process of either; any number of processes may ask at once.
 * @returns the function that stops it, letting what is under way finish
 */
export function followOwnershipEnds(
  ends: Pick<OwnershipEnds, 'carryOutAll'>,
  revocations: Pick<RevocationList, 'onRevoked'>,
  log: Logger,
): () => Promise<void> {
  const wake = new Wake();
  const unlisten = revocations.onRevoked(({ kind }) => kind === 'owner' && wake.poke());
  const stop = repeat({
    name: 'ends of ownership',
    everyMs: lookEveryMs,
    retryMs: 1_000,
    wake,
    log,
    work: (signal) => ends.carryOutAll(signal),
  });
  return async () => {
    unlisten();
    await stop();
  };
}
