import { type Sql, sqlState } from '@ostiary/database';
import type { BoundFilter } from '@ostiary/scim';
import { type ResourceRow, toStored } from '../../resources/data/index.ts';
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
import { alias, mostCandidates, scope } from './mapping.ts';
import { cheap, costOf } from './search-cost.ts';
import { behind, orderBy, Statement, selected, visibleLimit } from './search-statement.ts';
import type { SearchTime } from './search-time.ts';

type Row = ResourceRow & { sort_key: string | null };

/** Everything there is to say about a filter's matches, as far as the rows looked at tell. */
interface Gathered {
  /** Whether these are all matches. */
  complete: boolean;
  /** The sample had so many matches that candidates weren't looked for. */
  common: boolean;
  total: number;
  rows: Row[];
}

/** So many resources a search looks at, whatever comparing them costs. */
const fewest = 1000;

/** SQLSTATE query_canceled: its time was over. */
const canceled = '57014';

/** How many rows at either end of a tenant are looked at before an index is trusted, and how many matches are too many. */
const sampleSize = 64;
const common = 4;

/** How many pages of a table are drawn for an estimate, always the same ones, and how many matches on them mean something. */
const samplePages = 150;
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

  /**
   * @param limit how many resources one search may look at: all of a tenant that has no more, and fewer where each costs more
   * @param time runs what may take long; without it, it takes as long as it takes
   */
  constructor(sql: Sql, tenant: string, limit = 20_000, time: SearchTime = () => sql) {
    this.#sql = sql;
    this.#tenant = tenant;
    this.#limit = limit;
    this.#time = time;
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
    const few = await this.#candidates(type, query, { ...wanted, most, ...(ordered && { common }) });
    if (few?.complete) return cursorPage(few, query);
    if (ordered) return this.#look(type, query);
    const all = await this.#everything(type, query, wanted);
    return all.complete ? cursorPage(all, query) : undefined;
  }

  /** How many match; undefined when they are too many to be counted. */
  async count(type: ResourceType, query: Query): Promise<number | undefined> {
    if (query.filter) {
      return (await this.page(type, { ...query, sort: undefined, offset: 0, limit: 0 }))?.total;
    }
    const statement = new Statement(type, this.#tenant, query.source);
    const { rows } = await this.#sql.query<{ total: number }>(
      `SELECT ${statement.total} AS total`,
      statement.values,
    );
    return rows[0]?.total ?? 0;
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

  /** All resources of the tenant, by offset. The index alone leads to the page; whole rows are only read on it. */
  async #slice(type: ResourceType, { sort, source, offset, limit }: IndexQuery): Promise<IndexPage> {
    const statement = new Statement(type, this.#tenant, source);
    const ordering = statement.ordering(sort);
    const columns = `${alias}.id, ${ordering.key?.text ?? 'NULL'} AS sort_key`;
    const [skip, take] = [`${statement.bind(offset)}::bigint`, `${statement.bind(limit)}::bigint`];
    const forward = `SELECT id, row_number() OVER () AS place
      FROM (SELECT id FROM ${statement.walk(ordering, { columns, limit: visibleLimit(offset + limit) })} w
            OFFSET ${skip} LIMIT ${take}) o`;
    // From the middle on, the way from the end is shorter. Which one it is turns out when the total is known.
    const backward = `SELECT id, -row_number() OVER () AS place
      FROM (SELECT ${alias}.id FROM ${statement.table} WHERE ${scope} ORDER BY ${alias}.id DESC
            OFFSET greatest(${statement.total} - ${skip} - ${take}, 0)
            LIMIT greatest(least(${take}, ${statement.total} - ${skip}), 0)) o`;
    const page =
      !sort && offset > this.#limit
        ? `SELECT * FROM (${forward}) f WHERE ${statement.total} >= 2 * ${skip}
           UNION ALL SELECT * FROM (${backward}) b WHERE ${statement.total} < 2 * ${skip}`
        : forward;
    const { rows } = await this.#sql.query<Row & { total: number; id: string | null }>(
      `SELECT counted.total, ${selected(type)} FROM (SELECT ${statement.total} AS total) counted
       LEFT JOIN (SELECT * FROM (${page}) p LIMIT ${visibleLimit(limit)}) page ON true
       LEFT JOIN ${statement.table} ON ${scope} AND ${alias}.id = page.id
       ORDER BY page.place`,
      statement.values,
    );
    return { total: rows[0]?.total ?? 0, rows: rows.filter((row) => row.id !== null).map(toStored) };
  }

  /** All resources of the tenant, behind a position. */
  async #next(type: ResourceType, query: CursorQuery): Promise<CursorPage> {
    const statement = new Statement(type, this.#tenant, query.source);
    const ordering = statement.ordering(query.sort, query.backward);
    const walk = statement.walk(ordering, {
      after: query.after,
      columns: `${selected(type)}, ${statement.keyText(ordering)} AS sort_key`,
      limit: visibleLimit(query.limit + 1),
    });
    const { rows } = await this.#sql.query<Row & { total: number; id: string | null }>(
      `SELECT counted.total, page.* FROM (SELECT ${statement.total} AS total) counted
       LEFT JOIN (SELECT * FROM ${walk} w LIMIT ${statement.bind(query.limit + 1)}::bigint) page ON true`,
      statement.values,
    );
    const found = rows.filter((row) => row.id !== null);
    return cursorPage({ total: rows[0]?.total ?? 0, rows: found }, query);
  }

  /** Looks at resources in order, from a position on, until the page is full, the tenant is through or the limit is reached. */
  async #look(type: ResourceType, query: CursorQuery & Timed): Promise<CursorPage> {
    const statement = new Statement(type, this.#tenant, query.source);
    const matches = statement.matches(query.filter);
    const ordering = statement.ordering(query.sort, query.backward);
    const limit = Math.ceil(this.#limitFor(query.filter) / (query.sort ? 4 : 2));
    const walk = statement.walk(ordering, {
      after: query.after,
      columns: `${selected(type)}, ${statement.keyText(ordering)} AS sort_key, ${matches} AS matches`,
      limit,
    });
    // The last one looked at comes along, whether it matches or not: the next page begins behind it.
    const { rows } = await query.long.query<Row & { matches: boolean; last: boolean }>(
      `SELECT * FROM (SELECT w.*, row_number() OVER () = ${limit} AS last FROM ${walk} w LIMIT ${limit}) looked
       WHERE matches OR last LIMIT ${statement.bind(query.limit + 1)}::bigint`,
      statement.values,
    );
    const found = rows.filter((row) => row.matches);
    const last = rows.at(-1);
    if (found.length > query.limit || !last?.last) return cursorPage({ rows: found }, query);
    return { ...placed(found, query), next: positionOf(last, query) };
  }

  /** What an index finds for a part of the filter, compared with all of it; undefined when there is no such index. */
  async #candidates(type: ResourceType, query: Wanted, page: Page & { most: number; common?: number }) {
    const statement = new Statement(type, this.#tenant, query.source);
    const matches = statement.matches(query.filter);
    const candidates = statement.candidates(query.filter);
    if (!candidates) return undefined;
    const { common: tooCommon, ...place } = page;
    const sampled = candidates.selective ? undefined : tooCommon;
    return this.#gather(statement, query, {
      ...place,
      matches,
      condition: `${candidates.text}${sampled === undefined ? '' : ` AND (SELECT hits FROM sample) < ${sampled}`}`,
      order: candidates.order === undefined ? '' : ` ORDER BY ${candidates.order}`,
      ...(sampled !== undefined && { sampled }),
      quick: candidates.selective || costOf(query.filter) <= cheap,
    });
  }

  /** All of the tenant, compared with the filter, if it is small enough. */
  #everything(type: ResourceType, query: Wanted, page: Page): Promise<Gathered> {
    const statement = new Statement(type, this.#tenant, query.source);
    const limit = this.#limitFor(query.filter);
    const small = `${statement.total} <= ${limit}`;
    return this.#gather(statement, query, {
      ...page,
      most: limit,
      matches: statement.matches(query.filter),
      condition: `${scope} AND ${small}`,
      order: ` ORDER BY ${alias}.id`,
      small,
    });
  }

  /** About how many match, from pages of the table drawn at random; 0 when that tells nothing. */
  async #estimate(type: ResourceType, query: Query & Timed): Promise<number> {
    const statement = new Statement(type, this.#tenant, query.source);
    const matches = statement.matches(query.filter);
    const { rows } = await query.long.query<{ hits: number; size: number; total: number }>(
      `SELECT count(*) FILTER (WHERE matches)::int AS hits, count(*)::int AS size, ${statement.total} AS total
       FROM (SELECT ${matches} AS matches FROM ${statement.table} TABLESAMPLE SYSTEM
         ((SELECT least(100, 100.0 * ${samplePages} / greatest(relpages, 1)) FROM pg_class WHERE oid = '${statement.tableName}'::regclass)) REPEATABLE (1)
         WHERE ${scope}) drawn`,
      statement.values,
    );
    const [{ hits, size, total } = { hits: 0, size: 0, total: 0 }] = rows;
    return hits < meaningful ? 0 : (total * hits) / size;
  }

  /** Finds, counts, sorts and cuts out the page, in one statement and so from one snapshot. */
  async #gather(
    statement: Statement,
    query: Wanted,
    options: Page & {
      most: number;
      matches: string;
      condition: string;
      order: string;
      sampled?: number;
      small?: string;
      /** An identifier is looked up, or a bounded number of candidates is compared with little. */
      quick?: boolean;
    },
  ): Promise<Gathered> {
    const { most, matches, condition, order, sampled, small = 'TRUE', after } = options;
    const ordering = statement.ordering(query.sort, query.backward);
    const end = (direction: string) =>
      `(SELECT ${matches} AS matches FROM ${statement.table} WHERE ${scope}
        ORDER BY ${alias}.id ${direction} LIMIT ${sampleSize})`;
    const sample =
      sampled === undefined
        ? 'SELECT 0 AS hits'
        : `SELECT count(*) FILTER (WHERE matches)::int AS hits FROM (${end('ASC')} UNION ALL ${end('DESC')}) ends`;
    const from = after ? ` AND ${behind(statement, ordering, after)}` : '';
    const { rows } = await (options.quick ? this.#sql : query.long).query<
      Row & { id: string | null; hits: number; looked: number; total: number; small: boolean }
    >(
      `WITH sample AS MATERIALIZED (${sample}),
       found AS MATERIALIZED (
         SELECT ${alias}.id, ${ordering.key?.text ?? 'NULL::text'} AS sort_key, ${matches} AS matches
         FROM ${statement.table} WHERE ${condition}${order} LIMIT ${most + 1}
       ), page AS (
         SELECT id, sort_key, row_number() OVER (ORDER BY ${orderBy(ordering)}) AS place FROM found
         WHERE matches${from} ORDER BY place
         LIMIT ${statement.bind(options.limit)}::bigint OFFSET ${statement.bind(options.offset)}::bigint
       )
       SELECT sample.hits, counted.looked, counted.total, ${small} AS small, ${selected(statement.type)}, page.sort_key::text AS sort_key
       FROM (SELECT count(*)::int AS looked, (count(*) FILTER (WHERE matches))::int AS total FROM found) counted
       CROSS JOIN sample LEFT JOIN (SELECT * FROM page LIMIT ${visibleLimit(options.limit)}) page ON true
       LEFT JOIN ${statement.table} ON ${scope} AND ${alias}.id = page.id
       ORDER BY page.place`,
      statement.values,
    );
    const [first] = rows;
    const isCommon = sampled !== undefined && (first?.hits ?? 0) >= sampled;
    return {
      complete: !isCommon && first?.small !== false && (first?.looked ?? 0) <= most,
      common: isCommon,
      total: first?.total ?? 0,
      rows: rows.filter((row) => row.id !== null),
    };
  }
}

/** Runs the statements that may take long. */
interface Timed {
  long: Sql;
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

interface Page {
  offset: number;
  limit: number;
  after: Position | undefined;
}

const pageOf = ({ total, rows }: Gathered): IndexPage => ({ total, rows: rows.map(toStored) });

/** The page asked for, from rows that may be one more than it has. */
function cursorPage({ total, rows }: { total?: number; rows: Row[] }, query: CursorQuery): CursorPage {
  const page = rows.slice(0, query.limit);
  const last = page.at(-1);
  return {
    ...(total !== undefined && { total }),
    ...placed(page, query),
    ...(rows.length > query.limit && last && { next: positionOf(last, query) }),
  };
}

const placed = (rows: Row[], query: CursorQuery): { rows: StoredResource[]; positions: Position[] } => ({
  rows: rows.map(toStored),
  positions: rows.map((row) => positionOf(row, query)),
});

const positionOf = (row: Row, { sort }: CursorQuery): Position => ({
  ...(sort && { key: row.sort_key }),
  id: row.id,
});
