import type { CursorQuery, IndexQuery, Query } from '../domain/search-index.ts';

/** A page of all resources of a tenant, by its offset. */
export interface Slice extends IndexQuery {
  tenant: string;
  /** Offset from which reading from the end may be shorter. */
  far: number;
}

/** A page of all resources of a tenant, after a position. */
export interface Walk extends CursorQuery {
  tenant: string;
}

/** Resources that are examined in order, up to a maximum. */
export interface Look extends Walk {
  most: number;
}

/** A query whose number of matches is estimated. */
export interface Estimate extends Query {
  tenant: string;
}
