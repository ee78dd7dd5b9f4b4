import {
  type CountedConnection,
  type CursorValue,
  connectionOf,
  encodeCursor,
  type PagingArguments,
  pagingOf,
  positionOf,
} from '@ostiary/graph';
import { isUuid } from '@ostiary/service';
import type { Resources } from '../domain/resources.ts';
import type { StoredResource } from '../domain/stored-resource.ts';
import { scimFilter, type TypedFilter } from './filters.ts';

export interface ListInput extends PagingArguments {
  filter?: string | null;
  where?: TypedFilter | null;
  orderBy?: { field: string; direction: 'ASC' | 'DESC' } | null;
}

/** Names in SCIM of the fields of an order. */
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
 * Returns a page of users or groups, by default in the order of their creation. It continues after a key and an id,
 * so that deep pages cost no more than the first, and concurrent changes neither repeat nor omit a resource.
 * @throws BAD_USER_INPUT for a size out of range and for a cursor of another list or order; ScimError invalidFilter
 */
export async function listOf(
  resources: Resources,
  input: ListInput,
): Promise<CountedConnection<StoredResource>> {
  const paging = pagingOf(input);
  const { field, direction } = input.orderBy ?? {};
  // Cursors of another order are rejected.
  const kind = [resources.type, ...(field === undefined ? [] : [field, direction])].join(':');
  const position = positionOf<Key>(paging, kind, isKey);
  const filter = scimFilter(input.filter ?? undefined, input.where ?? undefined);
  const sortBy = field === undefined ? undefined : sortKeys[field];
  const found = await resources.page({
    filter,
    limit: paging.limit + 1,
    backward: paging.direction === 'backward',
    ...(sortBy !== undefined && { sortBy, sortOrder: direction === 'DESC' ? 'descending' : 'ascending' }),
    ...(position && { after: { id: position[1], ...(sortBy !== undefined && { key: position[0] }) } }),
  });
  const { edges, pageInfo } = connectionOf(found, paging, ({ position: { key, id } }) =>
    encodeCursor(kind, [key ?? null, id]),
  );
  return {
    edges: edges.map(({ cursor, node }) => ({ cursor, node: node.resource })),
    pageInfo,
    totalCount: () => resources.count(filter),
  };
}
