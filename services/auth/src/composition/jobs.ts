import { LiveRelay, tenantPolicyOf } from '@ostiary/events';
import { repeat, streamSignatures, Wake, WorkPoll } from '@ostiary/service';
import { endDueSecrets } from '../access/ownership/domain/known-secret-fate.ts';
import { catchUpOnGroupOwners } from '../access/ownership/group-owners.jobs.ts';
import { addOverdueChecks } from '../access/roles/data/membership-checks.ts';
import { catchUpOnGroupRoles, groupRoleAge } from '../access/roles/group-roles.jobs.ts';
import { liveEvents } from '../identity/sessions/data/sessions.ts';
import { createReencryption, lookForWork, type PendingWork, pruneExpired } from '../maintenance.ts';
import { deliveryQueue } from '../signals/data/deliveries.ts';
import { receiverHealth } from '../signals/data/receivers.ts';
import { deliveryNotices, deliveryUpkeep } from '../signals/data/upkeep.ts';
import { startDeliveries } from '../signals/jobs/deliveries.ts';
import type { Dependencies } from './dependencies.ts';

/**
 * Interval in seconds at which the members of all role groups of a tenant are compared with the directory, and number
 * of tenants per run.
 */
const comparedEverySeconds = 900;
const tenantsARound = 20;

type Stop = ReturnType<typeof repeat>;
type Pending = Pick<WorkPoll<PendingWork>, 'on'>;

/** Poll interval in milliseconds for pending work. */
const lookEveryMs = 800;
/** Poll interval in milliseconds of jobs that are woken when work is created. It covers missed wake-ups. */
const unpokedMs = 60_000;

/**
 * Starts the background jobs: those of the lower districts, directory events, deliveries to receivers, removal of
 * expired data. Every process may run them concurrently.
 * @returns the function that stops all jobs after they finish their current work
 */
export function startJobs(deps: Dependencies): () => Promise<void> {
  const { log } = deps.kit;
  const pending = new WorkPoll({
    name: 'work to do',
    everyMs: lookEveryMs,
    look: () => lookForWork(deps.database.sql),
    log,
  });
  deps.directoryEvents.start();
  const live = new LiveRelay({
    database: deps.database,
    channel: liveEvents.channel,
    take: liveEvents.take,
    redisUrl: deps.env.REDIS_URL,
    prefix: deps.env.REDIS_PREFIX,
    signatures: streamSignatures(deps.env),
    log,
    pollMs: unpokedMs,
  });
  const liveStarted = live.start();
  pending.on('liveEvents', 1_000, live);
  const stopDeliveries = deliveries(deps, pending);
  const stops = [
    ...deps.startTenancyJobs(),
    ...groupRounds(deps, pending),
    ...upkeepRounds(deps),
    pending.start(),
  ];
  return async () => {
    await liveStarted;
    await Promise.all([
      deps.directoryEvents.stop(),
      live.stop(),
      stopDeliveries(),
      ...stops.map((stop) => stop()),
    ]);
    await Promise.all([deps.roleProjection.idle(), deps.groupOwners.idle()]);
  };
}

const deliveries = (deps: Dependencies, pending: Pending): Stop =>
  startDeliveries({
    kit: deps.kit,
    settings: deps.env,
    senders: deps.senders,
    polls: deps.signalPolls,
    queue: deliveryQueue(deps.database),
    receivers: receiverHealth(deps.database.sql),
    upkeep: deliveryUpkeep(deps.database),
    notices: deliveryNotices(deps.database),
    pending: {
      onPending: (everyMs, wake) => pending.on('pendingDeliveries', everyMs, wake),
      onOverdue: (everyMs, wake) => pending.on('overdueDeliveries', everyMs, wake),
    },
  });

/** Jobs that update roles and ownership from groups. */
function groupRounds(deps: Dependencies, pending: Pending): Stop[] {
  const { log } = deps.kit;
  const whenNoted = (question: PendingWork, name: string, work: (signal: AbortSignal) => Promise<void>) => {
    const wake = new Wake();
    pending.on(question, 1_000, wake);
    return repeat({ name, everyMs: unpokedMs, jitter: true, wake, log, work });
  };
  return [
    whenNoted('groupRoles', 'group roles', (signal) => catchUpOnGroupRoles(deps, signal)),
    whenNoted('groupOwners', 'groups as owners', (signal) => catchUpOnGroupOwners(deps, signal)),
    whenNoted('secretEnds', 'ends of known secrets', (signal) => endDueSecrets(deps, signal)),
    whenNoted('roleHolders', 'role holders', (signal) => deps.roleHolders.catchUp(signal)),
    repeat({
      name: 'age of queries about groups',
      everyMs: 5_000,
      log,
      work: groupRoleAge(deps.kit.metrics, deps),
    }),
    repeat({
      name: 'comparison of group roles',
      everyMs: 60_000,
      jitter: true,
      log,
      work: async () => void (await addOverdueChecks(deps.database.sql, comparedEverySeconds, tenantsARound)),
    }),
  ];
}

/** Jobs that remove expired data, and re-encrypt values under former keys. */
function upkeepRounds(deps: Dependencies): Stop[] {
  const { log } = deps.kit;
  const reencryption = createReencryption(deps);
  return [
    repeat({
      name: 'reencryption',
      everyMs: 30_000,
      jitter: true,
      log,
      work: async (signal) => void (await reencryption.run(signal)),
    }),
    repeat({
      name: 'pruning',
      everyMs: 60_000,
      jitter: true,
      log,
      work: async (signal) =>
        void (await pruneExpired(deps.database.sql, {
          securityLogSeconds: deps.env.SECURITY_LOG_RETENTION_SECONDS,
          signInDays: tenantPolicyOf({}, deps.env.TENANT_POLICY_DEFAULTS).signInRetentionDays,
          deliveredSeconds: deps.env.DELIVERED_RETENTION_SECONDS,
          deadSeconds: deps.env.DEAD_DELIVERY_RETENTION_SECONDS,
          signal,
        })),
    }),
  ];
}
