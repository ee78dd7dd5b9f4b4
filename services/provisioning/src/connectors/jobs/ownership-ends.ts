import type { RevocationList } from '@ostiary/access';
import { type Logger, repeat, Wake } from '@ostiary/service';
import type { OwnershipEnds } from '../domain/ownership-ends.ts';

/** Poll interval in milliseconds. The feed notifies of ends, and is itself read each second. */
const lookEveryMs = 10_000;

/**
 * Requests the pending ends of ownership from the authorization server as soon as the revocation feed contains one,
 * and applies them. The authorization server keeps an end until it is reported as applied, so none is lost with a
 * process. Several processes may request ends concurrently.
 * @returns the function that stops it after the running work
 */
export function followOwnershipEnds(
  ends: Pick<OwnershipEnds, 'carryOutAll'>,
  revocations: RevocationList,
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
