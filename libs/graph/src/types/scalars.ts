import { GraphQLError, GraphQLScalarType, Kind, type ValueNode } from 'graphql';

const rfc3339 =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])[Tt]\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:[Zz]|[+-]\d{2}:\d{2})$/;

function parseDateTime(value: unknown): Date {
  if (typeof value === 'string' && rfc3339.test(value)) {
    const time = new Date(value);
    // Date converts 31 February to March instead of rejecting it.
    const lastDay = new Date(Date.UTC(Number(value.slice(0, 4)), Number(value.slice(5, 7)), 0)).getUTCDate();
    if (!Number.isNaN(time.getTime()) && Number(value.slice(8, 10)) <= lastDay) return time;
  }
  throw new GraphQLError(
    'DateTime must be a date and time with offset (RFC 3339), e.g. 2026-01-31T08:00:00Z.',
  );
}

/** An instant: RFC 3339 with offset on the way in (a Date for resolvers), UTC with milliseconds on the way out. */
export const DateTime = new GraphQLScalarType<Date, string>({
  name: 'DateTime',
  description: 'Time in RFC 3339 format, for example 2026-01-31T08:00:00.000Z.',
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc3339',
  serialize(value) {
    const time = value instanceof Date ? value : new Date(value as string | number);
    return time.toISOString();
  },
  parseValue: parseDateTime,
  parseLiteral: (node) => parseDateTime(node.kind === Kind.STRING ? node.value : undefined),
});

/** Nested lists and objects. */
const deepest = 16;

/** Names through which code that assigns by name would reach a prototype. */
const unsafe: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

const notJson = (): GraphQLError => new GraphQLError('JSON must be a JSON value.');

function parseJson(value: unknown, depth = 0): unknown {
  if (depth > deepest) throw new GraphQLError(`JSON must not be nested deeper than ${deepest} levels.`);
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return value;
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  if (Array.isArray(value)) return value.map((item) => parseJson(item, depth + 1));
  if (typeof value !== 'object') throw notJson();
  const members = Object.entries(value).filter(([name]) => !unsafe.has(name));
  return Object.fromEntries(members.map(([name, member]) => [name, parseJson(member, depth + 1)]));
}

function parseJsonLiteral(
  node: ValueNode,
  variables: Record<string, unknown> | null | undefined,
  depth = 0,
): unknown {
  if (depth > deepest) throw new GraphQLError(`JSON must not be nested deeper than ${deepest} levels.`);
  switch (node.kind) {
    case Kind.STRING:
    case Kind.BOOLEAN:
      return node.value;
    case Kind.INT:
    case Kind.FLOAT:
      return parseJson(Number(node.value));
    case Kind.NULL:
      return null;
    case Kind.VARIABLE:
      return parseJson(variables?.[node.name.value] ?? null, depth);
    case Kind.LIST:
      return node.values.map((item) => parseJsonLiteral(item, variables, depth + 1));
    case Kind.OBJECT: {
      const members = node.fields.filter(({ name }) => !unsafe.has(name.value));
      return Object.fromEntries(
        members.map(({ name, value }) => [name.value, parseJsonLiteral(value, variables, depth + 1)]),
      );
    }
    default:
      throw notJson();
  }
}

/** Any JSON value, at most 16 levels deep; members whose names reach prototypes are left out. */
export const Json = new GraphQLScalarType<unknown, unknown>({
  name: 'JSON',
  description: 'Any JSON value: a string, a number, true, false, null, an array or an object.',
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc8259',
  serialize: (value) => value,
  parseValue: (value) => parseJson(value),
  parseLiteral: (node, variables) => parseJsonLiteral(node, variables),
});

/** Scalars that are resolved for a schema that declares them and brings no resolver of its own. */
export const sharedScalars: Readonly<Record<string, GraphQLScalarType>> = { DateTime, JSON: Json };
