import { type Logger, repeat } from '@ostiary/service';
import type { Database } from '../../database/data/database.ts';
import { carryOut } from '../data/connector-owners.ts';
import type { EndCarriedOut, Owners } from '../domain/ownership.ts';

interface OwnershipEndsOptions {
  database: Pick<Database, 'transaction'>;
  owners: Pick<Owners, 'ends' | 'carriedOut'>;
  log: Logger;
}

/**
 * Asks the authorization server each second who owns connectors no more, and carries it out. It keeps an end until it is told that that
 * is done, so nothing is lost with a process of either; any number of processes may ask at once.
 * @returns the function that stops it, letting what is under way finish
 */
export const followOwnershipEnds = (options: OwnershipEndsOptions): (() => Promise<void>) =>
  repeat({
    name: 'ends of ownership',
    everyMs: 1_000,
    log: options.log,
    work: (signal) => carryOutEnds(options, signal),
  });

/** One round: all that is to be carried out now. @throws ServiceUnavailable */
export async function carryOutEnds(
  { database, owners, log }: OwnershipEndsOptions,
  signal?: AbortSignal,
): Promise<void> {
  const done: EndCarriedOut[] = [];
  const failures: unknown[] = [];
  for (const end of await owners.ends()) {
    if (signal?.aborted) break;
    const { tenant, owner, number } = end;
    try {
      const connectors = await carryOut(database, end);
      done.push({ tenant, ownerId: owner.id, number, connectors });
      if (connectors > 0)
        log.info({ tenant, connectors, verdict: end.verdict }, 'connectors lost their owner');
    } catch (error) {
      // One that doesn't work must not keep the others waiting.
      failures.push(error);
    }
  }
  if (done.length > 0) await owners.carriedOut(done);
  if (failures.length > 0) throw failures[0];
}
