import type { Field, Model } from './model.ts';

/** A requested field. */
export interface Asked {
  /** Key in the answer. */
  key: string;
  field: Field;
  /** Set in the fragment for one of several possible types. */
  on?: string;
  /** Fields of the same name of the possible types of an interface. */
  byType?: ReadonlyMap<string, Field>;
  argument: string;
  /** Whether its type has fields. */
  composite: boolean;
  children: readonly Asked[];
}

/** plain: without aliases. disguised: each field of an object aliased, in nested fragments, with directives. */
export type Style = 'plain' | 'disguised';

/** Values of required arguments, by coordinate. */
export type Arguments = Readonly<Record<string, string>>;

/** Fields that come last, because the number of levels is limited: the types below them are selected elsewhere first. */
const deep: ReadonlySet<string> = new Set(['User.delegations']);

/**
 * Returns the selection of everything below a type. Each object type is selected once; elsewhere only its name is.
 * @param omitted paths of fields (keys joined by dots) to leave out
 */
export function everythingBelow(
  model: Model,
  type: string,
  o: {
    style: Style;
    given: Arguments;
    omitted: ReadonlySet<string>;
    path: string;
    seen: Set<string>;
    /** The only possible type to select. */
    as?: string | undefined;
    /** Coordinates of fields to leave out. */
    without?: ReadonlySet<string> | undefined;
  },
): Asked[] {
  const { style, given, omitted, path, seen } = o;
  const ask = (field: Field, key: string, on?: string): Asked[] => {
    const place = `${path}.${key}`;
    const argument = argumentsOf(field, given);
    if (omitted.has(place) || o.without?.has(field.coordinate) || argument === undefined) return [];
    const children = everythingBelow(model, field.type, { ...o, as: undefined, path: place });
    const composite = model.objects.has(field.type) || model.abstract.has(field.type);
    return [{ key, field, argument, composite, children, ...(on === undefined ? {} : { on }) }];
  };
  const object = model.objects.get(type);
  if (object) {
    if (seen.has(type)) return [];
    seen.add(type);
    const fields = [...object.fields];
    // `id` comes first, because it determines the owner of the other fields.
    const rank = ([name, { coordinate }]: [string, Field]): number =>
      name === 'id' ? 0 : deep.has(coordinate) ? 2 : 1;
    fields.sort((a, b) => rank(a) - rank(b));
    return fields.flatMap(([name, field], index) =>
      ask(field, style === 'plain' || name === 'id' ? name : `a${index}`),
    );
  }
  const abstract = model.abstract.get(type);
  if (abstract && o.as !== undefined) {
    const { as } = o;
    seen.add(as);
    return [...(model.objects.get(as)?.fields ?? [])].flatMap(([name, field]) => ask(field, name, as));
  }
  return abstract ? everythingOfEach(model, abstract, seen, ask) : [];
}

/** Returns the common fields of the possible types, each under one alias, and the fields of each type. */
function everythingOfEach(
  model: Model,
  abstract: { possible: readonly string[]; fields: readonly string[] },
  seen: Set<string>,
  ask: (field: Field, key: string, on?: string) => Asked[],
): Asked[] {
  // Marked before the recursion, so that each type is selected here.
  const possible = abstract.possible.filter((name) => !seen.has(name));
  for (const name of possible) seen.add(name);
  const through = abstract.fields.flatMap((name) => {
    const byType = new Map(
      abstract.possible.flatMap((possible) => {
        const field = model.objects.get(possible)?.fields.get(name);
        return field ? [[possible, field] as const] : [];
      }),
    );
    const first = [...byType.values()][0];
    return first ? ask(first, `i_${name}`).map((asked) => ({ ...asked, byType })) : [];
  });
  // Only fields of several types get an alias, because the number of aliases is limited.
  const isShared = (name: string): boolean =>
    possible.filter((each) => model.objects.get(each)?.fields.has(name)).length > 1;
  const within = possible.flatMap((type) =>
    [...(model.objects.get(type)?.fields ?? [])].flatMap(([name, field]) =>
      ask(field, isShared(name) ? `${type}_${name}` : name, type),
    ),
  );
  return [...through, ...within];
}

/** Returns the given arguments, with pages of two; undefined when a required one is missing. */
function argumentsOf(field: Field, given: Arguments): string | undefined {
  const written = given[field.coordinate];
  if (written !== undefined) return written === '' ? '' : `(${written})`;
  if (field.arguments.some((argument) => argument.required)) return undefined;
  return field.arguments.some((argument) => argument.name === 'first') ? '(first: 2)' : '';
}

export function print(asked: readonly Asked[], style: Style): string {
  const lines: string[] = [];
  let within: { on: string | undefined; fields: string[] } = { on: undefined, fields: [] };
  // One fragment per possible type, because the number of fragments is limited.
  const close = (): void => {
    const fields = within.fields.join(' ');
    if (fields !== '') lines.push(within.on === undefined ? fields : `... on ${within.on} { ${fields} }`);
  };
  for (const each of asked) {
    const name = each.field.coordinate.slice(each.field.coordinate.indexOf('.') + 1);
    if (each.on !== within.on) {
      close();
      within = { on: each.on, fields: [] };
    }
    within.fields.push(
      `${each.key === name ? '' : `${each.key}: `}${name}${each.argument}${
        each.composite ? ` { ${print(each.children, style)} }` : ''
      }`,
    );
  }
  close();
  const all = ['__typename', ...lines].join(' ');
  return style === 'plain' ? all : `... { ... { ${all} } }`;
}
