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
 * deep in costs what the first one does, and no resource is shown twice or left out because others came or went.
 * @throws BAD_USER_INPUT for a size out of range and for a cursor of another list or order; ScimError invalidFilter
 */
export async function listOf(
  resources: Resources,
  input: ListInput,
): Promise<CountedConnection<StoredResource>> {
  const paging = pagingOf(input);
  const { field, direction } = input.orderBy ?? {};
  // The cursors of one order mean nothing in another.
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
