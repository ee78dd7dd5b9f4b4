import { badUserInput } from './errors.ts';

/** Page size when the caller names none. */
export const defaultPageSize = 20;
/** Largest page unless a field says otherwise. */
export const maxPageSize = 100;

export interface PageArguments {
  first?: number | null | undefined;
  after?: string | null | undefined;
  /** Largest page this field gives. */
  max?: number;
}

/**
 * Checks the forward paging arguments of a connection.
 * @returns `first` between 1 and `max`; `after` when given (decode it with `decodeCursor`)
 * @throws BAD_USER_INPUT when `first` is below 1 or above `max`: a smaller page than asked for would look like the end
 */
export function pageArguments(page: PageArguments): { first: number; after?: string } {
  const max = page.max ?? maxPageSize;
  const first = page.first ?? Math.min(defaultPageSize, max);
  if (!Number.isInteger(first) || first < 1 || first > max) {
    throw badUserInput(`"first" must be between 1 and ${max}.`, { argument: 'first' });
  }
  return page.after === null || page.after === undefined ? { first } : { first, after: page.after };
}

/** What a cursor may carry: the sort key of the row it points behind. */
export type CursorValue = string | number | boolean | null | readonly (string | number | boolean | null)[];

/** Longest cursor that is looked at. */
const maxCursorLength = 8192;

/** An opaque cursor (base64url). `kind` keeps cursors of one list from being used in another. */
export const encodeCursor = (kind: string, value: CursorValue): string =>
  Buffer.from(JSON.stringify([kind, value])).toString('base64url');

/**
 * Reads a cursor back. Its value comes from the client all the same: it may only go into bound parameters.
 * @param isValid narrows the value, e.g. to the number and types of sort keys
 * @throws BAD_USER_INPUT for anything `encodeCursor` didn't make for this kind
 */
export function decodeCursor<T extends CursorValue = CursorValue>(
  kind: string,
  cursor: string,
  isValid: (value: CursorValue) => value is T = (value): value is T => isCursorValue(value),
): T {
  const content = cursor.length <= maxCursorLength ? parse(cursor) : undefined;
  if (Array.isArray(content) && content.length === 2 && content[0] === kind) {
    const value: unknown = content[1];
    // Only the exact text we would have written: no second spelling of one position.
    if (isCursorValue(value) && isValid(value) && encodeCursor(kind, value) === cursor) return value;
  }
  throw badUserInput('"after" is not a cursor of this list.', { argument: 'after' });
}

function parse(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
  } catch {
    return undefined;
  }
}

const isScalar = (value: unknown): value is string | number | boolean | null =>
  value === null || ['string', 'number', 'boolean'].includes(typeof value);

const isCursorValue = (value: unknown): value is CursorValue =>
  isScalar(value) || (Array.isArray(value) && value.length <= 8 && value.every(isScalar));

export interface Connection<T> {
  edges: { cursor: string; node: T }[];
  pageInfo: {
    hasNextPage: boolean;
    hasPreviousPage: boolean;
    startCursor: string | null;
    endCursor: string | null;
  };
}

/**
 * A Relay connection from up to `first + 1` rows: the one too many tells that there is a next page.
 * @param after whether the page was asked for behind a cursor
 */
export function connection<T>(
  rows: readonly T[],
  page: { first: number; after?: string },
  cursorOf: (row: T) => string,
): Connection<T> {
  const edges = rows.slice(0, page.first).map((node) => ({ cursor: cursorOf(node), node }));
  return {
    edges,
    pageInfo: {
      hasNextPage: rows.length > page.first,
      hasPreviousPage: page.after !== undefined,
      startCursor: edges[0]?.cursor ?? null,
      endCursor: edges.at(-1)?.cursor ?? null,
    },
  };
}
