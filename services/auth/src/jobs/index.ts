import { RevocationFollower } from '@ostiary/access';
import { LiveRelay } from '@ostiary/events';
import { pruneExpired } from '../data/retention.ts';
import { liveEvents } from '../data/sessions.ts';
import type { PeopleDependencies } from '../people.ts';
import type { Protocol } from '../protocol.ts';
import { rotateDueKeys } from './key-rotation.ts';
import { repeat } from './repeat.ts';

/**
 * Starts what works beside requests: directory events, this process's own revocation list, the feed's heartbeat to the
 * others, and the removal of what has lapsed. Any number of processes may do so at once.
 * @returns the function that stops all of it, letting what is under way finish
 */
export function startJobs(deps: PeopleDependencies & Pick<Protocol, 'signingKeys'>): () => Promise<void> {
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
  const live = new LiveRelay({
    database: deps.database,
    channel: liveEvents.channel,
    take: liveEvents.take,
    redisUrl: deps.env.REDIS_URL,
    prefix: deps.env.REDIS_PREFIX,
    log,
  });
  const liveStarted = live.start();
  const stops = [
    repeat({ name: 'revocation heartbeat', everyMs: 1_000, log, work: () => deps.revocations.heartbeat() }),
    repeat({
      name: 'key rotation',
      everyMs: Math.min(60_000, deps.env.SIGNING_KEY_LEAD_SECONDS * 500),
      jitter: true,
      log,
      work: (signal) =>
        rotateDueKeys(
          deps.signingKeys,
          {
            rotationSeconds: deps.env.SIGNING_KEY_ROTATION_SECONDS,
            leadSeconds: deps.env.SIGNING_KEY_LEAD_SECONDS,
          },
          signal,
        ),
    }),
    repeat({
      name: 'pruning',
      everyMs: 60_000,
      jitter: true,
      log,
      work: async (signal) =>
        void (await pruneExpired(deps.database.sql, {
          securityLogSeconds: deps.env.SECURITY_LOG_RETENTION_SECONDS,
          signal,
        })),
    }),
  ];
  return async () => {
    await liveStarted;
    await Promise.all([
      deps.directoryEvents.stop(),
      follower.stop(),
      live.stop(),
      ...stops.map((stop) => stop()),
    ]);
  };
}
