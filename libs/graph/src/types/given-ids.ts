import {
  defaultFieldResolver,
  type GraphQLArgument,
  type GraphQLInputField,
  type GraphQLInputType,
  type GraphQLSchema,
  getNullableType,
  isInputObjectType,
  isListType,
  isObjectType,
} from 'graphql';

/** What ids of ours consist of: UUIDs, client ids, tenants, URNs. */
const possible = /^[\x21-\x7e]{1,255}$/;

/** The id that stands for all those that can't be one: nothing has it, and nothing can be given it. */
const impossible = '!';

type Reading = (value: unknown) => unknown;

/**
 * Lets a malformed id be answered like one that nothing has: what no id looks like (nothing at all, NUL, another script, a novel) is looked up as
 * an id that doesn't exist, wherever the schema takes an `ID`. So no resolver can come to say what is wrong with it. Fields that take no id
 * stay as they are.
 */
export function readGivenIds(schema: GraphQLSchema): void {
  const known = new Map<string, Reading | undefined>();
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type)) continue;
    for (const field of Object.values(type.getFields())) {
      const read = readingOfAll(field.args, known);
      if (!read) continue;
      const { resolve = defaultFieldResolver } = field;
      field.resolve = (parent, args, context, info) =>
        resolve(parent, read(args) as Record<string, unknown>, context, info);
    }
  }
}

/** How a value of a type is read; undefined where no id can be in it. */
function readingOf(type: GraphQLInputType, known: Map<string, Reading | undefined>): Reading | undefined {
  const nullable = getNullableType(type);
  if (isListType(nullable)) {
    const read = readingOf(nullable.ofType, known);
    return read && ((value) => (Array.isArray(value) ? value.map(read) : value));
  }
  if (nullable.name === 'ID') return readId;
  if (!isInputObjectType(nullable)) return undefined;
  if (!known.has(nullable.name)) {
    // An input within itself finds this, which will know by the time it is used.
    known.set(nullable.name, (value) => known.get(nullable.name)?.(value) ?? value);
    known.set(nullable.name, readingOfAll(Object.values(nullable.getFields()), known));
  }
  return known.get(nullable.name);
}

function readingOfAll(
  given: readonly (GraphQLArgument | GraphQLInputField)[],
  known: Map<string, Reading | undefined>,
): Reading | undefined {
  const readings = given.flatMap(({ name, type }) => {
    const read = readingOf(type, known);
    return read ? [[name, read] as const] : [];
  });
  if (readings.length === 0) return undefined;
  return (value) => {
    if (typeof value !== 'object' || value === null) return value;
    const copy = { ...value } as Record<string, unknown>;
    for (const [name, read] of readings) if (copy[name] !== undefined) copy[name] = read(copy[name]);
    return copy;
  };
}

const readId: Reading = (value) => (typeof value === 'string' && !possible.test(value) ? impossible : value);
