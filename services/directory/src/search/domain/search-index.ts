import type { AttributeReference, BoundFilter } from '@ostiary/scim';
import type { Position, StoredResource } from '../../resources/index.ts';
import type { ResourceType } from '../../schemas/index.ts';

/** What to order by. */
export interface Sort {
  by: AttributeReference;
  descending: boolean;
}

/** What is looked for. */
export interface Query {
  filter: BoundFilter | undefined;
  /** Whose externalId the filter is about. */
  source: string;
}

export interface IndexQuery extends Query {
  sort: Sort | undefined;
  offset: number;
  limit: number;
}

export interface CursorQuery extends Query {
  sort: Sort | undefined;
  /** Whether the order is gone through from its end. */
  backward?: boolean;
  after: Position | undefined;
  limit: number;
}

export interface IndexPage {
  /** How many match altogether. */
  total: number;
  rows: StoredResource[];
}

export interface CursorPage {
  /** How many match altogether, where that is known. */
  total?: number;
  rows: StoredResource[];
  /** The place of each row. */
  positions: Position[];
  /** Where to go on; absent when there is no more. A page may be short, even empty, and have it. */
  next?: Position;
}

/** Executes searches over the resources of one tenant, over so many of them at most. What can't be determined within the limits is undefined. */
export interface SearchIndex {
  /** A page by its offset, with the exact number of matches. Undefined when they are too many to be counted or sorted. */
  page(type: ResourceType, query: IndexQuery): Promise<IndexPage | undefined>;
  /** A page that begins behind a position. Undefined when the order can't be had without sorting too many. */
  walk(type: ResourceType, query: CursorQuery): Promise<CursorPage | undefined>;
  /** How many match; undefined when they are too many to be counted. */
  count(type: ResourceType, query: Query): Promise<number | undefined>;
}
