import {
  type BoundFilter,
  bindFilter,
  bindSortBy,
  listResponse,
  parseFilter,
  type SchemaRegistry,
  ScimError,
} from '@ostiary/scim';
import { isUuid } from '@ostiary/service';
import type { Attributes, ResourceType, StoredResource } from '../data/rows.ts';
import type { Position, Search, Sort } from '../data/search.ts';
import { directSource, type SearchResources } from './commands.ts';

/** Page size of a search that doesn't ask for one, and the largest there is. */
const defaultCount = 100;
const largestCount = 1000;

/** Pages of a filtered walk may be short. So many are put together before giving up. */
const patience = 20;

/** A page of a tenant's resources in the order of their ids, which is the order of their creation. */
export interface KeysetPage {
  filter?: string | undefined;
  /** The id after which to go on. */
  after?: string | undefined;
  limit: number;
}

/** What searches of one type need to know of it. */
export interface Searched {
  type: ResourceType;
  registry: SchemaRegistry;
  search: Search;
  present(stored: readonly StoredResource[], query: SearchResources): Promise<Attributes[]>;
}

/**
 * A query (RFC 7644 section 3.4.2, RFC 9865), as a ListResponse. A page behind a position has `next` instead of
 * `startIndex`, unless it is the last one, and `totalResults` only where they are known.
 * @throws ScimError invalidFilter, invalidPath, invalidValue, tooMany
 */
export async function searchResources(searched: Searched, query: SearchResources): Promise<object> {
  const count = Math.min(largestCount, Math.max(0, query.count ?? defaultCount));
  const looked = {
    filter: bound(searched, query.filter),
    sort: sortOf(searched, query),
    source: query.source ?? directSource,
    limit: count,
  };
  const { search, type } = searched;
  if (query.paging === 'cursor') {
    const after = positionOf(query, looked.sort);
    if (count === 0) return counted(await search.count(type, looked));
    const page = (await search.walk(type, { ...looked, after })) ?? tooMany('sorted');
    const { startIndex: _, ...list } = listResponse({
      ...(page.total !== undefined && { totalResults: page.total }),
      resources: await searched.present(page.rows, query),
    });
    return { ...list, ...(page.next && { next: page.next }) };
  }
  const startIndex = Math.max(1, query.startIndex ?? 1);
  const page = (await search.page(type, { ...looked, offset: startIndex - 1 })) ?? tooMany('counted');
  return listResponse({
    totalResults: page.total,
    startIndex,
    resources: await searched.present(page.rows, query),
  });
}

/** @throws ScimError invalidFilter, tooMany when it would take too long to find the next ones */
export async function keysetPage(searched: Searched, page: KeysetPage): Promise<StoredResource[]> {
  const filter = bound(searched, page.filter);
  const rows: StoredResource[] = [];
  let after: Position | undefined = page.after === undefined ? undefined : { id: page.after };
  for (let round = 0; round < patience; round += 1) {
    const found = await searched.search.walk(searched.type, {
      filter,
      sort: undefined,
      source: directSource,
      after,
      limit: page.limit - rows.length,
    });
    rows.push(...(found?.rows ?? []));
    after = found?.next;
    if (!after || rows.length >= page.limit) return rows;
  }
  return tooMany('counted');
}

/** How many match. @throws ScimError invalidFilter, tooMany */
export async function countMatches(searched: Searched, filter?: string): Promise<number> {
  const query = { filter: bound(searched, filter), source: directSource };
  return (await searched.search.count(searched.type, query)) ?? tooMany('counted');
}

function bound({ registry, type }: Searched, filter: string | undefined): BoundFilter | undefined {
  return filter === undefined ? undefined : bindFilter(parseFilter(filter), registry, type);
}

function sortOf({ registry, type }: Searched, { sortBy, sortOrder }: SearchResources): Sort | undefined {
  if (sortBy === undefined) return undefined;
  return { by: bindSortBy(sortBy, registry, type), descending: sortOrder === 'descending' };
}

/** The key is one that a page gave, or a client has tampered with: what isn't of its type would be an SQL error. */
function positionOf({ after }: SearchResources, sort: Sort | undefined): Position | undefined {
  if (after === undefined) return undefined;
  const { id, key } = after;
  if (!isUuid(id) || (key !== undefined && key !== null && !sort) || (sort && !fits(key, sort))) {
    throw ScimError.invalidValue('"after" is no position in this order.');
  }
  return { id, ...(sort && { key: key === undefined || key === null ? null : String(key) }) };
}

function fits(key: string | number | boolean | null | undefined, { by: { definition } }: Sort): boolean {
  if (key === null || key === undefined) return true;
  const text = String(key);
  switch (definition.type) {
    case 'boolean':
      return text === 'true' || text === 'false';
    case 'integer':
    case 'decimal':
      return text.length < 400 && text !== '' && Number.isFinite(Number(text));
    case 'dateTime':
      return (
        /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d{1,6})?(Z|[+-]\d\d(:?\d\d)?)?$/.test(text) &&
        !Number.isNaN(Date.parse(text.replace(' ', 'T').replace(/([+-]\d\d)$/, '$1:00')))
      );
    default:
      if (definition.name === 'id') return isUuid(text);
      return text.isWellFormed() && !text.includes('\u0000');
  }
}

const counted = (total: number | undefined): object => {
  const { startIndex: _, ...list } = listResponse({
    ...(total !== undefined && { totalResults: total }),
    resources: [],
  });
  return list;
};

/** RFC 7644 section 3.12 has a word for it; RFC 9865 the way out. */
function tooMany(what: 'counted' | 'sorted'): never {
  throw ScimError.tooMany(
    what === 'counted'
      ? 'Too many resources match to count them. Narrow the filter, or page with cursors (RFC 9865): send "cursor", empty for the first page.'
      : 'Too many resources match to sort them by this attribute. Narrow the filter, or sort by userName, displayName, name.familyName, name.givenName, meta.created or meta.lastModified.',
  );
}
