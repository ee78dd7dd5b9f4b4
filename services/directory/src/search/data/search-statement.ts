import {
  type BoundFilter,
  compileCandidates,
  compileSortKey,
  compileSql,
  type SqlCandidates,
  type SqlMapping,
  type SqlSortKey,
} from '@ostiary/scim';
import type { Position } from '../../resources/index.ts';
import type { ResourceType } from '../../schemas/index.ts';
import type { Sort } from '../domain/search-index.ts';
import { alias, mappingOf, scope } from './mapping.ts';

/** The order of a search. Without a key it is that of the ids, which is the order of creation. */
export interface Ordering {
  key: SqlSortKey | undefined;
  descending: boolean;
}

const tables = { User: 'directory.users', Group: 'directory.groups' } as const;

/**
 * Returns a limit for the text of a statement, where the planner sees it; it estimates a parameter as a tenth of the
 * table. There are few different ones, because each makes another statement to prepare.
 */
export const visibleLimit = (rows: number): number =>
  [2, 11, 101, 201, 501, 1001, 2001, 5001, 10_001, 20_001, 50_001].find((limit) => rows <= limit) ??
  10 ** Math.ceil(Math.log10(rows));

/** Collects the parameters of one statement; $1 is always the tenant. */
export class Statement {
  readonly type: ResourceType;
  readonly values: unknown[];
  readonly tableName: string;
  /** With its alias. */
  readonly table: string;
  readonly #tenant: string;
  readonly #source: string;

  constructor(type: ResourceType, tenant: string, source: string, values: readonly unknown[] = [tenant]) {
    this.type = type;
    this.values = [...values];
    this.tableName = tables[type];
    this.table = `${this.tableName} ${alias}`;
    this.#tenant = tenant;
    this.#source = source;
  }

  /** Returns a copy whose later parameters are its own. */
  fork(): Statement {
    return new Statement(this.type, this.#tenant, this.#source, this.values);
  }

  bind(value: unknown): string {
    this.values.push(value);
    return `$${this.values.length}`;
  }

  /** Returns a condition that is true for matching resources and false for all others, never null. */
  matches(filter: BoundFilter | undefined): string {
    if (!filter) return scope;
    const condition = compileSql(filter, this.#mapping());
    this.values.push(...condition.values);
    return `(${scope} AND (${condition.text})) IS TRUE`;
  }

  candidates(filter: BoundFilter | undefined): SqlCandidates | undefined {
    const found = filter && compileCandidates(filter, this.#mapping());
    if (found) this.values.push(...found.values);
    return found;
  }

  /** @param backward whether the order is read from its end */
  ordering(sort: Sort | undefined, backward = false): Ordering {
    if (!sort) return { key: undefined, descending: backward };
    const key = compileSortKey(sort.by, this.#mapping());
    this.values.push(...key.values);
    return { key, descending: sort.descending !== backward };
  }

  /** Returns the number of resources of the type in the tenant. */
  get total(): string {
    return `(SELECT coalesce(sum(c.total), 0)::int4 FROM directory.resource_counts c
      WHERE c.tenant = $1 AND c.resource_type = '${this.type}')`;
  }

  /** Returns the key as text for a position. */
  keyText({ key }: Ordering): string {
    return key ? `(${key.text})::text` : 'NULL::text';
  }

  /**
   * Reads at most `limit` resources in order from a position, each as `columns`. Those with a key and those without
   * are two parts, because each is one range of the index.
   */
  walk(
    ordering: Ordering,
    options: { after?: Position | undefined; columns: string; limit: number },
  ): string {
    const { after, columns, limit } = options;
    const { key, descending } = ordering;
    const direction = descending ? 'DESC' : 'ASC';
    const beyond = descending ? '<' : '>';
    const read = (condition: string) => `(SELECT ${columns} FROM ${this.table}
      WHERE ${scope} AND ${condition}
      ORDER BY ${key ? `${key.text} ${direction}, ` : ''}${alias}.id ${direction} LIMIT ${limit})`;
    if (!key) return read(after ? `${alias}.id ${beyond} ${this.bind(after.id)}::uuid` : 'TRUE');
    const id = after && `${this.bind(after.id)}::uuid`;
    const afterKey = after?.key ?? undefined;
    const withKey =
      id !== undefined && afterKey !== undefined
        ? `(${key.text}, ${alias}.id) ${beyond} (${this.bind(afterKey)}::${key.type}, ${id})`
        : `${key.text} IS NOT NULL`;
    const amongNulls = id !== undefined && afterKey === undefined;
    const withoutKey = `${key.text} IS NULL${amongNulls ? ` AND ${alias}.id ${beyond} ${id}` : ''}`;
    // No value counts as the largest (RFC 7644 §3.4.2.3 leaves it open): last in ascending order, first in
    // descending.
    if (descending) return afterKey !== undefined ? read(withKey) : union(read(withoutKey), read(withKey));
    return amongNulls ? read(withoutKey) : union(read(withKey), read(withoutKey));
  }

  #mapping(): SqlMapping {
    return mappingOf(this.type, {
      tenant: this.#tenant,
      source: this.#source,
      firstParameter: this.values.length + 1,
    });
  }
}

const union = (first: string, second: string): string => `(${first} UNION ALL ${second})`;

/** Returns ORDER BY over rows with `sort_key` and `id`. */
export function orderBy({ key, descending }: Ordering): string {
  const direction = descending ? 'DESC' : 'ASC';
  return `${key ? `sort_key ${direction}, ` : ''}id ${direction}`;
}

/** Returns the condition for rows after the position, over rows with `sort_key` and `id`. */
export function behind(statement: Statement, { key, descending }: Ordering, after: Position): string {
  const beyond = descending ? '<' : '>';
  const id = `${statement.bind(after.id)}::uuid`;
  if (!key) return `id ${beyond} ${id}`;
  const afterKey = after.key ?? undefined;
  if (afterKey === undefined) {
    const sameKey = `(sort_key IS NULL AND id ${beyond} ${id})`;
    return descending ? `(${sameKey} OR sort_key IS NOT NULL)` : sameKey;
  }
  const further = `(sort_key, id) ${beyond} (${statement.bind(afterKey)}::${key.type}, ${id})`;
  return descending ? further : `(${further} OR sort_key IS NULL)`;
}
