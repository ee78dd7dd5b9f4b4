import { setTimeout as sleep } from 'node:timers/promises';
import { closeCompanies } from '../departure/company.ts';
import type { Report } from '../invariants/audit.ts';
import type { Prepared } from '../support/systems/start-own.ts';
import { Aftermath } from './aftermath.ts';
import { Departures, type Left } from './departures.ts';
import { describeFault, Faults } from './faults/faults.ts';
import type { Again } from './faults/queue.ts';
import { Living, type Outage } from './living.ts';
import { Metronome, type Stall } from './metronome.ts';
import { whereIs } from './moments.ts';
import { People } from './people.ts';
import type { Person, TenantName } from './person.ts';
import { type Fault, type Measures, Plan } from './plan.ts';
import { Random } from './random.ts';
import type { Notified } from './receivers/notified.ts';
import { Receivers, receiverEnv } from './receivers/receivers.ts';
import { Playing } from './scenes/playing.ts';
import { type Played, Scenes } from './scenes/scenes.ts';
import { instances, Stage } from './stage.ts';

/** A fault of the run. Times are milliseconds of performance.now(). */
export interface Struck {
  fault: Fault;
  what: string;
  from: number;
  to: number;
  /** Time at which every access path was open, every process ready and no event pending. */
  recoveredAt: number;
  /** The remaining problem when the recovery timed out. */
  amiss: string | undefined;
  /** Process that reached the moment of a kill; undefined if none did and another was killed. */
  caught?: string | undefined;
  /** Results of repeated deliveries. */
  again?: readonly Again[];
}

export interface Outcome {
  seed: number;
  measures: Measures;
  stalenessMs: number;
  startedAt: Date;
  /** Start and end of the run by performance.now(). */
  from: number;
  to: number;
  struck: Struck[];
  /** Times during which the machine was overloaded. */
  stalls: Stall[];
  left: Left[];
  /** Changes other than the offboarding of single users. */
  played: Played[];
  departuresOf: { tenant: TenantName; id: string; count: number }[];
  reopened: Departures['reopened'];
  /** Milliseconds from an acknowledged reactivation to the first sign-in. */
  returns: number[];
  outages: Outage[];
  mixedUp: string[];
  livingTries: number;
  /** Number of access paths requested again at the end. */
  triedAgain: number;
  /** Users whose number of effects differs from the number of departures. */
  wrongEffects: string[];
  /** Messages to each receiver. */
  notified: Notified[];
  /** Values in Redis that a process rejected. */
  refusals: string[];
  /** Error log lines of all processes. */
  errors: string[];
  audit: Report;
}

export interface RunOptions {
  seed: number;
  measures: Measures;
  log(message: string): void;
  /** Runs the audit of the invariants against the databases. */
  audit(databaseUrl: string): Promise<Report>;
  /** State that the system starts from. */
  prepared?: Prepared;
  /** Only these kinds of faults; an empty list means none. */
  only?: readonly string[] | undefined;
}

export const stalenessSeconds = 10;
/** Maximum recovery time after a fault in milliseconds. */
export const recoveryBoundMs = 10_000;
const livingCount = 8;
/** Number of users in stock for the time after the first fault: during some faults none can be created. */
const inStock = 40;
/** Factor on the expected departures before the first fault, for which users are created in advance. */
const reserve = 1.2;
/** Number of users in stock that are kept for faults, and number of departures as a fault begins. */
const keptForFaults = 8;
const leaveWithFault = 4;
const mostUnderWay = 24;

/** Milliseconds after which watching an access path is given up. */
const giveUpAfterMs = 45_000;

export async function run(o: RunOptions): Promise<Outcome> {
  const plan = new Plan(o.seed, o.measures);
  const stage = await Stage.set(
    {
      REVOCATION_MAX_STALENESS_SECONDS: String(stalenessSeconds),
      ACCESS_TOKEN_TTL_SECONDS: '3600',
      AUTHORIZATION_CODE_TTL_SECONDS: '900',
      PUSHED_REQUEST_TTL_SECONDS: '900',
      // Longer than any fault of this run, so that a client whose answer was lost can retry.
      REFRESH_RETRY_WINDOW_SECONDS: '60',
      ...receiverEnv,
    },
    o.prepared,
  );
  const metronome = await Metronome.start();
  const receivers = new Receivers(new Random(o.seed).fork('receivers'));
  try {
    return { ...(await new Run(stage, plan, receivers, o).all()), stalls: metronome.stalls };
  } finally {
    receivers.stop();
    await metronome.stop();
    await closeCompanies();
    await stage.strike({ keep: process.env.CHAOS_KEEP !== undefined });
  }
}

class Run {
  readonly #stage: Stage;
  readonly #plan: Plan;
  readonly #options: RunOptions;
  readonly #people: People;
  readonly #living: Living;
  readonly #departures: Departures;
  readonly #scenes: Scenes;
  readonly #playing: Playing;
  readonly #faults: Faults;
  readonly #receivers: Receivers;
  readonly #aftermath: Aftermath;
  readonly #stock: Record<TenantName, Person[]> = { demo: [], rival: [] };
  readonly #over = new AbortController();
  /**
   * Aborted when no faults and departures are left: only scenes are missing. They are set two at a time, so departures
   * beside them would overload the machine.
   */
  readonly #rest = new AbortController();
  readonly #struck: Struck[] = [];
  #isStriking = false;
  /** Set while access paths are timed without a fault: a user costs a dozen requests and several password hashes. */
  #pausesHiring = false;
  #hired = 0;

  constructor(stage: Stage, plan: Plan, receivers: Receivers, options: RunOptions) {
    this.#stage = stage;
    this.#plan = plan;
    this.#receivers = receivers;
    this.#options = options;
    const random = new Random(plan.seed).fork('life');
    this.#people = new People(stage);
    this.#living = new Living(stage, this.#people, random);
    this.#departures = new Departures(stage, this.#people);
    this.#scenes = new Scenes(stage, {
      deck: plan.scenes,
      stalenessMs: stalenessSeconds * 1000,
      disturbedSince: (time) =>
        this.#isStriking || this.#struck.some(({ recoveredAt }) => recoveredAt > time),
    });
    this.#playing = new Playing({
      scenes: this.#scenes,
      measures: plan.measures.scenes,
      rest: this.#rest.signal,
      over: this.#over.signal,
      patienceMs: 4 * giveUpAfterMs,
    });
    this.#faults = new Faults(stage);
    this.#aftermath = new Aftermath(stage.system.databaseUrl);
  }

  async all(): Promise<Omit<Outcome, 'stalls'>> {
    const { seed, measures, log, only } = this.#options;
    await this.#receivers.subscribe(this.#stage);
    await this.#living.hire(livingCount);
    log(
      `seed ${seed}: ${instances.length} processes are up, ${livingCount} people work, ${this.#wanted()} are hired who will leave`,
    );
    const hiring = [this.#hire(), this.#hire()];
    // Nothing is timed yet, so the first scenes are set in parallel.
    await Promise.all([this.#playing.setFirst(), this.#stocked()]);
    this.#pausesHiring = true;
    const startedAt = new Date();
    const from = performance.now();
    const endOfLife = new AbortController();
    const living = this.#living.live(endOfLife.signal);
    const leaving = this.#leaveOneByOne();
    const looking = this.#lookBack();
    const playing = this.#playing.play(only?.length === 0 ? from : from + measures.healthyMs);

    await sleep(measures.healthyMs);
    this.#pausesHiring = false;
    if (only?.length !== 0) await this.#faultAfterFault(from);
    while (this.#departures.left.length < measures.minOffboardings) await sleep(50);
    this.#rest.abort();
    await this.#playing.enough();
    this.#over.abort();
    await Promise.all([...hiring, leaving, looking, playing]);
    log('the faults are over; the last doors are watched');
    const watchedUntil = performance.now() + giveUpAfterMs;
    const underWay = () => this.#departures.underWay + this.#scenes.underWay;
    while (underWay() > 0 && performance.now() < watchedUntil) await sleep(100);
    endOfLife.abort();
    await living;
    await this.#living.lastRound(recoveryBoundMs);
    const to = performance.now();
    return this.#outcome({ startedAt, from, to });
  }

  async #stocked(): Promise<void> {
    while (this.#inStock < this.#wanted()) await sleep(50);
  }

  /** Collects the results after everything has ended. */
  async #outcome(span: { startedAt: Date; from: number; to: number }): Promise<Omit<Outcome, 'stalls'>> {
    const { seed, measures } = this.#options;
    const triedAgain = (await this.#departures.tryAll()) + (await this.#scenes.tryAll());
    const wrongEffects = await this.#aftermath.wrongEffects(this.#departures.departuresOf);
    const notified = await this.#aftermath.notified(this.#receivers, this.#departures, giveUpAfterMs);
    const audit = await this.#options.audit(this.#stage.system.databaseUrl);
    return {
      seed,
      measures,
      stalenessMs: stalenessSeconds * 1000,
      ...span,
      struck: this.#struck,
      left: this.#departures.left,
      played: this.#scenes.played,
      departuresOf: [...this.#departures.departuresOf.values()],
      reopened: [...this.#departures.reopened, ...this.#scenes.reopened],
      returns: this.#departures.returns,
      outages: this.#living.outages,
      mixedUp: this.#living.mixedUp,
      livingTries: this.#living.tries,
      triedAgain,
      wrongEffects,
      notified,
      refusals: await this.#stage.refusals(),
      errors: await this.#stage.errors(),
      audit,
    };
  }

  async #faultAfterFault(from: number): Promise<void> {
    const { measures, log, only } = this.#options;
    while (!this.#isOver(from)) {
      const fault = this.#plan.nextFault();
      if (only !== undefined && !only.includes(fault.kind)) continue;
      const struck: Struck = {
        fault,
        what: describeFault(fault),
        from: performance.now(),
        to: 0,
        recoveredAt: 0,
        amiss: undefined,
      };
      this.#isStriking = true;
      for (let count = 0; count < leaveWithFault; count += 1) void this.#leaveNow(fault);
      const { caught, again } = await this.#faults.strike(fault, () => void this.#leaveNow(fault));
      if (fault.kind === 'kill') struck.caught = caught;
      if (again) struck.again = again;
      struck.to = performance.now();
      const { amiss, lastAmiss } = await this.#recovered(struck.to + 3 * recoveryBoundMs);
      struck.amiss = amiss;
      struck.recoveredAt = performance.now();
      this.#struck.push(struck);
      this.#isStriking = false;
      const seconds = (ms: number) => (ms / 1000).toFixed(1);
      log(
        `${seconds(struck.from - from).padStart(6)} s  ${struck.what}; recovered after ${seconds(struck.recoveredAt - struck.to)} s` +
          `${lastAmiss === undefined ? '' : ` (${lastAmiss})`}; ${this.#departures.left.length} have left`,
      );
      await sleep(measures.calmMs);
    }
    await this.#faults.calm();
  }

  #isOver(from: number): boolean {
    const { minMs, minRounds } = this.#options.measures;
    return performance.now() - from >= minMs && this.#plan.rounds >= minRounds;
  }

  /** Waits for recovery; returns the remaining problem on a timeout, and the last problem. */
  async #recovered(deadline: number): Promise<{ amiss: string | undefined; lastAmiss: string | undefined }> {
    for (let lastAmiss: string | undefined; ; ) {
      const amiss = await this.#amiss();
      lastAmiss = amiss ?? lastAmiss;
      if (amiss === undefined || performance.now() > deadline) return { amiss, lastAmiss };
      await sleep(100);
    }
  }

  async #amiss(): Promise<string | undefined> {
    for (const instance of instances) {
      const ready = await fetch(`${this.#stage.urls[instance]}/readyz`, {
        signal: AbortSignal.timeout(2_000),
      }).then(
        async (response) => ((await response.json()) as { status: string }).status,
        () => 'silent',
      );
      if (ready !== 'ready') return `${instance} is ${ready}`;
    }
    if (!(await this.#living.allWell())) return `${this.#living.shutOut.join('; ')} does not get in`;
    const waiting = await this.#aftermath.waitingDeliveries();
    return waiting === '0' ? undefined : `${waiting} deliveries wait`;
  }

  get #inStock(): number {
    return this.#stock.demo.length + this.#stock.rival.length;
  }

  /** Before the first fault, includes the departures until then. */
  #wanted(): number {
    const { offboardingsPerSecond, healthyMs } = this.#options.measures;
    const leaving = this.#struck.length === 0 ? (reserve * offboardingsPerSecond * healthyMs) / 1000 : 0;
    return inStock + Math.ceil(leaving);
  }

  async #hire(): Promise<void> {
    while (!this.#rest.signal.aborted) {
      const tenant = this.#stock.rival.length * 2 < this.#stock.demo.length ? 'rival' : 'demo';
      if (this.#pausesHiring || this.#inStock >= this.#wanted()) {
        await sleep(50);
        continue;
      }
      this.#hired += 1;
      const person = await this.#people.hireSomehow(tenant, `leaves-${this.#hired}`, this.#rest.signal);
      if (person !== undefined) this.#stock[tenant].push(person);
    }
  }

  async #leaveNow(fault: Fault): Promise<void> {
    const departure = this.#plan.nextOffboardingInFault();
    const only = fault.kind === 'kill' ? whereIs(fault.moment).only : undefined;
    if (only !== undefined) departure.trigger = only === 'deletion' ? 'SCIM DELETE' : 'SCIM PATCH';
    await sleep(departure.gapMs);
    const person = this.#stock[departure.tenant].shift() ?? this.#stock.demo.shift();
    if (person === undefined) return;
    await this.#departures.depart(person, departure, AbortSignal.timeout(giveUpAfterMs));
  }

  async #leaveOneByOne(): Promise<void> {
    const { signal } = this.#rest;
    while (!signal.aborted) {
      const departure = this.#plan.nextOffboarding();
      await sleep(departure.gapMs);
      while (this.#departures.underWay >= mostUnderWay && !signal.aborted) await sleep(20);
      const enough = () => this.#inStock > keptForFaults;
      let person = enough() ? this.#stock[departure.tenant].shift() : undefined;
      while (person === undefined && !signal.aborted) {
        await sleep(20);
        if (enough()) person = this.#stock[departure.tenant].shift();
      }
      if (person === undefined) return;
      void this.#departures.depart(person, departure, AbortSignal.timeout(giveUpAfterMs));
    }
  }

  /** Requests closed access paths again from time to time. */
  async #lookBack(): Promise<void> {
    const random = new Random(this.#plan.seed).fork('back');
    const choose = (count: number) => random.between(0, Math.max(0, count - 1));
    for (let turn = 1; !this.#over.signal.aborted; turn += 1) {
      await this.#departures.tryAgain(choose);
      if (turn % 5 === 0) await this.#scenes.tryAgain(choose);
      await sleep(100);
    }
  }
}
