import type { AccessPath } from './asking.ts';
import { accessPathsFor, given, models } from './doors.ts';
import { tryMutations } from './mutations.ts';
import { type Observation, observe, type Subject } from './observe.ts';
import { type Heard, hearEverything } from './subscriptions.ts';
import type { Actor, World } from './world.ts';

/**
 * A field with its rule and the actors that can read it; all others are rejected. For a subscription, the actors that
 * may open it, and the users of whose events each is notified.
 */
export interface Row {
  rule: string;
  /** Rights that a mutation confers, and the required authentication. */
  confers?: string;
  opens?: string;
  /** Actors that access it without a specific user. */
  any?: string;
  /** Actors that access their own. */
  own?: string;
  /** Actors that access another user's in the tenant. */
  other?: string;
}

export interface Matrix {
  rows: Record<string, Row>;
  /** Violations, in words. */
  problems: string[];
  /** Number of answers about fields. */
  cells: number;
}

/** Sends every query as every actor. @param width maximum number of concurrent requests */
export async function collect(world: World, width = 6): Promise<Matrix> {
  const collection = new Collection(world);
  await collection.ask(width);
  return collection.matrix();
}

/** Number of queries of one actor per request: large enough for few requests, small enough for the document caches. */
const concurrentAccessPaths = 16;

const inChunks = <T>(list: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(list.length / size) }, (_, index) =>
    list.slice(index * size, (index + 1) * size),
  );

/** The answers so far, requested in parts that fit into the timeout of a test hook. */
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
   * Sends every query as every actor. Equal documents follow one another, because the processes cache parsed and
   * planned documents. @param width maximum number of concurrent requests
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

  /** Groups queries with equal documents, with their actors. */
  #askedTogether(): Map<string, { actor: Actor; doors: AccessPath[] }[]> {
    const together = new Map<string, { actor: Actor; doors: AccessPath[] }[]>();
    for (const actor of this.#world.actors) {
      // A query of one actor only is separate, so that the other documents are equal.
      const all = Map.groupBy(
        accessPathsFor(this.#world, actor),
        ({ url, field, subjects }) =>
          `${url} ${actor.id !== undefined && field !== '_entities' && subjects?.[0] === actor.id}`,
      );
      for (const doors of [...all.values()].flatMap((each) => inChunks(each, concurrentAccessPaths))) {
        const name = doors.map((each) => each.name).join(', ');
        together.set(name, [...(together.get(name) ?? []), { actor, doors }]);
      }
    }
    return together;
  }

  /** Also opens the subscriptions; last, because they need changes. */
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
    // Error for platform tokens that manage tenants and belong to none.
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
    // The key of an entity inherits the access of the other requested fields.
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

/** Coordinate and owner → actor → outcome → place. */
type Outcomes = ReadonlyMap<string, ReadonlyMap<string, ReadonlyMap<string, string>>>;

/** Returns the actors that read each field, and the fields that any actor reads. */
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

/** Returns the declared rights that a mutation confers. */
function conferredIn(coordinate: string): Pick<Row, 'confers'> {
  const confers = models.gateway.objects
    .get('Mutation')
    ?.fields.get(coordinate.replace('Mutation.', ''))?.confers;
  return coordinate.startsWith('Mutation.') && confers !== undefined ? { confers } : {};
}

/** Returns the events that an actor must not receive, and subscriptions without the events that they must receive. */
function problemsOf({ actor, coordinate, opening, of, strange }: Heard): string[] {
  const text = `${actor.name}: ${coordinate}`;
  const expected = actor.token === undefined ? 'UNAUTHENTICATED' : 'FORBIDDEN';
  // An actor without a tenant may subscribe and receives nothing.
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

/** Runs jobs, at most `width` at a time. */
export async function inParallel(jobs: readonly (() => Promise<void>)[], width: number): Promise<void> {
  let next = 0;
  await Promise.all(
    Array.from({ length: width }, async () => {
      for (let job = jobs[next++]; job; job = jobs[next++]) await job();
    }),
  );
}

/**
 * Types that need a step which this test cannot perform. All of their fields inherit the access of the parent field.
 */
const unseen: ReadonlySet<string> = new Set([
  // Needs an authenticator.
  'Passkey',
  // Needs a purge after the retention time.
  'SystemActor',
]);

/**
 * Returns the fields that no actor read although a query reaches them. Types that only the payload of a mutation
 * contains cannot be read without a change, so they must have no rule of their own and inherit the one of the mutation.
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
