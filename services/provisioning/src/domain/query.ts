import { parseSearchQuery, parseSearchRequest, type SearchQuery } from '@ostiary/scim';
import type { Caller } from './caller.ts';
import { normaliseFilter } from './compatibility/normalise.ts';
import type { Query } from './ports.ts';
import { readProjection } from './projection.ts';

/** The page a list gives when `count` is absent, and the largest it ever gives. */
export const pageLimits = { default: 100, max: 1000 } as const;

const largestIndex = 2 ** 31 - 1;

/**
 * Reads the parameters of a list (RFC 7644 section 3.4.2).
 * @throws ScimError invalidValue
 */
export const readListQuery = (parameters: Readonly<Record<string, unknown>>, caller: Caller): Query =>
  queryOf(parseSearchQuery(parameters), caller);

/**
 * Reads a SearchRequest message (RFC 7644 section 3.4.3).
 * @throws ScimError invalidSyntax without its schema, invalidValue for a parameter
 */
export const readSearchRequest = (body: unknown, caller: Caller): Query =>
  queryOf(parseSearchRequest(body), caller);

function queryOf(given: SearchQuery, caller: Caller): Query {
  const { filter, sortBy, sortOrder, startIndex = 1, count = pageLimits.default } = given;
  return {
    startIndex: Math.min(startIndex, largestIndex),
    count: Math.min(count, caller.pageSize ?? pageLimits.max, pageLimits.max),
    ...readProjection(given.attributes, given.excludedAttributes),
    // An empty filter is what clients send that always write the parameter.
    ...(filter === undefined || filter.trim() === ''
      ? {}
      : { filter: normaliseFilter(filter, caller.quirks) }),
    ...(sortBy === undefined ? {} : { sortBy, ...(sortOrder ? { sortOrder } : {}) }),
  };
}
