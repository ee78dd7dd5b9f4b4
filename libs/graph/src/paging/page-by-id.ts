import { isUuid } from '@ostiary/service';
import { type Connection, encodeCursor } from './cursor.ts';
import { connectionOf, type PagingArguments, pagingOf, positionOf } from './paging.ts';

/** Source of a list in the order of ids. */
export interface PageSource<T> {
  /** Keeps the cursors of one list from being used in another. */
  kind: string;
  /** Up to `limit` rows beyond `position` in this direction, the nearest to it first. */
  rows: (page: {
    limit: number;
    direction: 'forward' | 'backward';
    position: string | undefined;
  }) => Promise<readonly T[]>;
  /** Validates ids; default UUIDs. */
  isId?: (value: unknown) => value is string;
}

/** A connection whose total is only counted when the query selects it. */
export type CountedConnection<T> = Connection<T> & { totalCount: () => Promise<number> };

/**
 * Returns a page of a list ordered by id. Reads one row more than the page to detect further ones.
 * @throws BAD_USER_INPUT for contradictory or invalid arguments, and for a cursor of another list
 */
export async function pageById<T extends { id: string }>(
  input: PagingArguments,
  { kind, rows, isId = isUuidValue }: PageSource<T>,
): Promise<Connection<T>> {
  const paging = pagingOf(input);
  const position = positionOf(paging, kind, isId);
  const found = await rows({ limit: paging.limit + 1, direction: paging.direction, position });
  return connectionOf(found, paging, (row) => encodeCursor(kind, row.id));
}

/** Returns the page with a total count. */
export const countedPageById = async <T extends { id: string }>(
  input: PagingArguments,
  { total, ...source }: PageSource<T> & { total: () => Promise<number> },
): Promise<CountedConnection<T>> => ({ ...(await pageById(input, source)), totalCount: total });

const isUuidValue = (value: unknown): value is string => typeof value === 'string' && isUuid(value);
