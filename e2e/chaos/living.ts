import { setTimeout as sleep } from 'node:timers/promises';
import { userinfoAccessPath } from './asking.ts';
import type { People } from './people.ts';
import type { AccessPath, Person } from './person.ts';
import type { Random } from './random.ts';
import type { Stage } from './stage.ts';

/** Time during which an active user was denied access. Milliseconds of performance.now(). */
export interface Outage {
  person: string;
  door: string;
  /** Send time of the first failed request. */
  from: number;
  /** Time of the next accepted request. */
  to: number | undefined;
  said: Set<string>;
}

const betweenTriesMs = 120;
/** Probability of requesting a failed access path again before another one. */
const insistence = 0.5;

type Employer = Pick<People, 'hire' | 'usualDoors' | 'refreshDoor'>;

/** Users who stay active and request their access paths continuously. */
export class Living {
  readonly #stage: Pick<Stage, 'demo'>;
  readonly #people: Employer;
  readonly #random: Random;
  readonly #doors = new Map<Person, readonly AccessPath[]>();
  readonly #open = new Map<string, Outage>();
  /** The latest accepted request of each access path. */
  readonly #gotIn = new Map<string, { sentAt: number; answeredAt: number }>();
  readonly outages: Outage[] = [];
  /** Answers about another user, or to a token of another tenant. */
  readonly mixedUp: string[] = [];
  tries = 0;

  constructor(stage: Pick<Stage, 'demo'>, people: Employer, random: Random) {
    this.#stage = stage;
    this.#people = people;
    this.#random = random;
  }

  async hire(count: number): Promise<void> {
    for (let number = 0; number < count; number += 1) {
      const person = await this.#people.hire(number % 3 === 2 ? 'rival' : 'demo', `stays-${number}`);
      this.#doors.set(person, this.#people.usualDoors(person).map(onceAtATime));
    }
  }

  /** Requests access paths of every user until aborted. */
  async live(until: AbortSignal): Promise<void> {
    await Promise.all(
      [...this.#doors].map(async ([person, doors]) => {
        while (!until.aborted) {
          const shut = doors.filter(({ name }) => this.#open.has(keyOf(person, name)));
          const insists = shut.length > 0 && this.#random.chance(insistence);
          await this.#through(person, this.#random.pick(insists ? shut : doors));
          if (this.#random.chance(0.05)) await this.#atTheOther(person);
          await sleep(betweenTriesMs * (0.5 + this.#random.next()));
        }
      }),
    );
  }

  /** Reports whether every access path of every user is open. */
  async allWell(): Promise<boolean> {
    const results = await Promise.all(
      [...this.#doors].map(async ([person, doors]) => {
        const outcomes = await Promise.all(doors.map((door) => this.#through(person, door)));
        return outcomes.every(Boolean);
      }),
    );
    return results.every(Boolean);
  }

  /**
   * Requests every access path of every user, always with a refresh, and retries failures for `withinMs` milliseconds.
   * Call it after `live` has ended.
   */
  async lastRound(withinMs: number): Promise<void> {
    const until = performance.now() + withinMs;
    for (;;) {
      let well = await this.allWell();
      for (const person of this.#doors.keys())
        well = (await this.#through(person, this.#people.refreshDoor(person))) && well;
      if (well || performance.now() >= until) return;
      await sleep(betweenTriesMs);
    }
  }

  /** Users with a current outage, the access path and the answers. */
  get shutOut(): string[] {
    return [...this.#open.values()].map(
      ({ person, door, said }) => `${person} at ${door}: ${[...said].join(', ')}`,
    );
  }

  async #through(person: Person, door: AccessPath): Promise<boolean> {
    const sentAt = performance.now();
    const { outcome, who, said } = await door.try();
    this.tries += 1;
    if (who !== undefined && who !== person.id)
      this.mixedUp.push(`${door.name} took ${person.id} for ${who}`);
    const key = keyOf(person, door.name);
    const outage = this.#open.get(key);
    const gotIn = this.#gotIn.get(key);
    if (outcome === 'open') {
      const answeredAt = performance.now();
      if (gotIn === undefined || gotIn.sentAt < sentAt) this.#gotIn.set(key, { sentAt, answeredAt });
      // A request sent before the outage does not end it.
      if (outage !== undefined && outage.from <= sentAt) {
        outage.to = answeredAt;
        this.#open.delete(key);
      }
      return true;
    }
    if (outage !== undefined) {
      outage.said.add(said);
      return false;
    }
    const isOver = gotIn !== undefined && gotIn.sentAt > sentAt;
    const begun: Outage = {
      person: person.user.userName,
      door: door.name,
      from: sentAt,
      // A request that was sent later succeeded before this answer.
      to: isOver ? Math.max(sentAt, gotIn.answeredAt) : undefined,
      said: new Set([said]),
    };
    if (!isOver) this.#open.set(key, begun);
    this.outages.push(begun);
    return false;
  }

  /** Verifies that another tenant rejects the token. */
  async #atTheOther(person: Person): Promise<void> {
    const other = person.tenant === 'demo' ? 'rival' : 'demo';
    const { outcome } = await userinfoAccessPath(this.#stage.demo.origin, other, person.accessToken);
    if (outcome === 'open') this.mixedUp.push(`${other} took a token of ${person.tenant}`);
  }
}

const keyOf = (person: Person, door: string): string => `${person.id} ${door}`;

/** Concurrent callers share one refresh, because two would use one token twice. */
function onceAtATime(door: AccessPath): AccessPath {
  let asking: ReturnType<AccessPath['try']> | undefined;
  if (door.name !== 'refresh') return door;
  return {
    name: door.name,
    try: () => {
      asking ??= door.try().finally(() => {
        asking = undefined;
      });
      return asking;
    },
  };
}
