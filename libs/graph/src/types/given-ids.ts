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

/** Characters of ids: UUIDs, client ids, tenants, URNs. */
const possible = /^[\x21-\x7e]{1,255}$/;

/** Id used in place of impossible ones; no object has it or can get it. */
const impossible = '!';

type Reading = (value: unknown) => unknown;

/**
 * Makes a malformed id behave like an unknown one: impossible text (empty, NUL, other scripts, too long) is
 * replaced by an id that does not exist, wherever the schema takes an `ID`, so that no resolver reports it
 * differently. Fields without ids are unchanged.
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

/** Returns the reader of a type's values; undefined if the type contains no ids. */
function readingOf(type: GraphQLInputType, known: Map<string, Reading | undefined>): Reading | undefined {
  const nullable = getNullableType(type);
  if (isListType(nullable)) {
    const read = readingOf(nullable.ofType, known);
    return read && ((value) => (Array.isArray(value) ? value.map(read) : value));
  }
  if (nullable.name === 'ID') return readId;
  if (!isInputObjectType(nullable)) return undefined;
  if (!known.has(nullable.name)) {
    // A recursive input finds this entry, which is complete before it is used.
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
