import type { Field, Model } from './model.ts';
import { type Arguments, type Asked, everythingBelow, print, type Style } from './selection.ts';

/** A way to query the graph: one field of Query, or one entity, at one process. */
export interface AccessPath {
  name: string;
  url: string;
  model: Model;
  /** Type of the field: Query, or the entity for `_entities`. */
  field: string;
  /** The field with its arguments; `_entities` has none here. */
  call: string;
  style: Style;
  /** User ids that are queried, by index for `_entities`, otherwise one. */
  subjects?: readonly (string | undefined)[];
  representations?: readonly object[];
  /** Type of the entity. */
  entity?: string;
  /** The actual type of a field with an abstract type. */
  as?: string | undefined;
  /**
   * Coordinates of fields that are left out. They would exceed the limits of one request, and other queries cover them.
   */
  without?: ReadonlySet<string> | undefined;
}

/** Returns the field of a query with everything below it. */
export function rootOf(door: AccessPath, given: Arguments, omitted: ReadonlySet<string> = new Set()): Asked {
  const { model, style } = door;
  const key = door.field;
  const below = (type: string) =>
    everythingBelow(model, type, {
      style,
      given,
      omitted,
      path: key,
      seen: new Set(['Query', 'Mutation']),
      as: door.as,
      without: door.without,
    });
  if (door.entity !== undefined) {
    const field = {
      coordinate: 'Query._entities',
      type: door.entity,
      nonNull: true,
      arguments: [],
      rule: '',
    };
    return { key, field, argument: '', composite: true, children: below(door.entity) };
  }
  const field = model.objects.get('Query')?.fields.get(key);
  if (!field) throw new Error(`no field ${key}`);
  return {
    key,
    field: door.as === undefined ? field : asType(field, door.as),
    argument: '',
    composite: model.objects.has(field.type) || model.abstract.has(field.type),
    children: below(field.type),
  };
}

/** A field with an abstract type may be permitted for one type and forbidden for another: each type has its row. */
const asType = (field: Field, type: string): Field => ({
  ...field,
  coordinate: `${field.coordinate} as ${type}`,
});

/** Returns the text of a query without its alias. */
function textOf(
  { entity, call, style }: AccessPath,
  { composite, children }: Asked,
  variable: string,
): string {
  if (entity !== undefined)
    return `_entities(representations: $${variable}) { __typename ... on ${entity} { ${print(children, style)} } }`;
  return `${call}${composite ? ` { ${print(children, style)} }` : ''}`;
}

/** Returns the document that reads everything below one query. */
export function documentFor(
  door: AccessPath,
  given: Arguments,
  omitted: ReadonlySet<string> = new Set(),
): { query: string; root: Asked } {
  const root = rootOf(door, given, omitted);
  const variables = door.entity === undefined ? '' : ' ($r: [_Any!]!)';
  return { query: `query${variables} { ${textOf(door, root, 'r')} }`, root };
}

/** A query and its selection. */
export interface Question {
  door: AccessPath;
  root: Asked;
}

/** Several queries to one process in one request. */
export interface Request {
  query: string;
  variables: Record<string, readonly object[] | undefined>;
  /** By the alias in the answer. */
  questions: ReadonlyMap<string, Question>;
}

/** Maximum size of one request; a process accepts 30 root fields, 50 aliases and 5,000 tokens. */
const most = { roots: 24, aliases: 48, tokens: 4_500 };

interface Size {
  roots: number;
  aliases: number;
  tokens: number;
}

const aliasesIn = (asked: readonly Asked[]): number =>
  asked.reduce(
    (sum, { key, field, children }) =>
      sum + Number(!field.coordinate.endsWith(`.${key}`)) + aliasesIn(children),
    0,
  );

const sizeOf = (question: Question, text: string): Size => ({
  roots: 1,
  aliases: 1 + aliasesIn(question.root.children),
  tokens: text.match(/\w+|\.{3}|[^\s\w]/g)?.length ?? 0,
});

/** Distributes queries over as few requests as the limits of a process allow. Each query has its own alias. */
export function requestsFor(questions: readonly Question[]): Request[] {
  const requests: (Request & { questions: Map<string, Question>; texts: string[]; size: Size })[] = [];
  for (const question of questions) {
    const sized = sizeOf(question, textOf(question.door, question.root, 'r'));
    let request = requests.at(-1);
    if (!request || !fits(request.size, sized)) {
      request = {
        query: '',
        variables: {},
        questions: new Map(),
        texts: [],
        size: { roots: 0, aliases: 0, tokens: 0 },
      };
      requests.push(request);
    }
    const number = request.questions.size;
    const name = `q${number}`;
    request.questions.set(name, question);
    request.texts.push(`${name}: ${textOf(question.door, question.root, `r${number}`)}`);
    if (question.door.entity !== undefined) request.variables[`r${number}`] = question.door.representations;
    for (const key of ['roots', 'aliases', 'tokens'] as const) request.size[key] += sized[key];
  }
  return requests.map(({ variables, questions, texts }) => {
    const declared = Object.keys(variables).map((name) => `$${name}: [_Any!]!`);
    const head = declared.length === 0 ? 'query' : `query (${declared.join(', ')})`;
    return { query: `${head} { ${texts.join(' ')} }`, variables, questions };
  });
}

const fits = (size: Size, more: Size): boolean =>
  (['roots', 'aliases', 'tokens'] as const).every((key) => size[key] + more[key] <= most[key]);

/** Returns the part of a tree that leads to one place, with everything below it. @param keys below the root */
export function only(root: Asked, keys: readonly string[]): Asked {
  const [key, ...rest] = keys;
  if (key === undefined) return root;
  const children = root.children.filter((child) => child.key === key).map((child) => only(child, rest));
  return { ...root, children };
}

/** Returns the node at a place of a tree. @param keys below the root */
export function find(root: Asked, keys: readonly string[]): Asked | undefined {
  let asked: Asked | undefined = root;
  for (const key of keys) asked = asked?.children.find((child) => child.key === key);
  return asked;
}
