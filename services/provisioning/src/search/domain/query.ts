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

/** Default and maximum page size of a list. */
export const pageLimits = { default: 100, max: 1000 } as const;

const largestIndex = 2 ** 31 - 1;

/** Paging method of a client. By default it gets cursors, with `startIndex` as long as both are possible. */
export type Method =
  | { method: 'index'; startIndex: number }
  /** `cursor` is empty for the first page. */
  | { method: 'cursor'; cursor: string; asked: boolean };

/** A list as a client requests it. */
export interface ListQuery {
  selection: Selection;
  projection: Projection;
  /** Within the limits. */
  count: number;
  /** As the client sent it: all pages of one walk have the same. */
  requested: number | undefined;
  page: Method;
}

/**
 * Parses the parameters of a list (RFC 7644 §3.4.2, RFC 9865 §2).
 * @throws ScimError invalidValue, invalidCount
 */
export const readListQuery = (parameters: Readonly<Record<string, unknown>>, caller: Caller): ListQuery =>
  countChecked(parameters.cursor, parameters.count, () => queryOf(parseSearchQuery(parameters), caller));

/**
 * Parses a SearchRequest message (RFC 7644 §3.4.3, RFC 9865 §3).
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
  // PostgreSQL accepts no text with NUL.
  if (filter !== undefined && !isText(filter)) throw ScimError.invalidFilter('The filter contains NUL.');
  if (sortBy !== undefined && !isText(sortBy)) throw ScimError.invalidPath('"sortBy" contains NUL.');
  const most = Math.min(count, caller.limits.pageSize ?? pageLimits.max, pageLimits.max);
  return {
    selection: {
      // Some clients always send the parameter, empty without a filter.
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
  // A client with count 0 requests the total; without it the response would mean 'no match'.
  if (cursor === undefined && count === 0) return { method: 'index', startIndex: 1 };
  return { method: 'cursor', cursor: cursor ?? '', asked: cursor !== undefined };
}

/** With a cursor, an invalid `count` has a keyword of its own (RFC 9865 §2.1). */
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

/** Reports whether the text is well-formed and without NUL. */
const isText = (text: string): boolean => text.isWellFormed() && !text.includes('\u0000');
