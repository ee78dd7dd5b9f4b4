import { isUuid } from '@ostiary/service';
import { type Connection, encodeCursor } from './cursor.ts';
import { connectionOf, type PagingArguments, pagingOf, positionOf } from './paging.ts';

/** What a list in the order of ids is read by. */
export interface PageSource<T> {
  /** Keeps the cursors of one list from being used in another. */
  kind: string;
  /** Up to `limit` rows beyond `position` in this direction, the nearest to it first. */
  rows: (page: {
    limit: number;
    direction: 'forward' | 'backward';
    position: string | undefined;
  }) => Promise<readonly T[]>;
  /** What ids are; UUIDs unless said. */
  isId?: (value: unknown) => value is string;
}

/** A connection whose total is only counted when the query selects it. */
export type CountedConnection<T> = Connection<T> & { totalCount: () => Promise<number> };

/**
 * A page of a list that is ordered by id. It reads one row more than it shows, to know whether there is more.
 * @throws BAD_USER_INPUT for arguments that contradict each other or are out of range, and for a cursor that isn't one
 * of this list
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

/** The same page, which can say how many there are in all. */
export const countedPageById = async <T extends { id: string }>(
  input: PagingArguments,
  { total, ...source }: PageSource<T> & { total: () => Promise<number> },
): Promise<CountedConnection<T>> => ({ ...(await pageById(input, source)), totalCount: total });

const isUuidValue = (value: unknown): value is string => typeof value === 'string' && isUuid(value);
