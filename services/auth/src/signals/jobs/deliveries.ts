import { msWithoutWake, repeat, type ServiceKit, Wake } from '@ostiary/service';
import { receiverKinds } from '../../tenancy/index.ts';
import type { Senders } from '../domain/delivery.ts';
import type {
  DeliveryMaintenance,
  DeliveryNotices,
  DeliveryQueue,
  OpenDeliveries,
  PendingDeliveries,
} from '../domain/delivery-queue.ts';
import { DeliveryEngine } from '../domain/engine.ts';
import type { SignalPolls } from '../domain/polls.ts';
import type { ReceiverHealth } from '../domain/receiver-store.ts';
import { type DeliveryMetrics, deliveryMetrics } from './delivery-metrics.ts';

/**
 * Minimum interval in milliseconds between checks while deliveries are pending: due, held too long, or undeliverable.
 */
const lookEveryMs = { due: 1_000, overdue: 800, undeliverable: 2_000 };

/** Maximum number of rows that one statement changes. */
const batch = 1_000;

export interface DeliveryDependencies {
  kit: ServiceKit;
  settings: {
    DELIVERY_RETRY_FIRST_SECONDS: number;
    DELIVERY_RETRY_MAX_SECONDS: number;
    DELIVERY_GIVE_UP_SECONDS: number;
    DELIVERY_TIMEOUT_SECONDS: number;
    DELIVERY_CONCURRENCY: number;
  };
  senders: Senders;
  polls: SignalPolls;
  queue: DeliveryQueue;
  receivers: ReceiverHealth;
  maintenance: DeliveryMaintenance;
  notices: DeliveryNotices;
  pending: PendingDeliveries;
}

/**
 * Starts sending due deliveries and counting open ones. Any number of processes may do so.
 * @returns function that stops it after the attempts in progress
 */
export function startDeliveries(deps: DeliveryDependencies): () => Promise<void> {
  const metrics = deliveryMetrics(deps.kit.metrics);
  // Initialized to 0: increase() does not count the first value of a new series.
  for (const kind of receiverKinds) metrics.dead.inc({ kind }, 0);
  deps.polls.onGivenUp((count) => metrics.dead.inc({ kind: 'ssf' }, count));
  const wake = new Wake();
  const engine = engineOf(deps, metrics, wake);
  engine.start();
  deps.pending.onPending(lookEveryMs.due, wake);
  const unlisten = deps.notices.listen(() => wake.poke(false));
  const stops = [...startReleases(deps, metrics), ...startCounts(deps, metrics)];
  return async () => {
    await (await unlisten)();
    await Promise.all([engine.stop(), ...stops.map((stop) => stop())]);
  };
}

function engineOf(deps: DeliveryDependencies, metrics: DeliveryMetrics, wake: Wake): DeliveryEngine {
  const { settings } = deps;
  return new DeliveryEngine({
    queue: deps.queue,
    receivers: deps.receivers,
    senders: deps.senders,
    retry: {
      firstSeconds: settings.DELIVERY_RETRY_FIRST_SECONDS,
      maxSeconds: settings.DELIVERY_RETRY_MAX_SECONDS,
      giveUpSeconds: settings.DELIVERY_GIVE_UP_SECONDS,
    },
    timeoutSeconds: settings.DELIVERY_TIMEOUT_SECONDS,
    concurrency: settings.DELIVERY_CONCURRENCY,
    log: deps.kit.log,
    wake,
    pollMs: msWithoutWake,
    onAttempt({ kind, outcome, state, waitedSeconds }) {
      metrics.attempts.inc({ kind, outcome });
      if (state === 'delivered') metrics.duration.observe({ kind }, waitedSeconds);
      if (state === 'dead') metrics.dead.inc({ kind });
    },
  });
}

/** Starts the release of held deliveries and the end of undeliverable ones. */
function startReleases(
  { kit: { log }, maintenance, settings, pending }: DeliveryDependencies,
  metrics: DeliveryMetrics,
): (() => Promise<void>)[] {
  const wakes = { overdue: new Wake(), undeliverable: new Wake() };
  pending.onOverdue(lookEveryMs.overdue, wakes.overdue);
  pending.onPending(lookEveryMs.undeliverable, wakes.undeliverable);
  return [
    repeat({
      name: 'deliveries that wait for others',
      everyMs: msWithoutWake,
      jitter: true,
      wake: wakes.overdue,
      log,
      work: async (signal) => {
        let more = true;
        while (more && !signal.aborted) {
          const overdue = await maintenance.releaseOverdue(batch);
          if (overdue.released > 0) metrics.released.inc(overdue.released);
          more = overdue.more;
        }
      },
    }),
    repeat({
      name: 'deliveries without receiver',
      everyMs: msWithoutWake,
      jitter: true,
      wake: wakes.undeliverable,
      log,
      work: async (signal) => {
        let buried = batch;
        while (buried === batch && !signal.aborted) {
          const { total, unasked } = await maintenance.failUndeliverable(
            settings.DELIVERY_GIVE_UP_SECONDS,
            batch,
          );
          // Only streams are polled. Dead letters of disabled receivers are not counted: an administrator caused them.
          metrics.dead.inc({ kind: 'ssf' }, unasked);
          buried = total;
        }
      },
    }),
  ];
}

function startCounts(
  { kit: { log }, maintenance }: DeliveryDependencies,
  metrics: DeliveryMetrics,
): (() => Promise<void>)[] {
  const note = (counted: readonly OpenDeliveries[], states: readonly OpenDeliveries['state'][]): void => {
    for (const kind of receiverKinds) {
      for (const state of states) {
        const total = counted.find((row) => row.kind === kind && row.state === state)?.total ?? 0;
        metrics.open.set({ kind, state }, total);
      }
    }
  };
  return [
    repeat({
      name: 'counting deliveries',
      everyMs: 15_000,
      jitter: true,
      log,
      work: async () => {
        const open = await maintenance.open();
        note(open, ['held', 'pending']);
        for (const kind of receiverKinds) {
          const pending = open.find((row) => row.kind === kind && row.state === 'pending');
          metrics.oldest.set({ kind }, pending?.oldestSeconds ?? 0);
        }
      },
    }),
    repeat({
      name: 'counting dead deliveries',
      everyMs: 300_000,
      jitter: true,
      log,
      work: async () => note(await maintenance.dead(), ['dead']),
    }),
  ];
}
