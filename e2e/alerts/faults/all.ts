import { type Alert, Prometheus } from '../prometheus.ts';
import type { Recording } from '../recording.ts';
import type { FaultName } from '../rows.ts';
import type { World } from '../world.ts';
import { postgresqlAway, redisAway } from './engines.ts';
import { authAway, directoryAway, edgeAway, lateOffboarding, restarts } from './neighbours.ts';
import { predecessorMissing, Receiver, receiverAway, receiverGone } from './outward.ts';
import { databaseLocked, guessed, oneTenantFails, passwordsWait } from './people.ts';
import { certificateEnds, guardAway, logIncomplete } from './processes.ts';
import { eventPoisoned, renewalStuck, takenOver, valueForged } from './values.ts';

/** Recordings by fault. For a fault that could not be caused, the error. */
export class Recordings {
  readonly #kept = new Map<FaultName, Recording | Error>();
  /** Alerts of a running Prometheus while auth was unavailable. */
  readonly paged: Alert[] = [];

  /** @throws Error if nothing was recorded */
  of(fault: FaultName): Recording {
    const kept = this.#kept.get(fault);
    if (kept === undefined || kept instanceof Error)
      throw new Error(`nothing is recorded of ${fault}`, { cause: kept });
    return kept;
  }

  /** Records several faults that one procedure causes. */
  async keep<N extends FaultName>(
    names: readonly N[],
    making: () => Promise<Readonly<Record<N, Recording>>>,
  ): Promise<void> {
    const made = await making().catch((error: Error) => error);
    for (const name of names) this.#kept.set(name, made instanceof Error ? made : made[name]);
  }
}

type Making = (recordings: Recordings, world: World) => Promise<void>;

/** Faults in separate processes, which run in parallel to the others because they take long. */
const beside: Making = async (recordings, world) => {
  await recordings.keep(['certificate ends', 'certificate ended', 'event loop'], () =>
    certificateEnds(world),
  );
};

const one = (recordings: Recordings, name: FaultName, making: () => Promise<Recording>): Promise<void> =>
  recordings.keep([name], async () => ({ [name]: await making() }) as Record<FaultName, Recording>);

/** Deliveries to a receiver. Their gauges are measured every 15 seconds, so they run in parallel to the others. */
const outward: Making = async (recordings, world) => {
  const receiver = await Receiver.of(world);
  try {
    await one(recordings, 'predecessor', () => predecessorMissing(world, receiver));
    await one(recordings, 'receiver away', () => receiverAway(world, receiver));
    await one(recordings, 'receiver gone', () => receiverGone(world, receiver));
  } finally {
    receiver.end();
  }
};

/** Faults by users and attackers while all engines are available. */
const withEngines: Making = async (recordings, world) => {
  await Promise.all([
    one(recordings, 'one tenant', () => oneTenantFails(world)).then(() =>
      one(recordings, 'guessed', () => guessed(world)),
    ),
    one(recordings, 'renewal', renewalStuck),
    one(recordings, 'log', logIncomplete),
    one(recordings, 'takeover', takenOver),
    one(recordings, 'guard', () => guardAway(world)),
  ]);
  await one(recordings, 'poisoned', () => eventPoisoned(world));
  await one(recordings, 'forged', () => valueForged(world));
  await recordings.keep(['locked', 'slow'], () => databaseLocked(world));
};

/** Stops one engine or process after the other. */
const withoutThem: Making = async (recordings, world) => {
  await one(recordings, 'redis', () => redisAway(world));
  await one(recordings, 'postgresql', () => postgresqlAway(world));
  await one(recordings, 'directory', () => directoryAway(world));
  await recordings.keep(['provisioning', 'restarts'], () => restarts(world));
  await recordings.keep(['edge', 'gateway alone'], () => edgeAway(world));
};

const paging: readonly [alertname: string, labels: Readonly<Record<string, string>>][] = [
  ['OstiaryProcessDown', { service: 'auth' }],
  ['OstiaryDependencyDown', { service: 'gateway', dependency: 'auth' }],
  ['OstiaryDependencyDown', { service: 'directory', dependency: 'auth' }],
];

/** Stops auth until a running Prometheus pages, and starts it until the alerts resolve. */
const withPrometheus: Making = async (recordings, world) => {
  const prometheus = await Prometheus.start(world.targets);
  try {
    await recordings.keep(['auth', 'late departure'], async () => {
      const auth = await authAway(world, async () => {
        const fired = paging.map(([name, labels]) => prometheus.fires(name, labels));
        recordings.paged.push(...(await Promise.all(fired)));
      });
      return { auth, 'late departure': await lateOffboarding(world, auth) };
    });
    for (const [name, labels] of paging) await prometheus.resolves(name, labels);
  } finally {
    await prometheus.stop();
  }
};

export async function recordFaults(world: World): Promise<Recordings> {
  const recordings = new Recordings();
  const running = beside(recordings, world);
  await Promise.all([withEngines(recordings, world), outward(recordings, world)]);
  // A second process of auth would take over deliveries, and its metrics are not collected.
  await one(recordings, 'hashes', () => passwordsWait(world));
  await withoutThem(recordings, world);
  await withPrometheus(recordings, world);
  await running;
  return recordings;
}
