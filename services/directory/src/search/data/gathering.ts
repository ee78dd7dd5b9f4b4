import type { Position } from '../../resources/index.ts';
import type { ResourceType } from '../../schemas/index.ts';
import type { Query, Sort } from '../domain/search-index.ts';
import { alias, scope } from './mapping.ts';
import { cheap, costOf } from './search-cost.ts';
import { Statement } from './search-statement.ts';

/** A query with its tenant and order. */
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

/** The examined rows and the requested part of the matches. */
export interface Gathering extends Page {
  /** With the parameters of the parts below. */
  query: Statement;
  sort: Sort | undefined;
  backward?: boolean | undefined;
  /** Maximum number of examined rows. */
  most: number;
  matches: string;
  condition: string;
  /** Finds the same among all tenants: for a tenant that has nearly all resources. */
  unscoped?: string;
  order: string;
  /** Number of matches, sampled from the ends of the tenant, above which there are too many. */
  sampled?: number;
  small?: string;
  /** Whether an identifier is looked up, or a bounded number of candidates is compared cheaply. */
  quick?: boolean;
}

/** Returns the candidates that an index finds for a part of the filter; undefined when no index supports it. */
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

/** Returns all resources of the tenant, if they are few enough. */
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
