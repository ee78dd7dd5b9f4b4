import {
  isJsonObject,
  parseSearchQuery,
  parseSearchRequest,
  ScimError,
  type SearchQuery,
} from '@ostiary/scim';
import type { Caller } from '../../access/index.ts';
import { member, normaliseFilter } from '../../compatibility/index.ts';
import { type Projection, readProjection } from '../../protocol/index.ts';
import type { Selection } from '../../resources/index.ts';

/** The page a list gives when `count` is absent, and the largest it ever gives. */
export const pageLimits = { default: 100, max: 1000 } as const;

const largestIndex = 2 ** 31 - 1;

/** How a client wants to page. Without a word it gets cursors, and `startIndex` beside them as long as it may go on either way. */
export type Method =
  | { method: 'index'; startIndex: number }
  /** `cursor` is empty for the first page. */
  | { method: 'cursor'; cursor: string; asked: boolean };

/** A list as a client asks for it. */
export interface ListQuery {
  selection: Selection;
  projection: Projection;
  /** Within the limits. */
  count: number;
  /** As the client gave it: all pages of one walk have the same. */
  requested: number | undefined;
  page: Method;
}

/**
 * Reads the parameters of a list (RFC 7644 section 3.4.2, RFC 9865 section 2).
 * @throws ScimError invalidValue, invalidCount
 */
export const readListQuery = (parameters: Readonly<Record<string, unknown>>, caller: Caller): ListQuery =>
  countChecked(parameters.cursor, parameters.count, () => queryOf(parseSearchQuery(parameters), caller));

/**
 * Reads a SearchRequest message (RFC 7644 section 3.4.3, RFC 9865 section 3).
 * @throws ScimError invalidSyntax without its schema, invalidValue or invalidCount for a parameter
 */
export const readSearchRequest = (body: unknown, caller: Caller): ListQuery =>
  isJsonObject(body)
    ? countChecked(member(body, 'cursor'), member(body, 'count'), () =>
        queryOf(parseSearchRequest(body), caller),
      )
    : queryOf(parseSearchRequest(body), caller);

function queryOf(given: SearchQuery, caller: Caller): ListQuery {
  const { filter, sortBy, sortOrder, startIndex, count = pageLimits.default, cursor } = given;
  if (cursor !== undefined && startIndex !== undefined) {
    throw ScimError.invalidValue('"cursor" and "startIndex" must not be combined.');
  }
  // Nothing that is stored has these; the directory would not even take them as text.
  if (filter !== undefined && !isText(filter)) throw ScimError.invalidFilter('The filter contains NUL.');
  if (sortBy !== undefined && !isText(sortBy)) throw ScimError.invalidPath('"sortBy" contains NUL.');
  const most = Math.min(count, caller.limits.pageSize ?? pageLimits.max, pageLimits.max);
  return {
    selection: {
      // An empty filter is what clients send that always write the parameter.
      ...(filter === undefined || filter.trim() === ''
        ? {}
        : { filter: normaliseFilter(filter, caller.quirks) }),
      ...(sortBy === undefined ? {} : { sortBy, ...(sortOrder ? { sortOrder } : {}) }),
    },
    projection: readProjection(given.attributes, given.excludedAttributes),
    count: most,
    requested: given.count,
    page: pageOf(startIndex, cursor, most),
  };
}

function pageOf(startIndex: number | undefined, cursor: string | undefined, count: number): Method {
  if (startIndex !== undefined) return { method: 'index', startIndex: Math.min(startIndex, largestIndex) };
  // A client that wants no resources wants their number: without it the answer would be read as 'no match'.
  if (cursor === undefined && count === 0) return { method: 'index', startIndex: 1 };
  return { method: 'cursor', cursor: cursor ?? '', asked: cursor !== undefined };
}

/** With a cursor, a `count` that is none has a keyword of its own (RFC 9865 section 2.1). */
function countChecked(cursor: unknown, count: unknown, read: () => ListQuery): ListQuery {
  try {
    return read();
  } catch (error) {
    const isWhole = typeof count === 'number' ? Number.isInteger(count) : /^[+-]?\d+$/.test(String(count));
    if (typeof cursor === 'string' && count !== undefined && count !== null && !isWhole) {
      throw ScimError.invalidCount('"count" must be a whole number.');
    }
    throw error;
  }
}

/** Well-formed, and without NUL. */
const isText = (text: string): boolean => text.isWellFormed() && !text.includes('\u0000');
