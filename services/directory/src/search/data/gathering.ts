import type { Position } from '../../resources/index.ts';
import type { ResourceType } from '../../schemas/index.ts';
import type { Query, Sort } from '../domain/search-index.ts';
import { alias, scope } from './mapping.ts';
import { cheap, costOf } from './search-cost.ts';
import { Statement } from './search-statement.ts';

/** What is looked for, and in which order. */
export interface Wanted extends Query {
  tenant: string;
  sort: Sort | undefined;
  backward?: boolean | undefined;
}

export interface Page {
  offset: number;
  limit: number;
  after: Position | undefined;
}

/** What is compared with the filter, and which part of what matches is wanted. */
export interface Gathering extends Page {
  /** With the parameters of the parts below. */
  query: Statement;
  sort: Sort | undefined;
  backward?: boolean | undefined;
  /** No more rows are looked at than this. */
  most: number;
  matches: string;
  condition: string;
  /** Finds the same among all tenants: for one that has nearly all the resources there are. */
  unscoped?: string;
  order: string;
  /** So many matches at the ends of the tenant are too many. */
  sampled?: number;
  small?: string;
  /** An identifier is looked up, or a bounded number of candidates is compared with little. */
  quick?: boolean;
}

/** What an index finds for a part of the filter; undefined when there is no such index. */
export function candidatesOf(
  type: ResourceType,
  wanted: Wanted,
  { common, ...page }: Page & { most: number; common?: number },
): Gathering | undefined {
  const query = new Statement(type, wanted.tenant, wanted.source);
  const matches = query.matches(wanted.filter);
  const candidates = query.candidates(wanted.filter);
  if (!candidates) return undefined;
  const sampled = candidates.selective ? undefined : common;
  const rare = sampled === undefined ? '' : ` AND (SELECT hits FROM sample) < ${sampled}`;
  return {
    ...page,
    query,
    sort: wanted.sort,
    backward: wanted.backward,
    matches,
    condition: `${candidates.text}${rare}`,
    ...(candidates.unscoped !== undefined && { unscoped: `${candidates.unscoped}${rare}` }),
    order: candidates.order === undefined ? '' : ` ORDER BY ${candidates.order}`,
    ...(sampled !== undefined && { sampled }),
    quick: candidates.selective || costOf(wanted.filter) <= cheap,
  };
}

/** All of the tenant, if it is small enough. */
export function everythingOf(type: ResourceType, wanted: Wanted, page: Page & { most: number }): Gathering {
  const query = new Statement(type, wanted.tenant, wanted.source);
  const small = `${query.total} <= ${page.most}`;
  return {
    ...page,
    query,
    sort: wanted.sort,
    backward: wanted.backward,
    matches: query.matches(wanted.filter),
    condition: `${scope} AND ${small}`,
    order: ` ORDER BY ${alias}.id`,
    small,
  };
}
