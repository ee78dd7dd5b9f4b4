import { Wake } from '@ostiary/events';
import { Counter, Gauge, Histogram, type Registry, repeat } from '@ostiary/service';
import type { Foundation } from '../../composition/dependencies.ts';
import { deliveriesChannel } from '../../events/data/facts.ts';
import { receiverKinds } from '../../events/index.ts';
import { releaseOverdue } from '../data/cursors.ts';
import { deadDeliveries, type OpenDeliveries, openDeliveries } from '../data/deliveries.ts';
import { buryUndeliverable } from '../data/upkeep.ts';
import type { Senders } from '../domain/delivery.ts';
import { DeliveryEngine } from '../domain/engine.ts';
import type { SignalPolls } from '../domain/polls.ts';

/** Rows one statement changes. */
const batch = 1_000;

/**
 * Starts telling the outside: sends what is due, and keeps count of what is open. Any number of processes may do so at once.
 * @returns the function that stops it, letting what is under way finish
 */
export function startDeliveries(
  deps: Pick<Foundation, 'kit' | 'env' | 'database'> & {
    senders: Senders;
    signalPolls: Pick<SignalPolls, 'onGivenUp'>;
  },
): () => Promise<void> {
  const { kit, env, database, senders } = deps;
  const metrics = deliveryMetrics(kit.metrics);
  // A counter that begins with its first one hides it from whoever looks for an increase.
  for (const kind of receiverKinds) metrics.dead.inc({ kind }, 0);
  deps.signalPolls.onGivenUp((count) => metrics.dead.inc({ kind: 'ssf' }, count));
  const wake = new Wake();
  const engine = new DeliveryEngine({
    database,
    senders,
    retry: {
      firstSeconds: env.DELIVERY_RETRY_FIRST_SECONDS,
      maxSeconds: env.DELIVERY_RETRY_MAX_SECONDS,
      giveUpSeconds: env.DELIVERY_GIVE_UP_SECONDS,
    },
    timeoutSeconds: env.DELIVERY_TIMEOUT_SECONDS,
    concurrency: env.DELIVERY_CONCURRENCY,
    log: kit.log,
    wake,
    onAttempt({ kind, outcome, state, waitedSeconds }) {
      metrics.attempts.inc({ kind, outcome });
      if (state === 'delivered') metrics.duration.observe({ kind }, waitedSeconds);
      if (state === 'dead') metrics.dead.inc({ kind });
    },
  });
  engine.start();
  const unlisten = database.listen(deliveriesChannel, () => wake.poke(false));
  const note = (counted: readonly OpenDeliveries[], states: readonly OpenDeliveries['state'][]): void => {
    for (const kind of receiverKinds) {
      for (const state of states) {
        const total = counted.find((row) => row.kind === kind && row.state === state)?.total ?? 0;
        metrics.open.set({ kind, state }, total);
      }
    }
  };
  const stops = [
    repeat({
      name: 'deliveries that wait for others',
      everyMs: 500,
      jitter: true,
      log: kit.log,
      work: async (signal) => {
        let more = true;
        while (more && !signal.aborted) {
          const overdue = await releaseOverdue(database, batch);
          if (overdue.released > 0) metrics.released.inc(overdue.released);
          more = overdue.more;
        }
      },
    }),
    repeat({
      name: 'deliveries to nobody',
      everyMs: 2_000,
      jitter: true,
      log: kit.log,
      work: async (signal) => {
        let buried = batch;
        while (buried === batch && !signal.aborted) {
          const { total, unasked } = await buryUndeliverable(
            database.sql,
            env.DELIVERY_GIVE_UP_SECONDS,
            batch,
          );
          // Only streams are asked for. Who disabled a receiver knows that it is told nothing any more.
          metrics.dead.inc({ kind: 'ssf' }, unasked);
          buried = total;
        }
      },
    }),
    repeat({
      name: 'counting deliveries',
      everyMs: 15_000,
      jitter: true,
      log: kit.log,
      work: async () => {
        const open = await openDeliveries(database.sql);
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
      log: kit.log,
      work: async () => note(await deadDeliveries(database.sql), ['dead']),
    }),
  ];
  return async () => {
    await (await unlisten)();
    await Promise.all([engine.stop(), ...stops.map((stop) => stop())]);
  };
}

const deliveryMetrics = (registry: Registry) => ({
  open: new Gauge({
    name: 'outward_deliveries',
    help: 'Messages to receivers that are not delivered, by state; one that is dead waits for somebody to replay it',
    labelNames: ['kind', 'state'],
    registers: [registry],
  }),
  oldest: new Gauge({
    name: 'outward_oldest_pending_seconds',
    help: 'Age of the oldest message that is still to be delivered to who isn’t paused and doesn’t ask by themselves',
    labelNames: ['kind'],
    registers: [registry],
  }),
  attempts: new Counter({
    name: 'outward_attempts_total',
    help: 'Attempts to deliver, by outcome: delivered, failed (is repeated), refused or gone (is not)',
    labelNames: ['kind', 'outcome'],
    registers: [registry],
  }),
  duration: new Histogram({
    name: 'outward_delivery_seconds',
    help: 'From what happened to its delivery',
    labelNames: ['kind'],
    buckets: [0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 3_600, 21_600, 86_400],
    registers: [registry],
  }),
  released: new Counter({
    name: 'outward_held_released_total',
    help: 'Messages that went out without what was before them, because that didn’t come in time',
    registers: [registry],
  }),
  dead: new Counter({
    name: 'outward_dead_total',
    help: 'Messages that were given up',
    labelNames: ['kind'],
    registers: [registry],
  }),
});
