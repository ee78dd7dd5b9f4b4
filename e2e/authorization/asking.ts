import type { Field, Model } from './model.ts';
import { type Arguments, type Asked, everythingBelow, print, type Style } from './selection.ts';

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

/** Everything behind a door, as it is asked for. */
export function rootOf(door: Door, given: Arguments, omitted: ReadonlySet<string> = new Set()): Asked {
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

/** A field that leads to several types may be open for one and closed for another: each has a row. */
const asType = (field: Field, type: string): Field => ({
  ...field,
  coordinate: `${field.coordinate} as ${type}`,
});

/** What is written between the braces of the query, but for the name that the answer has. */
function textOf({ entity, call, style }: Door, { composite, children }: Asked, variable: string): string {
  if (entity !== undefined)
    return `_entities(representations: $${variable}) { __typename ... on ${entity} { ${print(children, style)} } }`;
  return `${call}${composite ? ` { ${print(children, style)} }` : ''}`;
}

/** The document that asks a door for everything behind it. */
export function documentFor(
  door: Door,
  given: Arguments,
  omitted: ReadonlySet<string> = new Set(),
): { query: string; root: Asked } {
  const root = rootOf(door, given, omitted);
  const variables = door.entity === undefined ? '' : ' ($r: [_Any!]!)';
  return { query: `query${variables} { ${textOf(door, root, 'r')} }`, root };
}

/** A door, and what of it is asked for. */
export interface Question {
  door: Door;
  root: Asked;
}

/** Several questions to one process, asked at once. */
export interface Request {
  query: string;
  variables: Record<string, readonly object[] | undefined>;
  /** By the name that the answer has. */
  questions: ReadonlyMap<string, Question>;
}

/** The most that goes into one request; a process takes 30 root fields, 50 aliases and 5 000 tokens. */
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

/** As few requests as the limits of a process allow; each question has its own name in the answer. */
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

/** Of a tree, only the way to one place, and everything behind that. @param keys below the root */
export function only(root: Asked, keys: readonly string[]): Asked {
  const [key, ...rest] = keys;
  if (key === undefined) return root;
  const children = root.children.filter((child) => child.key === key).map((child) => only(child, rest));
  return { ...root, children };
}

/** What stands at a place of a tree. @param keys below the root */
export function find(root: Asked, keys: readonly string[]): Asked | undefined {
  let asked: Asked | undefined = root;
  for (const key of keys) asked = asked?.children.find((child) => child.key === key);
  return asked;
}
