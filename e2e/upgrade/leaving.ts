import { setTimeout as sleep } from 'node:timers/promises';
import { Aftermath } from '../chaos/aftermath.ts';
import { Departures } from '../chaos/departures.ts';
import { Metronome, timeHad } from '../chaos/metronome.ts';
import { People } from '../chaos/people.ts';
import { triggers } from '../chaos/plan.ts';
import { Random } from '../chaos/random.ts';
import { openFor } from '../chaos/verdict.ts';
import type { Fleet } from './fleet/fleet.ts';

/** Settings under which every door of a person can be tried for as long as a run takes. */
export const doorsEnv = {
  ACCESS_TOKEN_TTL_SECONDS: '3600',
  AUTHORIZATION_CODE_TTL_SECONDS: '900',
  REFRESH_RETRY_WINDOW_SECONDS: '60',
};

const betweenMs = 1_500;
/** How many doors are watched from the first moment; the others afterwards. */
const watched = 6;
const giveUpAfterMs = 45_000;

/** What became of those who left. */
export interface Leaving {
  departures: number;
  /** Doors that were tried until they were refused. */
  doors: number;
  /** Milliseconds for which the last of them was open after the acknowledgement, of time that the machine had. */
  longestOpenMs: number;
  /** People who left without being signed out everywhere, or came in again. */
  open: string[];
  /** Departures without their effect, or with more than one: events that were lost, or counted twice. */
  wrongEffects: string[];
}

/** People are hired, sign in, open every door there is, and leave, one after the other, while processes are replaced. */
export class LeavingPeople {
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

  static async begin(fleet: Fleet, seed: number): Promise<LeavingPeople> {
    const leaving = new LeavingPeople(fleet, seed, await Metronome.start());
    leaving.#working = leaving.#work();
    return leaving;
  }

  get count(): number {
    return this.#departures.left.length;
  }

  /** Waits until every door of everybody was refused, and tries all of them once more. */
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
      longestOpenMs: Math.round(Math.max(0, ...times)),
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
