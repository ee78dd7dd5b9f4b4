import { type CursorValue, encodeCursor } from './cursor.ts';
import type { CountedConnection } from './page-by-id.ts';
import { connectionOf, type PagingArguments, pagingOf, positionOf } from './paging.ts';

/** A list that is short enough to be read whole. */
export interface ListSource<T> {
  /** Keeps the cursors of one list from being used in another. */
  kind: string;
  list: readonly T[];
  /** Unique within the list. */
  keyOf: (entry: T) => string;
}

/**
 * Returns a page of a list that is read whole, in the order of the list.
 * @throws BAD_USER_INPUT for contradictory or invalid arguments, and for a cursor of another list
 */
export function pageOfList<T>(
  input: PagingArguments,
  { kind, list, keyOf }: ListSource<T>,
): CountedConnection<T> {
  const paging = pagingOf(input);
  const isForward = paging.direction === 'forward';
  const position = positionOf(paging, kind, isPosition);
  let rest = list;
  if (position) {
    const [key, place] = position;
    const found = list.findIndex((entry) => keyOf(entry) === key);
    // If the entry was deleted in the meantime, the page starts with the entry at its place.
    if (isForward) rest = list.slice(found < 0 ? place : found + 1);
    else rest = list.slice(0, found < 0 ? place : found);
  }
  const rows = isForward ? rest.slice(0, paging.limit + 1) : rest.slice(-(paging.limit + 1)).reverse();
  return {
    ...connectionOf(rows, paging, (row) => encodeCursor(kind, [keyOf(row), list.indexOf(row)])),
    totalCount: async () => list.length,
  };
}

const isPosition = (value: CursorValue): value is [key: string, place: number] =>
  Array.isArray(value) &&
  value.length === 2 &&
  typeof value[0] === 'string' &&
  Number.isInteger(value[1]) &&
  Number(value[1]) >= 0;
