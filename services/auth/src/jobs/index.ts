import { RevocationFollower } from '@ostiary/access';
import type { Sql } from '@ostiary/database';
import { pruneCredentials } from '../data/credentials.ts';
import { pruneRevocations } from '../data/revocations.ts';
import { pruneSessions } from '../data/sessions.ts';
import type { PeopleDependencies } from '../people.ts';
import { repeat } from './repeat.ts';

/** Rows one statement deletes: small enough to be in nobody's way. */
const batch = 1_000;

const prunings: readonly ((sql: Sql, limit: number) => Promise<number>)[] = [
  pruneSessions,
  pruneCredentials,
  pruneRevocations,
];

/**
 * Starts what works beside requests: directory events, this process's own revocation list, the feed's heartbeat to the
 * others, and the removal of what has lapsed. Any number of processes may do so at once.
 * @returns the function that stops all of it, letting what is under way finish
 */
export function startJobs(deps: PeopleDependencies): () => Promise<void> {
  const { log, clock } = deps.kit;
  deps.directoryEvents.start();
  const follower = new RevocationFollower({
    list: deps.revocationList,
    redisUrl: deps.env.REDIS_URL,
    prefix: deps.env.REDIS_PREFIX,
    pull: (after) => deps.revocations.page(after),
    log,
    clock,
  });
  follower.start();
  const stops = [
    repeat({ name: 'revocation heartbeat', everyMs: 1_000, log, work: () => deps.revocations.heartbeat() }),
    repeat({
      name: 'pruning',
      everyMs: 60_000,
      jitter: true,
      log,
      work: (signal) => prune(deps.database.sql, signal),
    }),
  ];
  return async () => {
    await Promise.all([deps.directoryEvents.stop(), follower.stop(), ...stops.map((stop) => stop())]);
  };
}

async function prune(sql: Sql, signal: AbortSignal): Promise<void> {
  for (const pruneSome of prunings) {
    while (!signal.aborted && (await pruneSome(sql, batch)) === batch) {
      // Again, as long as there are full batches.
    }
  }
}
