import type { Field, Model } from './model.ts';

/** A field as it is asked for. */
export interface Asked {
  /** Its key in the answer. */
  key: string;
  field: Field;
  /** Set within the fragment for one of several possible types. */
  on?: string;
  /** Several fields of one name in one selection, for the types an interface can be. */
  byType?: ReadonlyMap<string, Field>;
  argument: string;
  /** Its type has fields. */
  composite: boolean;
  children: readonly Asked[];
}

/** plain: as people write it. disguised: every field of an object aliased, in fragments within fragments, behind directives. */
export type Style = 'plain' | 'disguised';

/** Values for arguments that must be given, by coordinate. */
export type Arguments = Readonly<Record<string, string>>;

/**
 * Everything below a type, each object type once: wherever it is met again, only its name is asked for.
 * @param omitted paths of fields (of keys, joined by dots) not to ask for
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
    /** Of the types it can be, only this one. */
    as?: string | undefined;
    /** Coordinates of fields not to ask for. */
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
    // `id` first of all: it says whose the rest is.
    fields.sort(([a], [b]) => Number(b === 'id') - Number(a === 'id'));
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

/** What the types have together, each under one name, and what each has by itself. */
function everythingOfEach(
  model: Model,
  abstract: { possible: readonly string[]; fields: readonly string[] },
  seen: Set<string>,
  ask: (field: Field, key: string, on?: string) => Asked[],
): Asked[] {
  // Before anything further down asks for them: what each of them has is asked for here.
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
  // By another name only what several of them have: an operation may have so many aliases.
  const isShared = (name: string): boolean =>
    possible.filter((each) => model.objects.get(each)?.fields.has(name)).length > 1;
  const within = possible.flatMap((type) =>
    [...(model.objects.get(type)?.fields ?? [])].flatMap(([name, field]) =>
      ask(field, isShared(name) ? `${type}_${name}` : name, type),
    ),
  );
  return [...through, ...within];
}

/** Pages of two, and what was given; undefined when something needed wasn't. */
function argumentsOf(field: Field, given: Arguments): string | undefined {
  const written = given[field.coordinate];
  if (written !== undefined) return written === '' ? '' : `(${written})`;
  if (field.arguments.some((argument) => argument.required)) return undefined;
  return field.arguments.some((argument) => argument.name === 'first') ? '(first: 2)' : '';
}

/** The selection as text. */
export function print(asked: readonly Asked[], style: Style): string {
  const lines: string[] = [];
  let within: { on: string | undefined; fields: string[] } = { on: undefined, fields: [] };
  // What is asked of one possible type is in one fragment: an operation may have so many.
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
