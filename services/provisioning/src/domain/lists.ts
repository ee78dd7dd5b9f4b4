import type { Caller } from './caller.ts';
import type { CursorScope, Cursors } from './cursors.ts';
import type { Page, Position, ResourceType, ScimResource } from './ports.ts';
import { withMeta } from './projection.ts';
import type { ListQuery } from './query.ts';
import type { Resources } from './resources.ts';

/** One page of a list, as a ListResponse says it. */
export interface ListPage<Item = ScimResource> {
  totalResults?: number;
  /** Absent with a cursor of the client's. */
  startIndex?: number;
  nextCursor?: string;
  items: Item[];
}

/**
 * One page of one resource type (RFC 7644 section 3.4.2.4, RFC 9865). A client that doesn't say how it pages gets a
 * cursor, and `startIndex` as well: whichever it knows leads to the next page.
 * @throws ScimError
 */
export async function listResources(
  context: { resources: Resources; cursors: Cursors; caller: Caller; type: ResourceType },
  query: ListQuery,
): Promise<ListPage> {
  const { resources, cursors, caller, type } = context;
  const { selection, count, page } = query;
  const asked = { ...selection, ...withMeta(query.projection), count };
  if (page.method === 'index') {
    const found = await resources.search(caller, type, {
      ...asked,
      paging: 'index',
      startIndex: page.startIndex,
    });
    return { ...totalOf(found), startIndex: page.startIndex, items: found.Resources };
  }
  const scope: CursorScope = { caller, type, selection, requested: query.requested };
  const after = page.cursor === '' ? undefined : (cursors.open(scope, page.cursor) as Position);
  const found = await resources.search(caller, type, {
    ...asked,
    paging: 'cursor',
    ...(after ? { after } : {}),
  });
  const whole = after === undefined && found.next === undefined && count > 0;
  const total = found.totalResults ?? (whole ? found.Resources.length : undefined);
  return {
    ...(total === undefined ? {} : { totalResults: total }),
    ...(page.asked || total === undefined ? {} : { startIndex: 1 }),
    // Without resources there is no getting on.
    ...(found.next && count > 0 ? { nextCursor: cursors.seal(scope, found.next) } : {}),
    items: found.Resources,
  };
}

export const totalOf = ({ totalResults }: Page): { totalResults?: number } =>
  totalResults === undefined ? {} : { totalResults };
