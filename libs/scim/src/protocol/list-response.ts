import type { Resource } from '../json.ts';
import { LIST_RESPONSE } from '../urns.ts';

/** Parts of a ListResponse. `startIndex` is 1-based; the cursors are RFC 9865's. */
export interface ListResponseParts {
  resources: readonly Resource[];
  /** May be absent with cursors if unknown (RFC 9865 §2). */
  totalResults?: number;
  startIndex?: number;
  /** Default: the number of resources. */
  itemsPerPage?: number;
  nextCursor?: string;
  previousCursor?: string;
}

export interface ListResponse {
  schemas: string[];
  totalResults?: number;
  startIndex?: number;
  itemsPerPage: number;
  nextCursor?: string;
  previousCursor?: string;
  Resources: readonly Resource[];
}

/** A ListResponse message (RFC 7644 §3.4.2, RFC 9865 §2). */
export function listResponse(parts: ListResponseParts): ListResponse {
  return {
    schemas: [LIST_RESPONSE],
    ...(parts.totalResults === undefined ? {} : { totalResults: parts.totalResults }),
    ...(parts.startIndex === undefined ? {} : { startIndex: parts.startIndex }),
    itemsPerPage: parts.itemsPerPage ?? parts.resources.length,
    ...(parts.nextCursor === undefined ? {} : { nextCursor: parts.nextCursor }),
    ...(parts.previousCursor === undefined ? {} : { previousCursor: parts.previousCursor }),
    Resources: parts.resources,
  };
}
