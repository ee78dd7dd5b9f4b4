import { type Logger, repeat } from '@ostiary/service';
import type { OwnershipEnds } from '../domain/ownership-ends.ts';

/**
 * Asks the authorization server each second who owns connectors no more, and carries it out. It keeps an end until it is notified that
 * that is done, so nothing is lost with a process of either; any number of processes may ask at once.
 * @returns the function that stops it, letting what is under way finish
 */
export const followOwnershipEnds = (ends: OwnershipEnds, log: Logger): (() => Promise<void>) =>
  repeat({
    name: 'ends of ownership',
    everyMs: 1_000,
    log,
    work: (signal) => ends.carryOutAll(signal),
  });
