import type { Door } from './asking.ts';
import { doorsFor, given, models } from './doors.ts';
import { tryMutations } from './mutations.ts';
import { type Observation, observe, type Subject } from './observe.ts';
import { type Heard, hearEverything } from './subscriptions.ts';
import type { Actor, World } from './world.ts';

/**
 * A field: its rule as the schema says it, and who was seen to get it. Everybody else was refused. Of a subscription, who
 * may open it, and who then hears of what.
 */
export interface Row {
  rule: string;
  /** What a mutation gives, and how a person must have signed in. */
  confers?: string;
  opens?: string;
  /** Of nobody in particular. */
  any?: string;
  /** The asking person's own. */
  own?: string;
  /** Of another person of the tenant. */
  other?: string;
}

export interface Matrix {
  rows: Record<string, Row>;
  /** What must never be, in words. */
  problems: string[];
  /** How many answers about a field there were. */
  cells: number;
}

/** Asks every door as every actor. @param width requests at a time */
export async function collect(world: World, width = 6): Promise<Matrix> {
  const collection = new Collection(world);
  await collection.ask(width);
  return collection.matrix();
}

/** Doors that one actor tries together: many, so that few requests are needed, and so few that their documents are kept. */
const doorsAtOnce = 16;

const inChunks = <T>(list: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(list.length / size) }, (_, index) =>
    list.slice(index * size, (index + 1) * size),
  );

/** The answers so far. They are asked for in parts, as many as fit into the time of a test's hook. */
export class Collection {
  readonly #world: World;
  readonly #rules = new Map(
    [...models.gateway.objects.values()].flatMap(({ fields }) =>
      [...fields.values()].map(({ coordinate, rule }) => [coordinate, rule] as const),
    ),
  );
  readonly #problems: string[] = [];
  readonly #outcomes = new Map<string, Map<string, Map<string, string>>>();
  #cells = 0;

  constructor(world: World) {
    this.#world = world;
  }

  /**
   * Asks every door as everybody. The same is asked of one after the other, as the processes keep for a while what they have parsed and
   * planned.
   * @param width requests at a time
   */
  async ask(width = 6, { part, of } = { part: 0, of: 1 }): Promise<void> {
    const mutations = this.#world.actors.map((actor) => async () => {
      for (const observation of await tryMutations(this.#world, actor)) this.#note(actor, observation);
    });
    const questions = [...this.#askedTogether().values()].map((asked) => async () => {
      for (const { actor, doors } of asked) {
        for (const observation of await observe(doors, actor, given)) this.#note(actor, observation);
      }
    });
    const jobs = [...mutations, ...questions];
    await inParallel(
      jobs.filter((_, index) => index % of === part),
      width,
    );
  }

  /** What is asked together, and by whom. */
  #askedTogether(): Map<string, { actor: Actor; doors: Door[] }[]> {
    const together = new Map<string, { actor: Actor; doors: Door[] }[]>();
    for (const actor of this.#world.actors) {
      // What only one of them asks is not in between, so that the rest is one text.
      const all = Map.groupBy(
        doorsFor(this.#world, actor),
        ({ url, field, subjects }) =>
          `${url} ${actor.id !== undefined && field !== '_entities' && subjects?.[0] === actor.id}`,
      );
      for (const doors of [...all.values()].flatMap((each) => inChunks(each, doorsAtOnce))) {
        const name = doors.map((each) => each.name).join(', ');
        together.set(name, [...(together.get(name) ?? []), { actor, doors }]);
      }
    }
    return together;
  }

  /** Also opens the subscriptions, last, because that is what changes something. */
  async matrix(): Promise<Matrix> {
    const heard = await hearEverything(this.#world);
    this.#cells += heard.length * (1 + 2);
    this.#problems.push(...heard.flatMap(problemsOf));
    const { rows, reached } = rowsOf(this.#world, this.#rules, this.#outcomes);
    Object.assign(rows, subscriptionRows(this.#world, heard, this.#rules));
    this.#problems.push(...neverSeen(reached));
    return { rows, problems: this.#problems, cells: this.#cells };
  }

  #note(actor: Actor, { coordinate, of, where, ...observed }: Observation): void {
    // What tokens of the platform hear that manage tenants and are in none of them.
    const outcome = observed.outcome.includes('This token belongs to no tenant')
      ? 'FORBIDDEN'
      : observed.outcome;
    this.#cells += 1;
    const text = `${actor.name}: ${where}: ${coordinate}`;
    if (outcome === 'succeeded' || outcome.startsWith('failed')) {
      this.#problems.push(`${text} ${outcome}`);
      return;
    }
    const expected = actor.token === undefined ? 'UNAUTHENTICATED' : 'FORBIDDEN';
    if (outcome !== 'read' && outcome !== expected)
      this.#problems.push(`${text} was refused with ${outcome}`);
    // An entity's key is as open as what else is asked for with it.
    if (outcome !== 'read' && /\binherit\b/.test(this.#rules.get(coordinate) ?? '')) return;
    const cell = this.#cellOf(actor, `${coordinate} ${of}`);
    cell.set(outcome === 'read' ? 'read' : 'refused', where);
    if (cell.size > 1)
      this.#problems.push(
        `${actor.name}: ${coordinate} of ${of}: read at ${cell.get('read')}, refused at ${cell.get('refused')}`,
      );
  }

  #cellOf(actor: Actor, place: string): Map<string, string> {
    const row = this.#outcomes.get(place) ?? new Map<string, Map<string, string>>();
    this.#outcomes.set(place, row);
    const cell = row.get(actor.name) ?? new Map<string, string>();
    row.set(actor.name, cell);
    return cell;
  }
}

/** Coordinate and whose it is → name of the actor → what came of it → where. */
type Outcomes = ReadonlyMap<string, ReadonlyMap<string, ReadonlyMap<string, string>>>;

/** Who reads each field, and the fields that somebody reads at all. */
function rowsOf(
  world: World,
  rules: ReadonlyMap<string, string>,
  outcomes: Outcomes,
): { rows: Record<string, Row>; reached: Set<string> } {
  const rows: Record<string, Row> = {};
  const reached = new Set<string>();
  const perType = [...outcomes.keys()]
    .filter((key) => key.includes(' as '))
    .map((key) => key.replace(/ \w+$/, ''));
  for (const coordinate of [...rules.keys(), ...new Set(perType)].sort()) {
    const [field = ''] = coordinate.split(' as ');
    const row: Row = { rule: rules.get(field) ?? '', ...conferredIn(field) };
    for (const whose of ['any', 'own', 'other'] satisfies Subject[]) {
      const cellsOf = outcomes.get(`${coordinate} ${whose}`);
      if (!cellsOf) continue;
      const readers = world.actors.filter(({ name }) => cellsOf.get(name)?.has('read'));
      row[whose] = readers.map(({ name }) => name).join(' ');
      if (readers.length > 0) reached.add(field);
    }
    rows[coordinate] = row;
  }
  return { rows, reached };
}

/** Of a mutation: what the schema says it confers. */
function conferredIn(coordinate: string): Pick<Row, 'confers'> {
  const confers = models.gateway.objects
    .get('Mutation')
    ?.fields.get(coordinate.replace('Mutation.', ''))?.confers;
  return coordinate.startsWith('Mutation.') && confers !== undefined ? { confers } : {};
}

/** What was heard that must never be, or not heard by who had opened a subscription. */
function problemsOf({ actor, coordinate, opening, of, strange }: Heard): string[] {
  const text = `${actor.name}: ${coordinate}`;
  const expected = actor.token === undefined ? 'UNAUTHENTICATED' : 'FORBIDDEN';
  // Who is in no tenant may listen, and hears nothing.
  const deaf = opening === 'open' && of.size === 0 && actor.name !== 'platform';
  return [
    ...strange.map((id) => `${text} told of ${id}, which is none of theirs`),
    ...(opening === 'open' || opening === expected ? [] : [`${text} was refused with ${opening}`]),
    ...(opening !== 'open' && of.size > 0 ? [`${text} was refused, and told all the same`] : []),
    ...(deaf ? [`${text} was opened, and never told of anything`] : []),
  ];
}

function subscriptionRows(
  world: World,
  heard: readonly Heard[],
  rules: ReadonlyMap<string, string>,
): Record<string, Row> {
  const rows: Record<string, Row> = {};
  for (const coordinate of new Set(heard.map((each) => each.coordinate))) {
    const names = (holds: (each: Heard) => boolean): string =>
      heard
        .filter((each) => each.coordinate === coordinate && each.actor !== world.rivalAdmin && holds(each))
        .map(({ actor }) => actor.name)
        .join(' ');
    const row: Row = { rule: rules.get(coordinate) ?? '', opens: names(({ opening }) => opening === 'open') };
    for (const whose of ['any', 'own', 'other'] satisfies Subject[]) {
      const readers = names(({ of }) => of.has(whose));
      if (readers !== '') row[whose] = readers;
    }
    rows[coordinate] = row;
  }
  return rows;
}

/** Runs jobs, `width` at a time. */
export async function inParallel(jobs: readonly (() => Promise<void>)[], width: number): Promise<void> {
  let next = 0;
  await Promise.all(
    Array.from({ length: width }, async () => {
      for (let job = jobs[next++]; job; job = jobs[next++]) await job();
    }),
  );
}

/** Types that only arise by what a test can't do here. All of their fields inherit: who reads the field above reads them. */
const unseen: ReadonlySet<string> = new Set([
  // With an authenticator.
  'Passkey',
  // When what was deleted is purged after its time.
  'SystemActor',
]);

/**
 * Fields that nobody was seen to read, though a query leads to them. What only an answer to a mutation holds is out of reach here:
 * nothing is to be changed. It must then have no rule of its own but be as open as the mutation.
 */
function neverSeen(reached: ReadonlySet<string>): string[] {
  const { objects, abstract } = models.gateway;
  const led = new Set<string>();
  const follow = (type: string): void => {
    if (led.has(type)) return;
    led.add(type);
    for (const possible of abstract.get(type)?.possible ?? []) follow(possible);
    for (const field of objects.get(type)?.fields.values() ?? []) follow(field.type);
  };
  follow('Query');
  return [...objects.values()].flatMap((type) =>
    [...type.fields.values()].flatMap(({ coordinate, rule }) => {
      if (reached.has(coordinate) || type.name === 'Subscription') return [];
      if (unseen.has(type.name) && rule === 'inherit') return [];
      if (led.has(type.name))
        return [`${coordinate}: nobody was seen to read it; give world.ts something to read`];
      if (type.name === 'Mutation') return [`${coordinate}: nobody was allowed it`];
      return rule === 'inherit' ? [] : [`${coordinate} is only in answers to mutations: it should inherit`];
    }),
  );
}
