import type { AttributeReference, BoundFilter } from '@ostiary/scim';
import type { Position, StoredResource } from '../../resources/index.ts';
import type { ResourceType } from '../../schemas/index.ts';

export interface Sort {
  by: AttributeReference;
  descending: boolean;
}

export interface Query {
  filter: BoundFilter | undefined;
  /** The source whose externalId the filter compares. */
  source: string;
}

export interface IndexQuery extends Query {
  sort: Sort | undefined;
  offset: number;
  limit: number;
}

export interface CursorQuery extends Query {
  sort: Sort | undefined;
  /** Whether the order is read from its end. */
  backward?: boolean;
  after: Position | undefined;
  limit: number;
}

export interface IndexPage {
  /** Number of matches. */
  total: number;
  rows: StoredResource[];
}

export interface CursorPage {
  /** Number of matches, where known. */
  total?: number;
  rows: StoredResource[];
  /** The position of each row. */
  positions: Position[];
  /** Position after which the next page begins; absent at the end. A page may be short, even empty, and have it. */
  next?: Position;
}

/** Executes searches over a limited number of resources of one tenant. Results beyond the limits are undefined. */
export interface SearchIndex {
  /**
   * Returns a page by its offset, with the exact number of matches. Undefined when they are too many to be counted or
   * sorted.
   */
  page(type: ResourceType, query: IndexQuery): Promise<IndexPage | undefined>;
  /** Returns a page after a position. Undefined when the order would require sorting too many. */
  walk(type: ResourceType, query: CursorQuery): Promise<CursorPage | undefined>;
  /** Counts the matches; undefined when they are too many to be counted. */
  count(type: ResourceType, query: Query): Promise<number | undefined>;
}
