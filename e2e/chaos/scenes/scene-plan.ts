import { columns, doors, expected } from '../../departure/table.ts';
import type { Trigger } from '../../departure/trigger.ts';
import { triggers } from '../../departure/triggers.ts';
import type { Random } from '../random.ts';

/** The trigger of one scene, and the access paths that are opened before it. */
export interface ScenePlan {
  /** Position in the order, from 1. */
  number: number;
  /** Name in the offboarding table. */
  trigger: string;
  /** In the order of the table, in which they can be opened. */
  doors: readonly string[];
  /** Whether direct requests go to the second process of each service. */
  second: boolean;
}

/** Maximum number of access paths per scene, and of those that close; opening all would overload the machine. */
export const accessPathsOfScene = { all: 14, closing: 9 };

/** Reports whether a column closes an access path, permanently or until the change is undone. */
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
 * Scenes in random order: one of each column of the table first, then the other triggers, then all again. Each scene
 * gets the access paths that have occurred least often, those that few columns close or leave open first.
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
    const closing = this.#leastDrawn('closing', names(true), accessPathsOfScene.closing);
    const staying = this.#leastDrawn('staying', names(false), accessPathsOfScene.all - closing.length);
    const drawn = new Set([...closing, ...staying]);
    this.#drawn += 1;
    return {
      number: this.#drawn,
      trigger: name,
      doors: doors.map((door) => door.name).filter((door) => drawn.has(door)),
      second: this.#random.chance(0.5),
    };
  }

  /** Returns a scene without effect to the deck; it is the next. */
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

/** Returns the number of columns that close an access path, or leave it open. */
const columnsOf = (kind: 'closing' | 'staying', door: string): number =>
  columns.filter(({ name }) => closes(name, door) === (kind === 'closing')).length;
