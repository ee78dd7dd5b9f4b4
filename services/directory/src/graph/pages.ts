import { type Connection, connection, decodeCursor, encodeCursor, pageArguments } from '@ostiary/graph';
import { isUuid } from '@ostiary/service';

export interface PageInput {
  first?: number | null;
  after?: string | null;
}

/** A connection whose total is only counted when the query selects it. */
export type CountedConnection<T> = Connection<T> & { totalCount: () => Promise<number> };

/** What a list in the order of ids is read by. */
export interface PageSource<T> {
  /** Keeps the cursors of one list from being used in another. */
  kind: string;
  /** Up to `limit` rows after the row with that id. */
  rows: (page: { after?: string; limit: number }) => Promise<readonly T[]>;
  total: () => Promise<number>;
}

/**
 * A page of a list that is ordered by id. It reads one row more than it shows, to know whether there is more.
 * @throws BAD_USER_INPUT for a size out of range and for a cursor that isn't one of this list
 */
export async function pageById<T extends { id: string }>(
  input: PageInput,
  source: PageSource<T>,
): Promise<CountedConnection<T>> {
  const page = pageArguments(input);
  const after =
    page.after === undefined ? undefined : decodeCursor<string>(source.kind, page.after, isUuidValue);
  const rows = await source.rows({ limit: page.first + 1, ...(after !== undefined && { after }) });
  return { ...connection(rows, page, (row) => encodeCursor(source.kind, row.id)), totalCount: source.total };
}

const isUuidValue = (value: unknown): value is string => typeof value === 'string' && isUuid(value);
