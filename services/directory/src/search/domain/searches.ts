import {
  type BoundFilter,
  bindFilter,
  bindSortBy,
  listResponse,
  parseFilter,
  ScimError,
} from '@ostiary/scim';
import { isUuid } from '@ostiary/service';
import {
  type Attributes,
  directSource,
  type KeysetPage,
  type Placed,
  type Position,
  type ResourceSearch,
  type Searched,
  type SearchResources,
  type StoredResource,
  TooMuchToShow,
} from '../../resources/index.ts';
import type { CursorPage, CursorQuery, SearchIndex, Sort } from './search-index.ts';

/** Default and maximum page size of a search. */
const defaultCount = 100;
const largestCount = 1000;

/** Maximum number of members of groups, or groups of users, on a page of several resources. */
const maxRelated = 50_000;

/** Maximum number of short pages of a filtered walk that are joined into one. */
const patience = 20;

/** Searches in one tenant: queries are parsed and limited here, and executed by its index. */
export class Searches implements ResourceSearch {
  readonly #index: SearchIndex;

  constructor(index: SearchIndex) {
    this.#index = index;
  }

  /**
   * Executes a query (RFC 7644 §3.4.2, RFC 9865). @returns a ListResponse. A page by position has `next` and
   * `previous` instead of `startIndex`, where there may be more, and `totalResults` only where it is known.
   * @throws ScimError invalidFilter, invalidPath, invalidValue, tooMany
   */
  async search(searched: Searched, query: SearchResources): Promise<object> {
    const looked = {
      filter: bound(searched, query.filter),
      sort: sortOf(searched, query),
      source: query.source ?? directSource,
      limit: Math.min(largestCount, Math.max(0, query.count ?? defaultCount)),
    };
    if (query.paging === 'cursor') return this.#behindPosition(searched, query, looked);
    const startIndex = Math.max(1, query.startIndex ?? 1);
    const page =
      (await this.#index.page(searched.type, { ...looked, offset: startIndex - 1 })) ?? tooMany('counted');
    const { resources } = await fitting(searched, query, page, async (limit) => {
      return { ...page, rows: page.rows.slice(0, limit) };
    });
    return listResponse({ totalResults: page.total, startIndex, resources });
  }

  /** @throws ScimError invalidFilter, tooMany when finding the next ones would take too long */
  async page(searched: Searched, page: KeysetPage): Promise<Placed[]> {
    const query: SearchResources = {
      ...(page.sortBy !== undefined && { sortBy: page.sortBy }),
      ...(page.sortOrder && { sortOrder: page.sortOrder }),
      ...(page.after && { after: page.after }),
    };
    const filter = bound(searched, page.filter);
    const sort = sortOf(searched, query);
    const found: Placed[] = [];
    let after = positionOf(query, sort);
    for (let round = 0; round < patience; round += 1) {
      const part = await this.#index.walk(searched.type, {
        filter,
        sort,
        backward: page.backward === true,
        source: directSource,
        after,
        limit: page.limit - found.length,
      });
      if (!part) return tooMany('sorted');
      found.push(
        ...part.rows.map((resource, index) => ({ resource, position: part.positions[index] as Position })),
      );
      after = part.next;
      if (!after || found.length >= page.limit) return found;
    }
    return tooMany('counted');
  }

  /** Counts the matches. @throws ScimError invalidFilter, tooMany */
  async count(searched: Searched, filter?: string): Promise<number> {
    const query = { filter: bound(searched, filter), source: directSource };
    return (await this.#index.count(searched.type, query)) ?? tooMany('counted');
  }

  async #behindPosition(
    searched: Searched,
    query: SearchResources,
    looked: Omit<CursorQuery, 'after' | 'backward'>,
  ): Promise<object> {
    const { type } = searched;
    const walk = { ...looked, after: positionOf(query, looked.sort), backward: query.backward === true };
    if (looked.limit === 0) return counted(await this.#index.count(type, looked));
    const page = (await this.#index.walk(type, walk)) ?? tooMany(looked.sort ? 'sorted' : 'looked at');
    const shown = await fitting(searched, query, page, async (limit) => {
      return (await this.#index.walk(type, { ...walk, limit })) ?? tooMany('looked at');
    });
    const { startIndex: _, ...list } = listResponse({
      ...(page.total !== undefined && { totalResults: page.total }),
      resources: walk.backward ? shown.resources.toReversed() : shown.resources,
    });
    return { ...list, ...neighbours(shown.page, walk) };
  }
}

/**
 * Returns the positions of the next and the previous page. The position ahead is that of the walk. The position
 * behind is the first resource of the page, or, for an empty page, the end of the examined rows.
 */
function neighbours(
  { next: ahead, positions }: CursorPage,
  { after, backward }: { after: Position | undefined; backward: boolean },
): { next?: Position; previous?: Position } {
  const behind = after && (positions[0] ?? ahead);
  const [next, previous] = backward ? [behind, ahead] : [ahead, behind];
  return { ...(next && { next }), ...(previous && { previous }) };
}

/**
 * Shortens a page to the part that can be returned: a thousand groups may have more members than fit into memory. A
 * page may be shorter than requested (RFC 7644 §3.4.2.4, RFC 9865 §2), but has at least one resource of any size.
 * @param shorter returns the same page with at most this number of resources
 */
async function fitting<P extends { rows: StoredResource[] }>(
  searched: Searched,
  query: SearchResources,
  page: P,
  shorter: (limit: number) => Promise<P>,
): Promise<{ page: P; resources: Attributes[] }> {
  for (let tried = page; ; ) {
    try {
      const most = tried.rows.length > 1 ? maxRelated : undefined;
      return { page: tried, resources: await searched.present(tried.rows, query, most) };
    } catch (error) {
      if (!(error instanceof TooMuchToShow)) throw error;
    }
    const room = await searched.room(tried.rows, maxRelated);
    // Members added in the meantime may exceed the maximum again.
    tried = await shorter(Math.min(room, tried.rows.length - 1));
  }
}

function bound({ registry, type }: Searched, filter: string | undefined): BoundFilter | undefined {
  return filter === undefined ? undefined : bindFilter(parseFilter(filter), registry, type);
}

function sortOf({ registry, type }: Searched, { sortBy, sortOrder }: SearchResources): Sort | undefined {
  if (sortBy === undefined) return undefined;
  return { by: bindSortBy(sortBy, registry, type), descending: sortOrder === 'descending' };
}

/** Validates a position. Clients can change the key, and a value of another type would be an SQL error. */
function positionOf({ after }: SearchResources, sort: Sort | undefined): Position | undefined {
  if (after === undefined) return undefined;
  const { id, key } = after;
  if (!isUuid(id) || (key !== undefined && key !== null && !sort) || (sort && !fits(key, sort))) {
    throw ScimError.invalidValue('"after" is not a position in this order.');
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
      return isInstant(text);
    default:
      if (definition.name === 'id') return isUuid(text);
      return text.isWellFormed() && !text.includes('\u0000');
  }
}

/**
 * Reports whether PostgreSQL accepts it as an instant too: JavaScript accepts a year 0, a 31 February and offsets of
 * a whole day.
 */
function isInstant(text: string): boolean {
  const match = /^(\d{4}-\d\d-\d\d)[T ]\d\d:\d\d:\d\d(\.\d{1,6})?(Z|[+-](0\d|1[0-4])(:?[0-5]\d)?)?$/.exec(
    text,
  );
  if (!match?.[1] || match[1] < '0001') return false;
  const midnight = Date.parse(match[1]);
  return (
    !Number.isNaN(midnight) &&
    new Date(midnight).toISOString().startsWith(match[1]) &&
    !Number.isNaN(Date.parse(text.replace(' ', 'T').replace(/([+-]\d\d)$/, '$1:00')))
  );
}

const counted = (total: number | undefined): object => {
  const { startIndex: _, ...list } = listResponse({
    ...(total !== undefined && { totalResults: total }),
    resources: [],
  });
  return list;
};

/** RFC 7644 §3.12 defines the error, RFC 9865 the alternative by cursor. The graph has another alternative. */
function tooMany(what: keyof typeof tooManyTo): never {
  const { scim, graph } = tooManyTo[what];
  throw ScimError.tooMany(scim, graph);
}

const tooManyTo = {
  counted: {
    scim: 'Too many resources match to count them. Narrow the filter, or page with cursors (RFC 9865): send "cursor", empty for the first page.',
    graph:
      'Too many results to count. Narrow "filter" or "where", or page with "first" and "after" and omit totalCount.',
  },
  sorted: {
    scim: 'Too many resources match to sort them by this attribute. Narrow the filter, or sort by userName, displayName, name.familyName, name.givenName, meta.created or meta.lastModified.',
    graph: 'Too many results to sort. Narrow "filter" or "where", or omit "orderBy".',
  },
  'looked at': {
    scim: 'The search takes too long. Narrow or shorten the filter.',
    graph: 'The search takes too long. Narrow or shorten "filter" or "where".',
  },
} as const;
