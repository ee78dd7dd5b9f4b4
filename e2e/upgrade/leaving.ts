import { setTimeout as sleep } from 'node:timers/promises';
import { Aftermath } from '../chaos/aftermath.ts';
import { Departures } from '../chaos/departures.ts';
import { openFor } from '../chaos/evaluation.ts';
import { Metronome, timeHad } from '../chaos/metronome.ts';
import { People } from '../chaos/people.ts';
import { triggers } from '../chaos/plan.ts';
import { Random } from '../chaos/random.ts';
import type { Fleet } from './fleet/fleet.ts';

/** Lifetimes that keep every access path testable during a run. */
export const accessPathsEnv = {
  ACCESS_TOKEN_TTL_SECONDS: '3600',
  AUTHORIZATION_CODE_TTL_SECONDS: '900',
  REFRESH_RETRY_WINDOW_SECONDS: '60',
};

const betweenMs = 1_500;
/** Number of access paths that are tested from the start; the others are tested afterwards. */
const watched = 6;
const giveUpAfterMs = 45_000;

/** Results of the offboardings. */
export interface Leaving {
  departures: number;
  /** Number of access paths that were tested until they were rejected. */
  doors: number;
  /**
   * Maximum time in ms for which access was possible after the acknowledgement, corrected for the load of the machine.
   */
  maxOpenMs: number;
  /** Users who kept or regained access after the offboarding. */
  open: string[];
  /** Offboardings without an effect or with more than one: lost or repeated events. */
  wrongEffects: string[];
}

/**
 * Creates users who sign in and use every access path, and offboards them one after the other while processes are
 * replaced.
 */
export class LeavingUsers {
  readonly #fleet: Fleet;
  readonly #people: People;
  readonly #departures: Departures;
  readonly #random: Random;
  readonly #metronome: Metronome;
  readonly #over = new AbortController();
  #working: Promise<unknown> = Promise.resolve();
  readonly #leaving: Promise<void>[] = [];

  private constructor(fleet: Fleet, seed: number, metronome: Metronome) {
    this.#fleet = fleet;
    this.#people = new People(fleet);
    this.#departures = new Departures(fleet, this.#people);
    this.#random = new Random(seed).fork('leaving');
    this.#metronome = metronome;
  }

  static async begin(fleet: Fleet, seed: number): Promise<LeavingUsers> {
    const leaving = new LeavingUsers(fleet, seed, await Metronome.start());
    leaving.#working = leaving.#work();
    return leaving;
  }

  get count(): number {
    return this.#departures.left.length;
  }

  /** Waits until every access path of every user was rejected, and tests all of them again. */
  async end(): Promise<Leaving> {
    this.#over.abort();
    await this.#working;
    await Promise.all(this.#leaving);
    await this.#departures.tryAll();
    const { left, reopened, departuresOf } = this.#departures;
    const { stalls } = this.#metronome;
    await this.#metronome.stop();
    const open = left.flatMap(({ person, trigger, closings }) =>
      closings
        .filter(({ closedAt }) => closedAt === undefined)
        .map(({ door, said }) => `${person.id}, ${trigger}: ${door} was never refused: ${said}`),
    );
    const times = left.flatMap((one) =>
      one.closings.map((closing) =>
        timeHad(stalls, one.acknowledgedAt, one.acknowledgedAt + openFor(one, closing)),
      ),
    );
    return {
      departures: left.length,
      doors: times.length,
      maxOpenMs: Math.round(Math.max(0, ...times)),
      open: [...open, ...reopened.map(({ person, door }) => `${person}: ${door} opened again`)],
      wrongEffects: await new Aftermath(this.#fleet.system.databaseUrl).wrongEffects(departuresOf),
    };
  }

  async #work(): Promise<void> {
    for (let number = 0; !this.#over.signal.aborted; number += 1) {
      const tenant = number % 3 === 2 ? 'rival' : 'demo';
      const person = await this.#people.hireSomehow(tenant, `leaves-${number}`, this.#over.signal);
      if (person === undefined) return;
      const trigger = this.#random.pick(triggers);
      const departure = { tenant, trigger, gapMs: 0, watched, returns: false } as const;
      this.#leaving.push(this.#departures.depart(person, departure, AbortSignal.timeout(giveUpAfterMs)));
      await sleep(betweenMs);
    }
  }
}
