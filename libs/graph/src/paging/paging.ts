import { badUserInput } from '../errors/errors.ts';
import { type Connection, type CursorValue, decodeCursor, defaultPageSize, maxPageSize } from './cursor.ts';

/** The paging arguments of a connection as GraphQL gives them: null says the same as nothing. */
export interface PagingArguments {
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
}

/** Which part of a list is asked for. */
export interface Paging {
  /** Entries of the page, 1 to the field's maximum. Ask for one row more, and give them all to `connectionOf`. */
  limit: number;
  /** `forward` goes on behind the cursor, or begins at the start; `backward` goes back from it, or from the end. */
  direction: 'forward' | 'backward';
  /** Opaque: read it with `positionOf`. */
  cursor?: string;
}

/**
 * Checks the paging arguments of a connection (Relay Cursor Connections, 4.4): `first` goes with `after`, `last` with `before`,
 * and one page goes one way. Without a size it has 20 entries, and without anything it is the first one.
 * @param max largest page of this field
 * @throws BAD_USER_INPUT when both directions are asked for, and when the size is below 1 or above `max`: a smaller page than
 * asked for would look like the end
 */
export function pagingOf(given: PagingArguments, max = maxPageSize): Paging {
  const backward = isGiven(given.last) || isGiven(given.before);
  const [size, cursor, other] = backward
    ? (['last', 'before', ['first', 'after']] as const)
    : (['first', 'after', []] as const);
  const contrary = other.find((name) => isGiven(given[name]));
  if (contrary !== undefined) {
    throw badUserInput(
      '"first" and "after" page forward, "last" and "before" backward: a page goes one way only.',
      { argument: contrary },
    );
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
 * The position that the cursor of a page stands for; `undefined` when the page has none.
 * @param kind keeps the cursors of one list from being used in another, as in `encodeCursor`
 * @throws BAD_USER_INPUT for anything `encodeCursor` didn't make for this kind, naming the argument it came in
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
 * A Relay connection from up to `limit + 1` rows: the one too many tells that there is more in the direction of the page. In
 * the other one there is when the page has a cursor, for that is of an entry there.
 * @param rows in the direction of the page, those nearest to its cursor first: backward, the last of the list comes first. The
 * page itself is always in the order of the list
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
