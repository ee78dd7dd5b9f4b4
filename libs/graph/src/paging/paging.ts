import { badUserInput } from '../errors/errors.ts';
import { type Connection, type CursorValue, decodeCursor, defaultPageSize, maxPageSize } from './cursor.ts';

/** Paging arguments of a connection; null equals absence. */
export interface PagingArguments {
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
}

/** Requested part of a list. */
export interface Paging {
  /** Size of the page, 1 to the field's maximum. Read one row more and pass all to `connectionOf`. */
  limit: number;
  /**
   * `forward` starts after the cursor or at the start of the list; `backward` ends before the cursor or at
   * the end.
   */
  direction: 'forward' | 'backward';
  /** Opaque: read it with `positionOf`. */
  cursor?: string;
}

/**
 * Validates the paging arguments of a connection (Relay Cursor Connections, 4.4): `first` with `after`, or
 * `last` with `before`. Default: the first 20 entries.
 * @param max maximum page size of this field
 * @throws BAD_USER_INPUT for both directions, and for a size below 1 or above `max`: a smaller page than
 * requested would look like the end of the list
 */
export function pagingOf(given: PagingArguments, max = maxPageSize): Paging {
  const backward = isGiven(given.last) || isGiven(given.before);
  const [size, cursor, other] = backward
    ? (['last', 'before', ['first', 'after']] as const)
    : (['first', 'after', []] as const);
  const contrary = other.find((name) => isGiven(given[name]));
  if (contrary !== undefined) {
    throw badUserInput('"first" and "after" cannot be combined with "last" and "before".', {
      argument: contrary,
    });
  }
  const limit = given[size] ?? Math.min(defaultPageSize, max);
  if (!Number.isInteger(limit) || limit < 1 || limit > max) {
    throw badUserInput(`"${size}" must be between 1 and ${max}.`, { argument: size });
  }
  const at = given[cursor];
  return {
    limit,
    direction: backward ? 'backward' : 'forward',
    ...(isGiven(at) && { cursor: at }),
  };
}

const isGiven = <T>(value: T | null | undefined): value is T => value !== null && value !== undefined;

/**
 * Returns the position of a page's cursor; `undefined` if it has none.
 * @param kind separates the cursors of lists, as in `encodeCursor`
 * @throws BAD_USER_INPUT for any text that `encodeCursor` did not create for this kind, with the name of the
 * argument
 */
export function positionOf<T extends CursorValue>(
  { cursor, direction }: Paging,
  kind: string,
  isValid: (value: CursorValue) => value is T,
): T | undefined {
  if (cursor === undefined) return undefined;
  return decodeCursor(kind, cursor, isValid, direction === 'forward' ? 'after' : 'before');
}

/**
 * Returns a Relay connection from up to `limit + 1` rows: the extra row shows that more follow in the
 * direction of the page. In the other direction there are more if the page has a cursor, which is that of an
 * entry there.
 * @param rows in the direction of the page, nearest to its cursor first; backward, the last of the list comes
 * first. The page itself is in the order of the list
 */
export function connectionOf<T>(
  rows: readonly T[],
  { limit, direction, cursor }: Paging,
  cursorOf: (row: T) => string,
): Connection<T> {
  const shown = rows.slice(0, limit);
  const edges = (direction === 'forward' ? shown : shown.reverse()).map((node) => ({
    cursor: cursorOf(node),
    node,
  }));
  const ahead = rows.length > limit;
  const behind = cursor !== undefined;
  return {
    edges,
    pageInfo: {
      hasNextPage: direction === 'forward' ? ahead : behind,
      hasPreviousPage: direction === 'forward' ? behind : ahead,
      startCursor: edges[0]?.cursor ?? null,
      endCursor: edges.at(-1)?.cursor ?? null,
    },
  };
}
