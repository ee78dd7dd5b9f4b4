import { type Sql, sqlState } from '@ostiary/database';
import type { BoundFilter } from '@ostiary/scim';
import { toStored } from '../../resources/data/rows.ts';
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
import { maxCandidates } from './mapping.ts';
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

/** The matches of a filter among the examined rows. */
interface Gathered {
  /** Whether these are all matches. */
  complete: boolean;
  /** Whether the sample had so many matches that no candidates were examined. */
  common: boolean;
  total: number;
  rows: FoundRow[];
}

/** Minimum number of resources that a search examines, for any cost of the comparison. */
const fewest = 1000;

/** SQLSTATE query_canceled: the timeout expired. */
const canceled = '57014';

/** Maximum number of matches at the ends of a tenant up to which an index is used. */
const common = 4;

/** Minimum number of matches in a sample for an estimate. */
const meaningful = 20;

/**
 * Finds resources of one tenant. The database executes every filter, over a limited number of the tenant's rows.
 * Candidates come from an index and are checked. Where there are too many, or no index supports the filter, rows are
 * examined in the order of the page. A result that cannot be determined within the limit is undefined.
 */
export class Search implements SearchIndex {
  readonly #sql: Sql;
  readonly #tenant: string;
  readonly #limit: number;
  readonly #time: SearchTime;
  readonly #frequent: FrequentFilters;

  /**
   * @param limit maximum number of resources that one search examines, lower where each comparison costs more
   * @param time runs statements that may take long; by default without a timeout
   * @param frequent filters that other searches have found to be frequent
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

  /**
   * Returns a page by its offset, with the exact number of matches. Undefined when they are too many to be counted or
   * sorted.
   */
  page(type: ResourceType, query: IndexQuery): Promise<IndexPage | undefined> {
    return inTime(() => this.#page(type, { ...query, long: this.#time() }));
  }

  /** Returns a page after a position. Undefined when the order would require sorting too many. */
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
    // Matches that are frequent at both ends of the tenant may be rare between them.
    if (!few?.common || (await this.#estimate(type, query)) > 4 * most) return undefined;
    const rare = await this.#candidates(type, query, { ...wanted, most });
    return rare?.complete ? pageOf(rare) : undefined;
  }

  async #walk(type: ResourceType, query: CursorQuery & Timed): Promise<CursorPage | undefined> {
    const { filter, after, limit } = query;
    const ordered = this.#isOrdered(type, query);
    if (!filter && ordered) return this.#next(type, query);
    // One more than requested shows whether there is a next page.
    const wanted = { offset: 0, limit: limit + 1, after };
    // Reading rows in order costs no more than examining many candidates for each page again.
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

  /** Counts the matches; undefined when they are too many to be counted. */
  async count(type: ResourceType, query: Query): Promise<number | undefined> {
    if (query.filter) {
      return (await this.page(type, { ...query, sort: undefined, offset: 0, limit: 0 }))?.total;
    }
    return (await countResources[type].first(this.#sql, { tenant: this.#tenant }))?.total ?? 0;
  }

  /**
   * Returns the maximum number of resources to examine: a filter with hundreds of comparisons costs as much for each.
   */
  #limitFor(filter: BoundFilter | undefined): number {
    const affordable = Math.floor((this.#limit * cheap) / Math.max(cheap, costOf(filter)));
    return Math.max(Math.min(this.#limit, fewest), affordable);
  }

  /** Returns the maximum number of candidates to examine: they are scattered on disk, and each is compared twice. */
  #most(filter: BoundFilter | undefined): number {
    return Math.min(Math.ceil(this.#limitFor(filter) / 2), maxCandidates);
  }

  #isOrdered(type: ResourceType, { sort, source }: Query & { sort: Sort | undefined }): boolean {
    return !sort || new Statement(type, this.#tenant, source).ordering(sort).key?.ordered === true;
  }

  /** Returns resources of the tenant by offset. */
  async #slice(type: ResourceType, query: IndexQuery): Promise<IndexPage> {
    const asked = { ...query, tenant: this.#tenant, far: this.#limit };
    const rows = await sliceResources[type].rows(this.#sql, asked);
    return { total: rows[0]?.total ?? 0, rows: rows.filter(isFound).map(toStored) };
  }

  /** Returns resources of the tenant after a position. */
  async #next(type: ResourceType, query: CursorQuery): Promise<CursorPage> {
    const rows = await nextResources[type].rows(this.#sql, { ...query, tenant: this.#tenant });
    return cursorPage({ total: rows[0]?.total ?? 0, rows: rows.filter(isFound) }, query);
  }

  /** Examines resources in order, from a position, until the page is full, the tenant ends or the limit is reached. */
  async #look(type: ResourceType, { long, ...query }: CursorQuery & Timed): Promise<CursorPage> {
    const most = Math.ceil(this.#limitFor(query.filter) / (query.sort ? 4 : 2));
    const asked = { ...query, tenant: this.#tenant, most };
    const rows = await long((sql) => lookAtResources[type].rows(sql, asked));
    const found = rows.filter((row) => row.matches);
    const last = rows.at(-1);
    if (found.length > query.limit || !last?.last) return cursorPage({ rows: found }, query);
    return { ...placed(found, query), next: positionOf(last, query) };
  }

  /** Checks the candidates that an index finds for a part of the filter; undefined when no index supports it. */
  async #candidates(type: ResourceType, query: Wanted, page: Page & { most: number; common?: number }) {
    const found = candidatesOf(type, { ...query, tenant: this.#tenant }, page);
    return found && this.#gather(found, query);
  }

  /** Checks the candidates where they are few; filters with too many recently are skipped. */
  async #fewCandidates(type: ResourceType, query: Wanted, page: Page & { most: number; common: number }) {
    const found = candidatesOf(type, { ...query, tenant: this.#tenant }, page);
    if (!found || this.#frequent.has(found)) return undefined;
    const few = await this.#gather(found, query);
    if (few.complete) return few;
    this.#frequent.add(found);
    return undefined;
  }

  /** Checks all resources of the tenant, if they are few enough. */
  #everything(type: ResourceType, query: Wanted, page: Page): Promise<Gathered> {
    const most = this.#limitFor(query.filter);
    return this.#gather(everythingOf(type, { ...query, tenant: this.#tenant }, { ...page, most }), query);
  }

  /** Estimates the number of matches; 0 when the sample is too small. */
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

/** Returns undefined after the timeout. */
async function inTime<T>(search: () => Promise<T | undefined>): Promise<T | undefined> {
  try {
    return await search();
  } catch (error) {
    if (sqlState(error) === canceled) return undefined;
    throw error;
  }
}

/** An empty page is one row with the total and no resource. */
const isFound = <R extends { id: string | null }>(row: R): row is R & { id: string } => row.id !== null;

const pageOf = ({ total, rows }: Gathered): IndexPage => ({ total, rows: rows.map(toStored) });

/** Returns the requested page, from rows that may be one more than it has. */
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
