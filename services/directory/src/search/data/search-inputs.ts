import type { CursorQuery, IndexQuery, Query } from '../domain/search-index.ts';

/** A page by its offset, of all resources of a tenant. */
export interface Slice extends IndexQuery {
  tenant: string;
  /** From here on the way from the end may be shorter. */
  far: number;
}

/** A page behind a position, of all resources of a tenant. */
export interface Walk extends CursorQuery {
  tenant: string;
}

/** Resources that are looked at in order, as many as are allowed. */
export interface Look extends Walk {
  most: number;
}

/** About how many match. */
export interface Estimate extends Query {
  tenant: string;
}
