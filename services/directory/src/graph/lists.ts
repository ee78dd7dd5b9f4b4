import { type CursorValue, decodeCursor, encodeCursor, pageArguments } from '@ostiary/graph';
import { isUuid } from '@ostiary/service';
import type { StoredResource } from '../data/rows.ts';
import type { Resources } from '../domain/resources.ts';
import { scimFilter, type TypedFilter } from './filters.ts';
import type { CountedConnection, PageInput } from './pages.ts';

export interface ListInput extends PageInput {
  filter?: string | null;
  where?: TypedFilter | null;
  orderBy?: { field: string; direction: 'ASC' | 'DESC' } | null;
}

/** What the fields of an order are in SCIM. */
const sortKeys: Readonly<Record<string, string>> = {
  CREATED_AT: 'meta.created',
  UPDATED_AT: 'meta.lastModified',
  USER_NAME: 'userName',
  DISPLAY_NAME: 'displayName',
  FAMILY_NAME: 'name.familyName',
  GIVEN_NAME: 'name.givenName',
};

type Key = readonly [string | null, string];

const isKey = (value: CursorValue): value is Key =>
  Array.isArray(value) &&
  value.length === 2 &&
  (value[0] === null || typeof value[0] === 'string') &&
  typeof value[1] === 'string' &&
  isUuid(value[1]);

/**
 * A page of users or groups, in the order of their creation unless said: it goes on behind a key and an id, so that a page
 * deep in costs what the first one does, and nobody is shown twice or left out because of who came or went.
 * @throws BAD_USER_INPUT for a size out of range and for a cursor of another list or order; ScimError invalidFilter
 */
export async function listOf(
  resources: Resources,
  input: ListInput,
): Promise<CountedConnection<StoredResource>> {
  const page = pageArguments(input);
  const { field, direction } = input.orderBy ?? {};
  // The cursors of one order mean nothing in another.
  const kind = [resources.type, ...(field === undefined ? [] : [field, direction])].join(':');
  const after = page.after === undefined ? undefined : decodeCursor<Key>(kind, page.after, isKey);
  const filter = scimFilter(input.filter ?? undefined, input.where ?? undefined);
  const sortBy = field === undefined ? undefined : sortKeys[field];
  const found = await resources.page({
    filter,
    limit: page.first + 1,
    ...(sortBy !== undefined && { sortBy, sortOrder: direction === 'DESC' ? 'descending' : 'ascending' }),
    ...(after && { after: { id: after[1], ...(sortBy !== undefined && { key: after[0] }) } }),
  });
  const edges = found.slice(0, page.first).map(({ resource, position }) => ({
    cursor: encodeCursor(kind, [position.key ?? null, position.id]),
    node: resource,
  }));
  return {
    edges,
    pageInfo: {
      hasNextPage: found.length > page.first,
      hasPreviousPage: page.after !== undefined,
      startCursor: edges[0]?.cursor ?? null,
      endCursor: edges.at(-1)?.cursor ?? null,
    },
    totalCount: () => resources.count(filter),
  };
}
