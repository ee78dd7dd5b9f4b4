import { ScimError } from '@ostiary/scim';
import type { Caller } from '../../access/index.ts';
import { type ResourceType, type ScimResource, withMeta } from '../../protocol/index.ts';
import type { Page, Position, Resources } from '../../resources/index.ts';
import type { CursorScope, Cursors } from './cursors.ts';
import type { ListQuery } from './query.ts';

/** One page of a list, in the form of a ListResponse. */
export interface ListPage<Item = ScimResource> {
  totalResults?: number;
  /** Absent when the client sent a cursor. */
  startIndex?: number;
  nextCursor?: string;
  previousCursor?: string;
  items: Item[];
}

/**
 * Returns one page of one resource type (RFC 7644 §3.4.2.4, RFC 9865). A client that states no method gets a cursor
 * and `startIndex`, either of which leads to the next page.
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
  const place = page.cursor === '' ? {} : readPlace(cursors.open(scope, page.cursor));
  const ask = (at: Place) => resources.search(caller, type, { ...asked, paging: 'cursor', ...at });
  const found =
    page.asked || count === 0
      ? await ask(place)
      : await firstWithResources(await ask(place), (after) => ask({ after }));
  const whole = place.after === undefined && !found.next && !found.previous && count > 0;
  // Pages without resources cannot be continued.
  const cursorTo = (to: Place | undefined) => (to && count > 0 ? cursors.seal(scope, sealed(to)) : undefined);
  const { next, previous } = neighboursOf(place, found);
  const [nextCursor, previousCursor] = [cursorTo(next), cursorTo(previous)];
  const total = found.totalResults ?? (whole ? found.Resources.length : undefined);
  return {
    ...(total === undefined ? {} : { totalResults: total }),
    ...(page.asked || total === undefined ? {} : { startIndex: 1 }),
    ...(nextCursor === undefined ? {} : { nextCursor }),
    ...(previousCursor === undefined ? {} : { previousCursor }),
    items: found.Resources,
  };
}

/**
 * Maximum time in milliseconds, and maximum number of pages, for the first match of a client that may not support
 * cursors.
 */
export const patience = { milliseconds: 10_000, pages: 40 } as const;

/**
 * Returns the first page that has a resource. Clients with cursors continue after an empty page (RFC 9865 §2); to a
 * client of RFC 7644 alone it means that there is no match.
 * @throws ScimError tooMany when no match was found in time and not all resources were examined
 */
async function firstWithResources(first: Page, next: (after: Position) => Promise<Page>): Promise<Page> {
  const began = performance.now();
  let page = first;
  for (let pages = 1; page.next && page.Resources.length === 0; pages += 1) {
    if (pages >= patience.pages || performance.now() - began > patience.milliseconds) throw tooManyToFind();
    const { previous: _, ...found } = await next(page.next);
    page = found;
  }
  return page;
}

/** RFC 7644 §3.12 */
export const tooManyToFind = (): ScimError =>
  ScimError.tooMany(
    'Too many resources must be examined to find the first match. Narrow the filter, or page with cursors (RFC 9865): send "cursor", empty for the first page.',
  );

/**
 * Position after which a page of one type begins, or with `backward` before which it ends; absent at either end of
 * the list.
 */
interface Place {
  after?: Position;
  backward?: true;
}

/**
 * Returns the adjacent pages. A client can go back to its page, also from an empty page beyond either end of the
 * list.
 */
function neighboursOf(place: Place, { next, previous, Resources }: Page): { next?: Place; previous?: Place } {
  const isLost = place.after !== undefined && Resources.length === 0;
  const forward: Place | undefined = next ? { after: next } : isLost && place.backward ? {} : undefined;
  const back: Place | undefined = previous
    ? { after: previous, backward: true }
    : isLost && !place.backward
      ? { backward: true }
      : undefined;
  return { ...(forward && { next: forward }), ...(back && { previous: back }) };
}

/** Returns the content of a cursor: most lead forward, and are only the position. */
const sealed = ({ after, backward }: Place): unknown =>
  backward ? { before: after ?? null } : (after ?? null);

/** Parses the output of `sealed`; only this service issues cursors. */
function readPlace(opened: unknown): Place {
  const place = opened as Position | { before: Position | null } | null;
  if (place === null) return {};
  if (!('before' in place)) return { after: place };
  return { backward: true, ...(place.before && { after: place.before }) };
}

export const totalOf = ({ totalResults }: Page): { totalResults?: number } =>
  totalResults === undefined ? {} : { totalResults };
