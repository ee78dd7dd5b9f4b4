import { GraphQLError, GraphQLScalarType, Kind } from 'graphql';

const rfc3339 =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])[Tt]\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:[Zz]|[+-]\d{2}:\d{2})$/;

function parseDateTime(value: unknown): Date {
  if (typeof value === 'string' && rfc3339.test(value)) {
    const time = new Date(value);
    // Date rolls 31 February over to March instead of refusing it.
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
  description: 'An instant as in RFC 3339, e.g. 2026-01-31T08:00:00.000Z',
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc3339',
  serialize(value) {
    const time = value instanceof Date ? value : new Date(value as string | number);
    return time.toISOString();
  },
  parseValue: parseDateTime,
  parseLiteral: (node) => parseDateTime(node.kind === Kind.STRING ? node.value : undefined),
});

/** Scalars that are resolved for a schema that declares them and brings no resolver of its own. */
export const sharedScalars: Readonly<Record<string, GraphQLScalarType>> = { DateTime };
