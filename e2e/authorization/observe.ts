import type { Field, Model } from './model.ts';
import type { Arguments } from './selection.ts';
import { type Asked, everythingBelow, print, type Style } from './selection.ts';
import type { Actor } from './world.ts';

/** What came of asking for one field once. */
export interface Observation {
  coordinate: string;
  /** Of whom it is: the asking person's own data, somebody else's, or no person's in particular. */
  of: Subject;
  /** `read`, or the code of the refusal. */
  outcome: string;
  /** Where, for people to find it again. */
  where: string;
}
export type Subject = 'own' | 'other' | 'any';

/** One way to ask for something. */
export interface Door {
  name: string;
  url: string;
  model: Model;
  /** Type the field is of: Query, or an entity's for `_entities`. */
  field: string;
  /** The field with its arguments; for `_entities` without. */
  call: string;
  style: Style;
  /** Ids of the people asked about, by place in `_entities` or the only one. */
  subjects?: readonly (string | undefined)[];
  representations?: readonly object[];
  /** The entity's type. */
  entity?: string;
  /** Of the types the field can be, the one that it is. */
  as?: string | undefined;
  /** Coordinates of fields that are not asked for behind it: those would be too much at once, and other doors ask for them. */
  without?: ReadonlySet<string> | undefined;
}

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

/** The document that asks a door for everything behind it. */
export function documentFor(
  door: Door,
  given: Arguments,
  omitted: ReadonlySet<string> = new Set(),
): { query: string; root: Asked } {
  const { model, style } = door;
  const root = door.field;
  const below = (type: string) =>
    everythingBelow(model, type, {
      style,
      given,
      omitted,
      path: root,
      seen: new Set(['Query', 'Mutation']),
      as: door.as,
      without: door.without,
    });
  if (door.entity !== undefined) {
    const children = below(door.entity);
    const field = {
      coordinate: 'Query._entities',
      type: door.entity,
      nonNull: true,
      arguments: [],
      rule: '',
    };
    return {
      query: `query ($r: [_Any!]!) { _entities(representations: $r) { __typename ... on ${door.entity} { ${print(children, style)} } } }`,
      root: { key: '_entities', field, argument: '', composite: true, children },
    };
  }
  const field = model.objects.get('Query')?.fields.get(root);
  if (!field) throw new Error(`no field ${root}`);
  const children = below(field.type);
  const composite = model.objects.has(field.type) || model.abstract.has(field.type);
  return {
    query: `query { ${door.call}${composite ? ` { ${print(children, style)} }` : ''} }`,
    root: {
      key: root,
      field: door.as === undefined ? field : asType(field, door.as),
      argument: '',
      composite,
      children,
    },
  };
}

/** A field that leads to several types may be open for one and closed for another: each has a row. */
const asType = (field: Field, type: string): Field => ({
  ...field,
  coordinate: `${field.coordinate} as ${type}`,
});

const refusals = new Set(['FORBIDDEN', 'UNAUTHENTICATED']);
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

type Path = readonly (string | number)[];

/** What a door answered one actor, gathered over as many requests as that takes. */
class Observing {
  readonly #door: Door;
  readonly #actor: Actor;
  readonly #omitted = new Set<string>();
  readonly #seen = new Map<string, Observation>();
  readonly #pending: { path: Path; coordinate: string; code: string }[] = [];

  constructor(door: Door, actor: Actor) {
    this.#door = door;
    this.#actor = actor;
  }

  async run(given: Arguments): Promise<Observation[]> {
    for (let round = 0; ; round += 1) {
      const { query, root } = documentFor(this.#door, given, this.#omitted);
      const { errors = [], data = null } = await send(this.#door.url, this.#actor, query, {
        r: this.#door.representations,
      });
      const errorAt = new Map(errors.map((error) => [(error.path ?? []).join('.'), error]));
      this.#lookAtRoot(root, data, errors, query);
      this.#walk(errorAt, root.children, data?.[root.key], [root.key], subjectOf(this.#door, this.#actor, 0));
      const again = this.#omitRefused(root, data, errors);
      if (again && round < 60) continue;
      this.#settle(data);
      return [...this.#seen.values()];
    }
  }

  #add(coordinate: string, of: Subject, outcome: string, where: string): void {
    const observation = { coordinate, of, outcome, where: `${this.#door.name} ${where}` };
    this.#seen.set(`${coordinate} ${of} ${outcome}`, observation);
  }

  #lookAtRoot(root: Asked, data: Answer['data'], errors: readonly GraphError[], query: string): void {
    const { coordinate } = root.field;
    const [first] = errors;
    const top =
      this.#door.entity === undefined
        ? errors.findLast(({ path = [] }) => path.join('.') === root.key)
        : undefined;
    if (top) this.#add(coordinate, 'any', outcomeOf(top), root.key);
    else if (this.#door.entity === undefined && data) this.#add(coordinate, 'any', 'read', root.key);
    else if (first && first.path === undefined) this.#add(coordinate, 'any', failureOf(first), query);
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

  /** Leaves out what took its neighbours with it; whether there is anything left out that wasn't before. */
  #omitRefused(root: Asked, data: Answer['data'], errors: readonly GraphError[]): boolean {
    let again = false;
    for (const error of errors) {
      const path = error.path ?? [];
      if (path.length < 2 || at(data, path.slice(0, -1)) !== null) continue;
      const keys = path.filter((step) => typeof step === 'string');
      const asked = find(root, keys.slice(1));
      if (!asked) continue;
      const code = error.extensions?.code ?? 'unknown';
      this.#pending.push({ path, coordinate: asked.field.coordinate, code });
      const place = keys.slice(1).reduce((text, key) => `${text}.${key}`, root.key);
      if (!this.#omitted.has(place)) again = true;
      this.#omitted.add(place);
    }
    return again;
  }

  /** Whose the omitted ones were is known now that what surrounds them has come. */
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
 * Asks for everything behind a door. A refused field that may not be null takes its neighbours with it: it is left out and the rest
 * asked for again, until each field has had its own answer.
 */
export const observe = (door: Door, actor: Actor, given: Arguments): Promise<Observation[]> =>
  new Observing(door, actor).run(given);

/** What stands at a path of an answer; null where it ends early. */
function at(data: unknown, path: readonly (string | number)[]): unknown {
  let value = data;
  for (const step of path) {
    if (typeof value !== 'object' || value === null) return null;
    value = (value as Record<string | number, unknown>)[step];
  }
  return value ?? null;
}

function find(root: Asked, keys: readonly (string | number)[]): Asked | undefined {
  let asked: Asked | undefined = root;
  for (const key of keys) asked = asked?.children.find((child) => child.key === key);
  return asked;
}

const subjectOf = (door: Door, actor: Actor, index: number): Subject => {
  const id = door.subjects?.[index];
  return id === undefined ? 'any' : id === actor.id ? 'own' : 'other';
};

/** Entities other than people are nobody's own, whoever leads to them. */
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
