import { type Moment, moments } from './moments.ts';
import { Deck, Random } from './random.ts';
import { SceneDeck } from './scenes/scene-plan.ts';
import { instances, serviceOf } from './stage.ts';

export type Fault =
  | { kind: 'kill'; moment: Moment }
  | { kind: 'kill at any time'; instance: string; afterMs: number }
  | { kind: 'flush' }
  | { kind: 'redis away'; ms: number }
  | { kind: 'postgres restarted'; signal: 'SIGKILL' | 'SIGINT' }
  | { kind: 'partition'; one: string; other: string; ms: number; forget: boolean }
  | { kind: 'partitions'; pairs: Pair[]; eachMs: number; forget: boolean }
  | { kind: 'slow'; instance: string; ms: number; delayMs: number }
  | { kind: 'duplicated'; events: number }
  | { kind: 'reordered'; ms: number }
  | { kind: 'hang'; instance: string; ms: number }
  | { kind: 'full queue'; jobs: number; ms: number }
  | { kind: 'skew'; instances: string[]; offsetMs: number; ms: number };

/** Requests that offboard a user. */
export const triggers = [
  'SCIM PATCH',
  'SCIM PATCH as Entra',
  'SCIM PATCH as Okta',
  'SCIM PUT',
  'SCIM DELETE',
  'SCIM Bulk with PATCH',
  'SCIM Bulk with DELETE',
  'deactivateUser',
  'deleteUser',
] as const;
export type Trigger = (typeof triggers)[number];

export interface Departure {
  tenant: 'demo' | 'rival';
  trigger: Trigger;
  /** Milliseconds after the previous departure. */
  gapMs: number;
  /** Number of access paths that are watched from the acknowledgement on; the others follow. */
  watched: number;
  /** Whether the user is reactivated and offboarded again. */
  returns: boolean;
}

export interface Measures {
  /**
   * Minimum duration in milliseconds, without setup and final checks. A run ends after a fault when all minimums are
   * met.
   */
  minMs: number;
  /** Minimum number of rounds with each kind of fault. */
  minRounds: number;
  /** Minimum number of departures. */
  minOffboardings: number;
  /**
   * Minimum number of scenes, the number set before the run begins, and the interval in milliseconds. No other scene is
   * set before the first fault, because its work would delay the access paths that are timed then.
   */
  scenes: { least: number; first: number; everyMs: number };
  /** Milliseconds before the first fault. */
  healthyMs: number;
  /** Milliseconds without a fault between two faults. */
  calmMs: number;
  offboardingsPerSecond: number;
  /** Number of faults per round of the kinds that have many variants. */
  shapes: { kills: number; partitions: number; hangs: number };
  /**
   * Number of pairs cut one after the other in one fault, number of such faults per round, and milliseconds per pair.
   */
  rowsOfPartitions: { pairs: number; count: number; eachMs: number };
  fullQueue: number;
  /** Milliseconds until the rest of a full queue is removed. */
  fullQueueMs: number;
  redisAwayMs: number;
  /** Minimum and maximum duration of lasting faults in milliseconds. */
  lasting: readonly [number, number];
}

export const measures = {
  minute: {
    minMs: 0,
    minRounds: 1,
    minOffboardings: 100,
    // One scene of each column of the offboarding table.
    scenes: { least: 17, first: 1, everyMs: 3_000 },
    healthyMs: 5_000,
    calmMs: 500,
    offboardingsPerSecond: 2.5,
    shapes: { kills: 2, partitions: 1, hangs: 1 },
    rowsOfPartitions: { pairs: 0, count: 0, eachMs: 0 },
    fullQueue: 10_000,
    fullQueueMs: 5_000,
    redisAwayMs: 4_000,
    lasting: [1_000, 3_000],
  },
  // Two rounds cut every pair and kill at every moment, which a test of the plan verifies.
  full: {
    minMs: 600_000,
    minRounds: 2,
    minOffboardings: 0,
    // Every trigger of that table.
    scenes: { least: 39, first: 0, everyMs: 13_000 },
    healthyMs: 60_000,
    calmMs: 3_000,
    offboardingsPerSecond: 2.6,
    shapes: { kills: 7, partitions: 2, hangs: 2 },
    rowsOfPartitions: { pairs: 9, count: 2, eachMs: 1_000 },
    fullQueue: 100_000,
    fullQueueMs: 20_000,
    redisAwayMs: 30_000,
    lasting: [2_000, 15_000],
  },
} satisfies Record<string, Measures>;

/**
 * Number of access paths of one user that are requested from the acknowledgement on while there is no fault. Each is
 * requested every few milliseconds, so more of them would overload the machine.
 */
const watchedAccessPaths = 3;

/** All events of a run in their order, determined by the seed. */
export class Plan {
  readonly seed: number;
  readonly measures: Measures;
  /** Changes other than the offboarding of single users. */
  readonly scenes: SceneDeck;
  readonly #faults: Random;
  readonly #departures: Random;
  readonly #inFaults: Random;
  readonly #moments: Deck<Moment>;
  readonly #pairs: Deck<Pair>;
  #round: Fault[] = [];
  #begunRounds = 0;

  constructor(seed: number, given: Measures) {
    this.seed = seed;
    this.measures = given;
    const random = new Random(seed);
    this.#faults = random.fork('faults');
    this.#departures = random.fork('departures');
    this.#inFaults = random.fork('departures in faults');
    this.scenes = new SceneDeck(random.fork('scenes'));
    this.#moments = new Deck(Object.keys(moments) as Moment[], this.#faults);
    this.#pairs = new Deck(pairs, this.#faults);
  }

  /** Number of complete rounds with every kind of fault. */
  get rounds(): number {
    return this.#begunRounds - (this.#round.length > 0 ? 1 : 0);
  }

  /** Returns the next fault. Each kind occurs once before any occurs again. */
  nextFault(): Fault {
    if (this.#round.length === 0) {
      this.#round = this.#faults.shuffled(this.#oneOfEach());
      this.#begunRounds += 1;
    }
    const next = this.#round.pop();
    if (next === undefined) throw new Error('there is no fault');
    return next;
  }

  nextOffboarding(): Departure {
    return this.#departure(this.#departures);
  }

  /** Returns a departure for the moment in which a fault begins. */
  nextOffboardingInFault(): Departure {
    return {
      ...this.#departure(this.#inFaults),
      gapMs: this.#inFaults.between(0, 300),
      watched: this.#inFaults.chance(0.15) ? Number.POSITIVE_INFINITY : 5,
    };
  }

  #departure(random: Random): Departure {
    const mean = 1000 / this.measures.offboardingsPerSecond;
    return {
      tenant: random.chance(0.7) ? 'demo' : 'rival',
      trigger: random.pick(triggers),
      gapMs: Math.round(mean * (0.2 + 1.6 * random.next())),
      watched: watchedAccessPaths,
      returns: random.chance(0.08),
    };
  }

  #oneOfEach(): Fault[] {
    const random = this.#faults;
    const { lasting, redisAwayMs, fullQueue, fullQueueMs, shapes, rowsOfPartitions } = this.measures;
    const times = <T>(count: number, make: (index: number) => T): T[] =>
      Array.from({ length: count }, (_, index) => make(index));
    const ms = () => random.between(...(lasting as [number, number]));
    return [
      ...this.#moments.draw(shapes.kills).map((moment) => ({ kind: 'kill', moment }) as const),
      { kind: 'kill at any time', instance: random.pick(instances), afterMs: random.between(0, 500) },
      { kind: 'flush' },
      { kind: 'redis away', ms: redisAwayMs },
      { kind: 'postgres restarted', signal: random.pick(['SIGKILL', 'SIGINT'] as const) },
      ...this.#pairs
        .draw(shapes.partitions)
        .map((pair) => ({ kind: 'partition', ...pair, ms: ms(), forget: random.chance(0.5) }) as const),
      ...times(
        rowsOfPartitions.count,
        () =>
          ({
            kind: 'partitions',
            pairs: this.#pairs.draw(rowsOfPartitions.pairs),
            eachMs: rowsOfPartitions.eachMs,
            forget: random.chance(0.5),
          }) as const,
      ),
      { kind: 'slow', instance: random.pick(instances), ms: ms(), delayMs: random.between(20, 150) },
      { kind: 'duplicated', events: random.between(50, 200) },
      { kind: 'reordered', ms: ms() },
      // The first is a consumer of the departures in the queue.
      ...times(
        shapes.hangs,
        (index) =>
          ({ kind: 'hang', instance: random.pick(index === 0 ? authorities : instances), ms: ms() }) as const,
      ),
      { kind: 'full queue', jobs: fullQueue, ms: fullQueueMs },
      ...[60_000, -60_000].map(
        (offsetMs) => ({ kind: 'skew', instances: this.#withWrongClocks(), offsetMs, ms: ms() }) as const,
      ),
    ];
  }

  /** Returns a process that issues tokens, and up to three others. */
  #withWrongClocks(): string[] {
    const first = this.#faults.pick(authorities);
    const others = this.#faults.shuffled(instances.filter((instance) => instance !== first));
    return [first, ...others.slice(0, this.#faults.between(0, 3))];
  }
}

/** Processes that issue and revoke tokens. */
const authorities = instances.filter((instance) => serviceOf(instance) === 'auth');

/** Two processes of which one calls the other. */
export interface Pair {
  one: string;
  other: string;
}

/** Pairs that communicate and can be cut; `world` is the side in front of the load balancer. */
export const pairs: readonly Pair[] = instances.flatMap((one) => [
  ...instances
    .filter((other) => other > one && serviceOf(one) !== serviceOf(other))
    .map((other) => ({ one, other })),
  { one, other: 'valkey' },
  serviceOf(one) === 'gateway' ? { one: 'world', other: one } : { one, other: 'postgres' },
]);
