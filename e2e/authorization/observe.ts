import { type AccessPath, find, only, type Question, requestsFor, rootOf } from './asking.ts';
import type { Arguments, Asked } from './selection.ts';
import type { Actor } from './world.ts';

/** Outcome of one request for one field. */
export interface Observation {
  coordinate: string;
  /** Owner: the caller, another user, or no specific user. */
  of: Subject;
  /** `read`, or the error code. */
  outcome: string;
  /** Query and path, for the report. */
  where: string;
}
export type Subject = 'own' | 'other' | 'any';

interface GraphError {
  message: string;
  path?: readonly (string | number)[];
  extensions?: { code?: string };
}
export interface Answer {
  status: number;
  data?: Record<string, unknown> | null;
  errors?: readonly GraphError[];
}

export async function send(
  url: string,
  actor: Actor,
  query: string,
  variables: object = {},
): Promise<Answer> {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(actor.token === undefined ? {} : { authorization: `Bearer ${actor.token}` }),
    },
    body: JSON.stringify({ query, variables }),
  });
  return { status: response.status, ...((await response.json()) as object) };
}

const refusals = new Set(['FORBIDDEN', 'UNAUTHENTICATED']);
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

type Path = readonly (string | number)[];

/** Maximum number of requests per query. */
const maxRounds = 60;

/** Collects the answers of one actor to one query over several requests. */
class Observing {
  readonly #door: AccessPath;
  readonly #actor: Actor;
  readonly #omitted = new Set<string>();
  readonly #seen = new Map<string, Observation>();
  readonly #pending: { path: Path; coordinate: string; code: string }[] = [];
  #round = 0;
  /** Paths left out since the last round. */
  #left: readonly (readonly string[])[] = [];

  constructor(door: AccessPath, actor: Actor) {
    this.#door = door;
    this.#actor = actor;
  }

  question(given: Arguments): Question {
    return { door: this.#door, root: rootOf(this.#door, given, this.#omitted) };
  }

  /** Processes an answer. @returns whether to send the query again without the fields that were rejected */
  take({ root }: Question, { errors = [], data = null }: Answer, given: Arguments): boolean {
    this.#round += 1;
    const errorAt = new Map(errors.map((error) => [(error.path ?? []).join('.'), error]));
    this.#lookAtRoot(root, data, errors);
    this.#walk(errorAt, root.children, data?.[root.key], [root.key], subjectOf(this.#door, this.#actor, 0));
    this.#left = this.#omitRefused(root, data, errors);
    if (this.#round < maxRounds) {
      if (this.#left.length > 0) return true;
      if (this.#round > 1 && this.#omitWhatHides(root, errors, given)) return true;
    }
    this.#settle(data);
    return false;
  }

  /**
   * Returns a separate query for each non-null sibling of a rejected field. Such a field makes its parent null, so one
   * answer reports only one of several rejected siblings.
   */
  apart({ root }: Question): Question[] {
    const parents = new Map(this.#left.map((keys) => [keys.slice(0, -1).join('.'), keys.slice(0, -1)]));
    return [...parents.values()].flatMap((parent) =>
      (find(root, parent)?.children ?? []).flatMap(({ key, field }) =>
        field.nonNull && !this.#omitted.has([root.key, ...parent, key].join('.'))
          ? [{ door: this.#door, root: only(root, [...parent, key]) }]
          : [],
      ),
    );
  }

  takeApart({ root }: Question, { errors = [], data }: Answer): void {
    this.#omitRefused(root, data, errors);
  }

  get observations(): Observation[] {
    return [...this.#seen.values()];
  }

  #add(coordinate: string, of: Subject, outcome: string, where: string): void {
    const observation = { coordinate, of, outcome, where: `${this.#door.name} ${where}` };
    this.#seen.set(`${coordinate} ${of} ${outcome}`, observation);
  }

  #lookAtRoot(root: Asked, data: Answer['data'], errors: readonly GraphError[]): void {
    const { coordinate } = root.field;
    const [first] = errors;
    const top =
      this.#door.entity === undefined
        ? errors.findLast(({ path = [] }) => path.join('.') === root.key)
        : undefined;
    if (top) this.#add(coordinate, 'any', outcomeOf(top), root.key);
    else if (this.#door.entity === undefined && data) this.#add(coordinate, 'any', 'read', root.key);
    else if (first && first.path === undefined) this.#add(coordinate, 'any', failureOf(first), root.key);
  }

  #walk(
    errorAt: ReadonlyMap<string, GraphError>,
    asked: readonly Asked[],
    value: unknown,
    path: Path,
    of: Subject,
  ): void {
    if (Array.isArray(value)) {
      value.forEach((item, index) => {
        const isEntity = this.#door.entity !== undefined && path.length === 1;
        const subject = isEntity ? subjectOf(this.#door, this.#actor, index) : of;
        this.#walk(errorAt, asked, item, [...path, index], subject);
      });
      return;
    }
    if (!isObject(value)) return;
    const type = String(value.__typename);
    const whose = subjectHere(type, value, this.#actor, of);
    for (const each of asked) {
      if (each.on !== undefined && each.on !== type) continue;
      const coordinate = each.byType?.get(type)?.coordinate ?? each.field.coordinate;
      const place = [...path, each.key];
      const error = errorAt.get(place.join('.'));
      if (error) this.#add(coordinate, whose, outcomeOf(error), place.join('.'));
      else if (each.key in value) this.#add(coordinate, whose, 'read', place.join('.'));
      this.#walk(errorAt, each.children, value[each.key], place, whose);
    }
  }

  /**
   * Leaves out fields whose rejection made their parent null. @returns the paths, below the root, that were not left
   * out before
   */
  #omitRefused(root: Asked, data: Answer['data'], errors: readonly GraphError[]): string[][] {
    const places: string[][] = [];
    for (const error of errors) {
      const path = error.path ?? [];
      if (path.length < 2 || at(data, path.slice(0, -1)) !== null) continue;
      const keys = path.filter((step) => typeof step === 'string').slice(1);
      const asked = find(root, keys);
      if (!asked) continue;
      const code = error.extensions?.code ?? 'unknown';
      this.#pending.push({ path, coordinate: asked.field.coordinate, code });
      const place = [root.key, ...keys].join('.');
      if (!this.#omitted.has(place)) places.push(keys);
      this.#omitted.add(place);
    }
    return places;
  }

  /**
   * Leaves out rejected fields that hide types. Each type is requested at one place, which may be below a rejected
   * field; without that field, another place requests the type. @returns whether to send the query again
   */
  #omitWhatHides(root: Asked, errors: readonly GraphError[], given: Arguments): boolean {
    const observed = new Set([...this.#seen.values()].map(({ coordinate }) => coordinate));
    const hidden = new Set<string>();
    const places = errors.flatMap(({ path = [] }) => {
      const keys = path.filter((step) => typeof step === 'string').slice(1);
      const refused = keys.length === 0 ? undefined : find(root, keys);
      for (const coordinate of coordinatesIn(refused?.children ?? []))
        if (!observed.has(coordinate)) hidden.add(coordinate);
      return refused?.composite ? [[root.key, ...keys].join('.')] : [];
    });
    if (hidden.size === 0) return false;
    const omitted = new Set([...this.#omitted, ...places]);
    const elsewhere = coordinatesIn(rootOf(this.#door, given, omitted).children);
    if (!elsewhere.some((coordinate) => hidden.has(coordinate))) return false;
    for (const place of places) this.#omitted.add(place);
    return true;
  }

  /** Determines the owners of left-out fields from the values around them. */
  #settle(data: Answer['data']): void {
    for (const { path, coordinate, code } of this.#pending) {
      const index = typeof path[1] === 'number' && this.#door.entity !== undefined ? path[1] : 0;
      let of = subjectOf(this.#door, this.#actor, index);
      for (let length = 1; length < path.length; length += 1) {
        const value = at(data, path.slice(0, length));
        if (isObject(value)) of = subjectHere(String(value.__typename), value, this.#actor, of);
      }
      const outcome = refusals.has(code) ? code : `failed: ${code}`;
      this.#add(coordinate, of, outcome, path.join('.'));
    }
  }
}

const failureOf = ({ message, extensions }: GraphError): string => `failed: ${extensions?.code} ${message}`;

const outcomeOf = (error: GraphError): string => {
  const code = error.extensions?.code;
  return code !== undefined && refusals.has(code) ? code : failureOf(error);
};

/**
 * Reports whether an answer concerns all queries of a request: a null reached the root, or the request was rejected.
 */
const concernsAll = ({ data, errors = [] }: Answer): boolean =>
  !data || errors.some(({ path }) => path === undefined);

/** Returns the answer to one of several queries in the form of a separate request. */
const answerAt = ({ status, data, errors = [] }: Answer, name: string, key: string): Answer => ({
  status,
  data: data ? { [key]: data[name] } : null,
  errors: errors.flatMap((error) => {
    if (error.path === undefined) return [error];
    const [first, ...rest] = error.path;
    return first === name ? [{ ...error, path: [key, ...rest] }] : [];
  }),
});

/** Sends queries in as few requests as possible. */
async function answersTo(actor: Actor, questions: readonly Question[]): Promise<Map<Question, Answer>> {
  const answers = new Map<Question, Answer>();
  for (const request of requestsFor(questions)) {
    const [first] = request.questions.values();
    const answer = await send(first?.door.url ?? '', actor, request.query, request.variables);
    // Separate requests fail independently.
    if (request.questions.size > 1 && concernsAll(answer)) {
      for (const question of request.questions.values())
        for (const [of, alone] of await answersTo(actor, [question])) answers.set(of, alone);
    } else {
      for (const [name, question] of request.questions)
        answers.set(question, answerAt(answer, name, question.root.key));
    }
  }
  return answers;
}

/**
 * Requests everything below the queries of one process. A rejected non-null field makes its parent null: it is left out
 * and the rest requested again, until each field has its own answer.
 */
export async function observe(
  doors: readonly AccessPath[],
  actor: Actor,
  given: Arguments,
): Promise<Observation[]> {
  const all = doors.map((door) => new Observing(door, actor));
  for (let open = all; open.length > 0; ) {
    const asked = new Map(open.map((each) => [each.question(given), each]));
    const again = new Map<Question, Observing>();
    for (const [question, answer] of await answersTo(actor, [...asked.keys()])) {
      const observing = asked.get(question);
      if (observing?.take(question, answer, given)) again.set(question, observing);
    }
    const apart = new Map(
      [...again].flatMap(([question, each]) => each.apart(question).map((one) => [one, each] as const)),
    );
    for (const [question, answer] of await answersTo(actor, [...apart.keys()]))
      apart.get(question)?.takeApart(question, answer);
    open = [...again.values()];
  }
  return all.flatMap(({ observations }) => observations);
}

/** Returns the value at a path of an answer; null where the path ends early. */
function at(data: unknown, path: readonly (string | number)[]): unknown {
  let value = data;
  for (const step of path) {
    if (typeof value !== 'object' || value === null) return null;
    value = (value as Record<string | number, unknown>)[step];
  }
  return value ?? null;
}

const coordinatesIn = (asked: readonly Asked[]): string[] =>
  asked.flatMap(({ field, children }) => [field.coordinate, ...coordinatesIn(children)]);

const subjectOf = (door: AccessPath, actor: Actor, index: number): Subject => {
  const id = door.subjects?.[index];
  return id === undefined ? 'any' : id === actor.id ? 'own' : 'other';
};

/** Entities other than users have no owner. */
function subjectHere(
  type: string,
  value: Record<string, unknown>,
  actor: Actor,
  inherited: Subject,
): Subject {
  if (type === 'User')
    return typeof value.id === 'string' ? (value.id === actor.id ? 'own' : 'other') : inherited;
  return type === 'Group' || type === 'Client' || type === 'Tenant' ? 'any' : inherited;
}
