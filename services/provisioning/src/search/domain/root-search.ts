import { ScimError } from '@ostiary/scim';
import type { Caller } from '../../access/index.ts';
import { type ResourceType, resourceTypes, type ScimResource, withMeta } from '../../protocol/index.ts';
import type { Page, Resources, Selection } from '../../resources/index.ts';
import type { CursorScope, Cursors } from './cursors.ts';
import { type ListPage, patience, tooManyToFind } from './lists.ts';
import type { ListQuery } from './query.ts';
import { SortOrder } from './sort-order.ts';
import { type Progress, readProgress, TypeWalk } from './type-walk.ts';

export interface TypedResource {
  type: ResourceType;
  resource: ScimResource;
}

interface Context {
  resources: Resources;
  cursors: Cursors;
  caller: Caller;
}

/** Maximum index in the sorted list of all types, which requires a walk up to it. */
const deepest = 10_000;
/** Maximum number of reads of one type for a page; the directory may have to examine many resources to find few. */
const maxReads = 10;
/** Maximum number of resources per read where types are merged: the remainder has to fit into a cursor. */
const largestChunk = 200;

/**
 * Searches both resource types (RFC 7644 §3.4.3): in one order if requested, otherwise users before groups. A type
 * that lacks an attribute of the filter has no match (§3.4.2.1); a filter that fits neither type is an error.
 * @throws ScimError
 */
export async function searchAll(context: Context, query: ListQuery): Promise<ListPage<TypedResource>> {
  const { selection, projection } = query;
  const order = isSorted(selection) ? new SortOrder(selection) : undefined;
  const page = await search(context, query, order);
  if (!order) return page;
  const items = page.items.map(({ type, resource }) => ({
    type,
    resource: order.trim(resource, projection),
  }));
  return { ...page, items };
}

async function search(
  context: Context,
  query: ListQuery,
  order: SortOrder | undefined,
): Promise<ListPage<TypedResource>> {
  const { page } = query;
  if (page.method === 'cursor') return withCursor(context, query, page, order);
  return order
    ? sortedByIndex(context, query, page.startIndex, order)
    : byIndex(context, query, page.startIndex);
}

const isSorted = (selection: Selection): selection is Selection & { sortBy: string } =>
  selection.sortBy !== undefined;

async function withCursor(
  { resources, cursors, caller }: Context,
  query: ListQuery,
  page: { cursor: string; asked: boolean },
  order: SortOrder | undefined,
): Promise<ListPage<TypedResource>> {
  const { selection, count } = query;
  const scope: CursorScope = { caller, selection, requested: query.requested };
  const first = page.cursor === '';
  const [places, known] = first
    ? [[], undefined]
    : (cursors.open(scope, page.cursor) as [unknown[], number?]);
  const walks = walksOver({ resources, caller }, query, order, {
    chunk: Math.max(1, Math.min(count, largestChunk)),
    // Clients without cursors do not continue after an empty page.
    ...(page.asked
      ? { maxReads }
      : { maxReads: patience.pages, until: performance.now() + patience.milliseconds }),
    places,
  });
  const items = await merged(walks, order, count);
  // The first page examines every type: whether the filter fits any, and the totals.
  if (first) await Promise.all(walks.map((walk) => walk.peek()));
  refuseUnlessAnyFits(walks);
  const total = first ? sum(walks.map((walk) => walk.totalResults)) : (known ?? undefined);
  const left = await Promise.all(walks.map((walk) => walk.peek()));
  const over = left.every((next) => next === undefined) && !walks.some((walk) => walk.stalled);
  if (!page.asked && items.length === 0 && count > 0 && !over) throw tooManyToFind();
  return {
    ...(total === undefined ? {} : { totalResults: total }),
    ...(page.asked || total === undefined ? {} : { startIndex: 1 }),
    ...(over || count === 0 ? {} : { nextCursor: cursors.seal(scope, [placesOf(walks), total ?? null]) }),
    items,
  };
}

/** Returns the progress of each type, at the type's index. */
const placesOf = (walks: readonly TypeWalk[]): Progress[] =>
  resourceTypes.map((type) => walks.find((walk) => walk.type === type)?.progress ?? {});

function walksOver(
  { resources, caller }: { resources: Resources; caller: Caller },
  query: ListQuery,
  order: SortOrder | undefined,
  { places, ...from }: { chunk: number; maxReads: number; until?: number; places?: unknown[] },
): TypeWalk[] {
  const { selection } = query;
  const wanted = withMeta(query.projection);
  const projection = order ? order.including(wanted) : wanted;
  return resourceTypes.flatMap((type, at) => {
    if (!caller.rules.resourceTypes.includes(type)) return [];
    const progress: Progress = readProgress(places?.[at]);
    return new TypeWalk({ resources, caller, type, selection, projection, ...from }, progress);
  });
}

/** Returns the next resources in the order, or type by type without one. */
async function merged(
  walks: readonly TypeWalk[],
  order: SortOrder | undefined,
  count: number,
): Promise<TypedResource[]> {
  const items: TypedResource[] = [];
  while (items.length < count) {
    let best: { walk: TypeWalk; resource: ScimResource } | undefined;
    for (const walk of walks) {
      const resource = await walk.peek();
      if (walk.stalled) return items;
      if (resource === undefined) continue;
      if (best === undefined || (order && order.compare(resource, best.resource) < 0))
        best = { walk, resource };
      if (!order) break;
    }
    if (best === undefined) break;
    items.push({ type: best.walk.type, resource: best.resource });
    best.walk.take();
  }
  return items;
}

async function sortedByIndex(
  context: Context,
  query: ListQuery,
  startIndex: number,
  order: SortOrder,
): Promise<ListPage<TypedResource>> {
  const end = startIndex - 1 + query.count;
  if (query.count > 0 && end > deepest) {
    throw ScimError.tooMany(
      `A sorted search over all types reaches ${deepest} resources by index. Use a cursor, or a narrower filter.`,
    );
  }
  const { totalResults = 0 } = await byIndex(context, { ...query, count: 0 }, 1);
  const walks = walksOver(context, query, order, { chunk: largestChunk, maxReads: deepest / largestChunk });
  const items = query.count === 0 ? [] : await merged(walks, order, end);
  if (walks.some((walk) => walk.stalled)) {
    throw ScimError.tooMany(
      'Too many resources must be searched by index. Use a cursor, or a narrower filter.',
    );
  }
  return { totalResults, startIndex, items: items.slice(startIndex - 1) };
}

async function byIndex(
  context: Context,
  query: ListQuery,
  startIndex: number,
): Promise<ListPage<TypedResource>> {
  const items: TypedResource[] = [];
  const refusals: ScimError[] = [];
  let totalResults = 0;
  let isCut = false;
  const types = context.caller.rules.resourceTypes;
  for (const type of types) {
    const first = Math.max(1, startIndex - totalResults);
    const count: number = isCut ? 0 : query.count - items.length;
    const found = await pageOf(context, type, query, { startIndex: first, count });
    if (found instanceof ScimError) refusals.push(found);
    else {
      items.push(...found.Resources.map((resource) => ({ type, resource })));
      totalResults += found.totalResults ?? 0;
      // Where the directory returns fewer than exist, the page ends: the next resources are of this type, not of
      // another.
      const there = Math.max(0, (found.totalResults ?? 0) - (first - 1));
      isCut ||= found.Resources.length < Math.min(count, there);
    }
  }
  if (refusals[0] && refusals.length === types.length) throw refusals[0];
  return { totalResults, startIndex, items };
}

/** Returns a page of one type, or the error why the query does not fit it. */
async function pageOf(
  { resources, caller }: Context,
  type: ResourceType,
  { selection, projection }: ListQuery,
  page: { startIndex: number; count: number },
): Promise<Page | ScimError> {
  try {
    return await resources.search(caller, type, {
      ...selection,
      ...withMeta(projection),
      paging: 'index',
      ...page,
    });
  } catch (error) {
    if (error instanceof ScimError && error.status === 400 && error.scimType !== 'tooMany') return error;
    throw error;
  }
}

function refuseUnlessAnyFits(walks: readonly TypeWalk[]): void {
  const [refusal] = walks.map((walk) => walk.refusal);
  if (refusal && walks.every((walk) => walk.refusal)) throw refusal;
}

const sum = (numbers: readonly (number | undefined)[]): number | undefined =>
  numbers.reduce(
    (total, number) => (total === undefined || number === undefined ? undefined : total + number),
    0,
  );
