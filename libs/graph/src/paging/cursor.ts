import { badUserInput } from '../errors/errors.ts';

/** Page size when the caller names none. */
export const defaultPageSize = 20;
/** Default maximum page size. */
export const maxPageSize = 100;

/** Value of a cursor: the sort key of the row before the page. */
export type CursorValue = string | number | boolean | null | readonly (string | number | boolean | null)[];

/** Longest cursor that is looked at. */
const maxCursorLength = 8192;

/** An opaque cursor (base64url). `kind` keeps cursors of one list from being used in another. */
export const encodeCursor = (kind: string, value: CursorValue): string =>
  Buffer.from(JSON.stringify([kind, value])).toString('base64url');

/**
 * Decodes a cursor. The value comes from the client, so it may only be used in bound parameters.
 * @param isValid narrows the value, such as to the number and types of sort keys
 * @param argument name of the cursor's argument
 * @throws BAD_USER_INPUT for any text that `encodeCursor` did not create for this kind
 */
export function decodeCursor<T extends CursorValue = CursorValue>(
  kind: string,
  cursor: string,
  isValid: (value: CursorValue) => value is T = (value): value is T => isCursorValue(value),
  argument: 'after' | 'before' = 'after',
): T {
  const content = cursor.length <= maxCursorLength ? parse(cursor) : undefined;
  if (Array.isArray(content) && content.length === 2 && content[0] === kind) {
    const value: unknown = content[1];
    // Only the canonical text: no second spelling of a position.
    if (isCursorValue(value) && isValid(value) && encodeCursor(kind, value) === cursor) return value;
  }
  throw badUserInput(`"${argument}" is not a cursor of this list.`, { argument });
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
