import { columns, doors, expected } from '../../departure/table.ts';
import type { Trigger } from '../../departure/trigger.ts';
import { triggers } from '../../departure/triggers.ts';
import type { Random } from '../random.ts';

/** What is done to the people and apps of one scene, and which of its doors are opened before. */
export interface ScenePlan {
  /** Of its place in the order, from 1. */
  number: number;
  /** As it is called in the table of departures. */
  trigger: string;
  /** In the order of the table, in which they can be opened. */
  doors: readonly string[];
  /** Whether each service is asked at its second process, where it is asked directly. */
  second: boolean;
}

/** Most doors of one scene, and of these how many that close: to open all of everybody's would keep the machine from the rest. */
export const doorsOfScene = { all: 14, closing: 9 };

/** Whether a trigger's column closes a door, for good or until what happened is undone. */
export const closes = (column: string, door: string): boolean => {
  const found = columns.find(({ name }) => name === column);
  if (found === undefined) throw new Error(`the table has no column ${column}`);
  return typeof expected(found, door) === 'string';
};

export function triggerOf({ trigger }: Pick<ScenePlan, 'trigger'>): Trigger {
  const found = triggers.find(({ name }) => name === trigger);
  if (found === undefined) throw new Error(`there is no trigger ${trigger}`);
  return found;
}

/**
 * Scenes in a random order: first one of each column of the table, then the other triggers, and so on. Each is given those of its
 * doors that came least often so far, of these what few columns close, or leave open, before what many do.
 */
export class SceneDeck {
  readonly #random: Random;
  readonly #times = { closing: new Map<string, number>(), staying: new Map<string, number>() };
  #triggers: Trigger[] = [];
  #drawn = 0;
  #again: ScenePlan[] = [];

  constructor(random: Random) {
    this.#random = random;
  }

  next(): ScenePlan {
    const waiting = this.#again.shift();
    if (waiting !== undefined) return waiting;
    if (this.#triggers.length === 0) this.#triggers = this.#shuffled();
    const { name, column } = this.#triggers.shift() as Trigger;
    const names = (closing: boolean) =>
      doors.map((door) => door.name).filter((door) => closes(column, door) === closing);
    const closing = this.#leastDrawn('closing', names(true), doorsOfScene.closing);
    const staying = this.#leastDrawn('staying', names(false), doorsOfScene.all - closing.length);
    const drawn = new Set([...closing, ...staying]);
    this.#drawn += 1;
    return {
      number: this.#drawn,
      trigger: name,
      doors: doors.map((door) => door.name).filter((door) => drawn.has(door)),
      second: this.#random.chance(0.5),
    };
  }

  /** For one that came to nothing: it is the next. */
  putBack(plan: ScenePlan): void {
    this.#again.push(plan);
  }

  #shuffled(): Trigger[] {
    const first = columns.map(({ name }) =>
      this.#random.pick(triggers.filter(({ column }) => column === name)),
    );
    const others = triggers.filter((trigger) => !first.includes(trigger));
    return [...this.#random.shuffled(first), ...this.#random.shuffled(others)];
  }

  #leastDrawn(kind: 'closing' | 'staying', from: readonly string[], count: number): string[] {
    const times = this.#times[kind];
    const chosen = this.#random
      .shuffled(from)
      .toSorted(
        (a, b) => (times.get(a) ?? 0) - (times.get(b) ?? 0) || columnsOf(kind, a) - columnsOf(kind, b),
      )
      .slice(0, count);
    for (const door of chosen) times.set(door, (times.get(door) ?? 0) + 1);
    return chosen;
  }
}

/** How many columns close a door, or leave it open. */
const columnsOf = (kind: 'closing' | 'staying', door: string): number =>
  columns.filter(({ name }) => closes(name, door) === (kind === 'closing')).length;
