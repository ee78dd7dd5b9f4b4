import type { Sql } from '@ostiary/database';
import { type AttributeReference, type BoundFilter, compileSortKey, compileSql } from '@ostiary/scim';
import { alias, mappingOf } from './mapping.ts';
import {
  type ResourceRow,
  type ResourceType,
  resourceColumns,
  type StoredResource,
  toStored,
} from './rows.ts';

/** What is looked for. */
export interface Query {
  filter: BoundFilter | undefined;
  /** Whose externalId the filter is about. */
  source: string;
}

export interface PageQuery extends Query {
  sort: { by: AttributeReference; descending: boolean } | undefined;
  offset: number;
  limit: number;
}

export interface KeysetQuery extends Query {
  /** The id after which to go on. */
  after: string | undefined;
  limit: number;
}

interface Found {
  total: number;
  rows: StoredResource[];
}

const tables = { User: 'directory.users', Group: 'directory.groups' } as const;
const selected = resourceColumns
  .split(', ')
  .map((name) => `${alias}.${name}`)
  .join(', ');

/** Finds resources of one tenant. Whatever a filter says, it is executed by the database, over this tenant's rows. */
export class Search {
  readonly #sql: Sql;
  readonly #tenant: string;

  constructor(sql: Sql, tenant: string) {
    this.#sql = sql;
    this.#tenant = tenant;
  }

  /**
   * Counts what matches and reads one page of it, in one statement and so from one snapshot. Ids break ties, so that
   * no row is on two pages.
   */
  async page(type: ResourceType, query: PageQuery): Promise<Found> {
    const statement = new Statement(type, this.#tenant, query.source);
    const where = statement.where(query.filter);
    const key = query.sort ? statement.sortKey(query.sort.by) : undefined;
    if (query.limit === 0) return { total: await this.#count(statement, where), rows: [] };

    const direction = query.sort?.descending ? 'DESC NULLS FIRST' : 'ASC NULLS LAST';
    const page = `LIMIT ${statement.bind(query.limit)}::bigint OFFSET ${statement.bind(query.offset)}::bigint`;
    const from = `${tables[type]} ${alias}`;
    // A filter has to be evaluated over everything that may match in order to count, and once is enough. Without the
    // fence the planner, expecting many matches, may walk the whole tenant in the order of the page for the only one.
    const text = query.filter
      ? `WITH matched AS MATERIALIZED (
           SELECT ${alias}.id${key ? `, ${key} AS sort_key` : ''} FROM ${from} WHERE ${where}
         ), page AS (
           SELECT id, row_number() OVER (ORDER BY ${key ? `sort_key ${direction}, ` : ''}id) AS place FROM matched
           ORDER BY place ${page}
         )
         SELECT counted.total, ${selected}
         FROM (SELECT count(*)::int AS total FROM matched) counted
         LEFT JOIN page ON true
         LEFT JOIN ${from} ON ${alias}.tenant = $1 AND ${alias}.id = page.id
         ORDER BY page.place`
      : `SELECT counted.total, page.*
         FROM (SELECT count(*)::int AS total FROM ${from} WHERE ${where}) counted
         LEFT JOIN LATERAL (
           SELECT ordered.*, row_number() OVER () AS place FROM (
             SELECT ${selected} FROM ${from} WHERE ${where}
             ORDER BY ${key ? `${key} ${direction}, ` : ''}${alias}.id ${page}
           ) ordered
         ) page ON true
         ORDER BY page.place`;
    const { rows } = await this.#sql.query<ResourceRow & { total: number; id: string | null }>(
      text,
      statement.values,
    );
    return { total: rows[0]?.total ?? 0, rows: rows.filter((row) => row.id !== null).map(toStored) };
  }

  /** A page in the order of ids, without counting. */
  async keyset(type: ResourceType, query: KeysetQuery): Promise<StoredResource[]> {
    const statement = new Statement(type, this.#tenant, query.source);
    const where = statement.where(query.filter);
    const after = query.after === undefined ? '' : ` AND id > ${statement.bind(query.after)}::uuid`;
    const limit = `ORDER BY id LIMIT ${statement.bind(query.limit)}::bigint`;
    const from = `${tables[type]} ${alias}`;
    // The same fence as above, where few rows can match; where many do, the walk in order finds the page at once.
    const text =
      query.filter && namesOne(query.filter)
        ? `WITH matched AS MATERIALIZED (SELECT ${selected} FROM ${from} WHERE ${where})
           SELECT * FROM matched WHERE true${after} ${limit}`
        : `SELECT ${selected} FROM ${from} WHERE ${where}${after} ${limit}`;
    const { rows } = await this.#sql.query<ResourceRow>(text, statement.values);
    return rows.map(toStored);
  }

  count(type: ResourceType, query: Query): Promise<number> {
    const statement = new Statement(type, this.#tenant, query.source);
    return this.#count(statement, statement.where(query.filter));
  }

  async #count(statement: Statement, where: string): Promise<number> {
    const { rows } = await this.#sql.query<{ total: number }>(
      `SELECT count(*)::int AS total FROM ${tables[statement.type]} ${alias} WHERE ${where}`,
      statement.values,
    );
    return rows[0]?.total ?? 0;
  }
}

/** Collects the parameters of one statement; $1 is always the tenant. */
class Statement {
  readonly type: ResourceType;
  readonly values: unknown[];
  readonly #tenant: string;
  readonly #source: string;

  constructor(type: ResourceType, tenant: string, source: string) {
    this.type = type;
    this.values = [tenant];
    this.#tenant = tenant;
    this.#source = source;
  }

  bind(value: unknown): string {
    this.values.push(value);
    return `$${this.values.length}`;
  }

  where(filter: BoundFilter | undefined): string {
    const tenant = `${alias}.tenant = $1`;
    if (!filter) return tenant;
    const condition = compileSql(filter, this.#mapping());
    this.values.push(...condition.values);
    return `${tenant} AND (${condition.text})`;
  }

  sortKey(by: AttributeReference): string {
    const key = compileSortKey(by, this.#mapping());
    this.values.push(...key.values);
    return key.text;
  }

  #mapping() {
    return mappingOf(this.type, {
      tenant: this.#tenant,
      source: this.#source,
      firstParameter: this.values.length + 1,
    });
  }
}

/** Whether a filter asks for a certain text somewhere, which few resources have: a name, an address, an id. */
function namesOne(filter: BoundFilter): boolean {
  switch (filter.kind) {
    case 'and':
      return filter.operands.some(namesOne);
    case 'or':
      return filter.operands.every(namesOne);
    case 'element':
      return namesOne(filter.filter);
    case 'compare':
      return (
        filter.operator === 'eq' &&
        typeof filter.value === 'string' &&
        !filter.target.definition.canonicalValues
      );
    default:
      return false;
  }
}
