import { type Sql, sqlState } from '@ostiary/database';
import type { BoundFilter } from '@ostiary/scim';
import { toStored } from '../../resources/data/index.ts';
import type { Position, StoredResource } from '../../resources/index.ts';
import type { ResourceType } from '../../schemas/index.ts';
import type {
  CursorPage,
  CursorQuery,
  IndexPage,
  IndexQuery,
  Query,
  SearchIndex,
  Sort,
} from '../domain/search-index.ts';
import { FrequentFilters } from './frequent-filters.ts';
import { candidatesOf, everythingOf, type Gathering, type Page } from './gathering.ts';
import { mostCandidates } from './mapping.ts';
import { cheap, costOf } from './search-cost.ts';
import {
  countResources,
  estimateMatches,
  type FoundRow,
  gatherResources,
  lookAtResources,
  nextResources,
  sliceResources,
} from './search-queries.ts';
import { Statement } from './search-statement.ts';
import type { RunInTime, SearchTime } from './search-time.ts';

/** Everything there is to say about a filter's matches, as far as the rows looked at tell. */
interface Gathered {
  /** Whether these are all matches. */
  complete: boolean;
  /** The sample had so many matches that candidates weren't looked for. */
  common: boolean;
  total: number;
  rows: FoundRow[];
}

/** So many resources a search looks at, whatever comparing them costs. */
const fewest = 1000;

/** SQLSTATE query_canceled: its time was over. */
const canceled = '57014';

/** How many matches at the ends of a tenant are too many for an index to be trusted. */
const common = 4;

/** How many matches on the pages that are drawn for an estimate mean something. */
const meaningful = 20;

/**
 * Finds resources of one tenant. Whatever a filter says, it is executed by the database, over this tenant's rows, and over
 * so many of them at most: candidates come from an index and are checked; where they would be too many, or no index
 * knows any, rows are looked at in the order of the page. What can't be determined within the limit isn't answered (undefined).
 */
export class Search implements SearchIndex {
  readonly #sql: Sql;
  readonly #tenant: string;
  readonly #limit: number;
  readonly #time: SearchTime;
  readonly #frequent: FrequentFilters;

  /**
   * @param limit how many resources one search may look at: all of a tenant that has no more, and fewer where each costs more
   * @param time runs what may take long; without it, it takes as long as it takes
   * @param frequent what other searches have found out
   */
  constructor(
    sql: Sql,
    tenant: string,
    limit = 20_000,
    time: SearchTime = () => (work) => work(sql),
    frequent = new FrequentFilters(),
  ) {
    this.#sql = sql;
    this.#tenant = tenant;
    this.#limit = limit;
    this.#time = time;
    this.#frequent = frequent;
  }

  /** A page by its offset, with the exact number of matches. Undefined when they are too many to be counted or sorted. */
  page(type: ResourceType, query: IndexQuery): Promise<IndexPage | undefined> {
    return inTime(() => this.#page(type, { ...query, long: this.#time() }));
  }

  /** A page that begins behind a position. Undefined when the order can't be had without sorting too many. */
  walk(type: ResourceType, query: CursorQuery): Promise<CursorPage | undefined> {
    return inTime(() => this.#walk(type, { ...query, long: this.#time() }));
  }

  async #page(type: ResourceType, query: IndexQuery & Timed): Promise<IndexPage | undefined> {
    const { filter, sort, offset, limit } = query;
    if (!filter && this.#isOrdered(type, query)) {
      if (sort && offset > this.#limit) {
        const total = await this.count(type, query);
        if (total === undefined || total > this.#limit) return undefined;
      }
      return this.#slice(type, query);
    }
    const wanted = { offset, limit, after: undefined };
    const most = this.#most(filter);
    const few = await this.#candidates(type, query, { ...wanted, most, common });
    if (few?.complete) return pageOf(few);
    const all = await this.#everything(type, query, wanted);
    if (all.complete) return pageOf(all);
    // What is frequent at both ends of the tenant may be rare between them.
    if (!few?.common || (await this.#estimate(type, query)) > 4 * most) return undefined;
    const rare = await this.#candidates(type, query, { ...wanted, most });
    return rare?.complete ? pageOf(rare) : undefined;
  }

  async #walk(type: ResourceType, query: CursorQuery & Timed): Promise<CursorPage | undefined> {
    const { filter, after, limit } = query;
    const ordered = this.#isOrdered(type, query);
    if (!filter && ordered) return this.#next(type, query);
    // One more than asked for tells whether there is a next page.
    const wanted = { offset: 0, limit: limit + 1, after };
    // Where rows can be looked at in order, that costs no more than looking at many candidates for each page again.
    const most = ordered ? Math.ceil(this.#limitFor(filter) / 8) : this.#most(filter);
    if (ordered) {
      const few = await this.#fewCandidates(type, query, { ...wanted, most, common });
      return few ? cursorPage(few, query) : this.#look(type, query);
    }
    const few = await this.#candidates(type, query, { ...wanted, most });
    if (few?.complete) return cursorPage(few, query);
    const all = await this.#everything(type, query, wanted);
    return all.complete ? cursorPage(all, query) : undefined;
  }

  /** How many match; undefined when they are too many to be counted. */
  async count(type: ResourceType, query: Query): Promise<number | undefined> {
    if (query.filter) {
      return (await this.page(type, { ...query, sort: undefined, offset: 0, limit: 0 }))?.total;
    }
    return (await countResources[type].first(this.#sql, { tenant: this.#tenant }))?.total ?? 0;
  }

  /** How many resources are looked at for a filter: what is said in hundreds of comparisons costs that with each of them. */
  #limitFor(filter: BoundFilter | undefined): number {
    const affordable = Math.floor((this.#limit * cheap) / Math.max(cheap, costOf(filter)));
    return Math.max(Math.min(this.#limit, fewest), affordable);
  }

  /** How many candidates of an index are looked at: they lie scattered, and each is compared twice. */
  #most(filter: BoundFilter | undefined): number {
    return Math.min(Math.ceil(this.#limitFor(filter) / 2), mostCandidates);
  }

  #isOrdered(type: ResourceType, { sort, source }: Query & { sort: Sort | undefined }): boolean {
    return !sort || new Statement(type, this.#tenant, source).ordering(sort).key?.ordered === true;
  }

  /** All resources of the tenant, by offset. */
  async #slice(type: ResourceType, query: IndexQuery): Promise<IndexPage> {
    const asked = { ...query, tenant: this.#tenant, far: this.#limit };
    const rows = await sliceResources[type].rows(this.#sql, asked);
    return { total: rows[0]?.total ?? 0, rows: rows.filter(isFound).map(toStored) };
  }

  /** All resources of the tenant, behind a position. */
  async #next(type: ResourceType, query: CursorQuery): Promise<CursorPage> {
    const rows = await nextResources[type].rows(this.#sql, { ...query, tenant: this.#tenant });
    return cursorPage({ total: rows[0]?.total ?? 0, rows: rows.filter(isFound) }, query);
  }

  /** Looks at resources in order, from a position on, until the page is full, the tenant is through or the limit is reached. */
  async #look(type: ResourceType, { long, ...query }: CursorQuery & Timed): Promise<CursorPage> {
    const most = Math.ceil(this.#limitFor(query.filter) / (query.sort ? 4 : 2));
    const asked = { ...query, tenant: this.#tenant, most };
    const rows = await long((sql) => lookAtResources[type].rows(sql, asked));
    const found = rows.filter((row) => row.matches);
    const last = rows.at(-1);
    if (found.length > query.limit || !last?.last) return cursorPage({ rows: found }, query);
    return { ...placed(found, query), next: positionOf(last, query) };
  }

  /** What an index finds for a part of the filter, compared with all of it; undefined when there is no such index. */
  async #candidates(type: ResourceType, query: Wanted, page: Page & { most: number; common?: number }) {
    const found = candidatesOf(type, { ...query, tenant: this.#tenant }, page);
    return found && this.#gather(found, query);
  }

  /** The same where they are few, unless they have lately been too many. */
  async #fewCandidates(type: ResourceType, query: Wanted, page: Page & { most: number; common: number }) {
    const found = candidatesOf(type, { ...query, tenant: this.#tenant }, page);
    if (!found || this.#frequent.has(found)) return undefined;
    const few = await this.#gather(found, query);
    if (few.complete) return few;
    this.#frequent.add(found);
    return undefined;
  }

  /** All of the tenant, compared with the filter, if it is small enough. */
  #everything(type: ResourceType, query: Wanted, page: Page): Promise<Gathered> {
    const most = this.#limitFor(query.filter);
    return this.#gather(everythingOf(type, { ...query, tenant: this.#tenant }, { ...page, most }), query);
  }

  /** About how many match; 0 when that tells nothing. */
  async #estimate(type: ResourceType, { long, filter, source }: Query & Timed): Promise<number> {
    const asked = { tenant: this.#tenant, filter, source };
    const drawn = await long((sql) => estimateMatches[type].first(sql, asked));
    const { hits, size, total } = drawn ?? { hits: 0, size: 0, total: 0 };
    return hits < meaningful ? 0 : (total * hits) / size;
  }

  async #gather(gathering: Gathering, { long }: Timed): Promise<Gathered> {
    const { most, sampled } = gathering;
    const run = (sql: Sql) => gatherResources[gathering.query.type].rows(sql, gathering);
    const rows = await (gathering.quick ? run(this.#sql) : long(run));
    const [first] = rows;
    const isCommon = sampled !== undefined && (first?.hits ?? 0) >= sampled;
    return {
      complete: !isCommon && first?.small !== false && (first?.looked ?? 0) <= most,
      common: isCommon,
      total: first?.total ?? 0,
      rows: rows.filter(isFound),
    };
  }
}

/** Runs the statements that may take long. */
interface Timed {
  long: RunInTime;
}

type Wanted = Query & Timed & { sort: Sort | undefined; backward?: boolean };

/** What can't be determined in time is undefined. */
async function inTime<T>(search: () => Promise<T | undefined>): Promise<T | undefined> {
  try {
    return await search();
  } catch (error) {
    if (sqlState(error) === canceled) return undefined;
    throw error;
  }
}

/** A page that is empty is a row with the total and no resource. */
const isFound = <R extends { id: string | null }>(row: R): row is R & { id: string } => row.id !== null;

const pageOf = ({ total, rows }: Gathered): IndexPage => ({ total, rows: rows.map(toStored) });

/** The page asked for, from rows that may be one more than it has. */
function cursorPage({ total, rows }: { total?: number; rows: FoundRow[] }, query: CursorQuery): CursorPage {
  const page = rows.slice(0, query.limit);
  const last = page.at(-1);
  return {
    ...(total !== undefined && { total }),
    ...placed(page, query),
    ...(rows.length > query.limit && last && { next: positionOf(last, query) }),
  };
}

const placed = (rows: FoundRow[], query: CursorQuery): { rows: StoredResource[]; positions: Position[] } => ({
  rows: rows.map(toStored),
  positions: rows.map((row) => positionOf(row, query)),
});

const positionOf = (row: FoundRow, { sort }: CursorQuery): Position => ({
  ...(sort && { key: row.sortKey }),
  id: row.id,
});
