import { type BoundedCount, isUuid } from '@ostiary/service';
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

/** A connection whose count stops at a maximum, and is only made when the query selects it. */
export type BoundedConnection<T> = CountedConnection<T> & { totalCountIsExact: () => Promise<boolean> };

/** Returns the page with a count that stops at a maximum. `totalCount` and `totalCountIsExact` share one count. */
export async function boundedPageById<T extends { id: string }>(
  input: PagingArguments,
  { count, ...source }: PageSource<T> & { count: () => Promise<BoundedCount> },
): Promise<BoundedConnection<T>> {
  const shared = new SharedCount(count);
  return {
    ...(await pageById(input, source)),
    totalCount: async () => (await shared.get()).total,
    totalCountIsExact: async () => (await shared.get()).isExact,
  };
}

/** Counts once, when the first field asks for it. */
class SharedCount {
  readonly #count: () => Promise<BoundedCount>;
  #counting: Promise<BoundedCount> | undefined;

  constructor(count: () => Promise<BoundedCount>) {
    this.#count = count;
  }

  get(): Promise<BoundedCount> {
    this.#counting ??= this.#count();
    return this.#counting;
  }
}

const isUuidValue = (value: unknown): value is string => typeof value === 'string' && isUuid(value);
