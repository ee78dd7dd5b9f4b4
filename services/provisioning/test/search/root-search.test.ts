import { randomBytes } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { compareCodePoints, ScimError } from '@ostiary/scim';
import { keyRing, uuidv7 } from '@ostiary/service';
import { clientCaller } from '../../src/access/domain/caller.ts';
import type { ResourceType, ScimResource } from '../../src/protocol/domain/resource.ts';
import type { Credentials } from '../../src/resources/domain/credentials.ts';
import type { Directory, Page, Query } from '../../src/resources/domain/directory.ts';
import { Resources } from '../../src/resources/domain/resources.ts';
import { Cursors } from '../../src/search/domain/cursors.ts';
import type { ListQuery } from '../../src/search/domain/query.ts';
import { searchAll } from '../../src/search/domain/root-search.ts';

const caller = clientCaller('demo', 'c1', new Set(['scim:read']), undefined);
const cursors = new Cursors({ keys: keyRing(randomBytes(32)), lifetimeSeconds: 60, clock: Date.now });
const refuse = async (): Promise<never> => {
  throw new Error('not in this test');
};

/** Users and groups in memory, ordered and paged as the directory does it. */
function directoryOf(
  stored: Record<ResourceType, ScimResource[]>,
  o: { lacks?: ResourceType; most?: number } = {},
) {
  const asked: { type: ResourceType; query: Query }[] = [];
  const directory: Directory = {
    create: refuse,
    read: refuse,
    replace: refuse,
    patch: refuse,
    remove: refuse,
    schemas: refuse,
    async search({ tenant: _t, actor: _a, source: _s, type, ...query }): Promise<Page> {
      asked.push({ type, query: query as Query });
      if (o.lacks === type) throw ScimError.invalidFilter('No such attribute.');
      const keyOf = (resource: ScimResource) =>
        query.sortBy === undefined
          ? null
          : ((resource.displayName as string | undefined)?.toLowerCase() ?? null);
      const sign = query.sortOrder === 'descending' ? -1 : 1;
      const compare = (a: { key: unknown; id: string }, b: { key: unknown; id: string }): number => {
        const nulls = Number(a.key === null) - Number(b.key === null);
        const keys = nulls !== 0 || a.key === null ? nulls : compareCodePoints(String(a.key), String(b.key));
        return keys !== 0 ? sign * keys : compareCodePoints(a.id, b.id);
      };
      const all = stored[type]
        .map((resource) => ({ resource, key: keyOf(resource), id: String(resource.id) }))
        .sort(compare);
      if (query.paging === 'index') {
        const count = Math.min(query.count, o.most ?? query.count);
        const page = all.slice(query.startIndex - 1, query.startIndex - 1 + count);
        return { totalResults: all.length, Resources: page.map(({ resource }) => resource) };
      }
      const { after } = query;
      const rest = after
        ? all.filter((it) => compare(it, { key: after.key ?? null, id: after.id }) > 0)
        : all;
      const page = rest.slice(0, query.count);
      const last = page.at(-1);
      return {
        totalResults: all.length,
        Resources: page.map(({ resource }) => resource),
        ...(last && rest.length > page.length ? { next: { key: last.key, id: last.id } } : {}),
      };
    },
  };
  const resources = new Resources({
    directory,
    credentials: {} as Credentials,
    administrators: {} as never,
    maySetPasswords: async () => undefined,
  });
  return { asked, stored, context: { resources, cursors, caller } };
}

const query = (
  o: Partial<ListQuery> & {
    cursor?: string;
    startIndex?: number;
    sortOrder?: 'descending';
    sorted?: boolean;
  },
): ListQuery => ({
  selection: o.sorted ? { sortBy: 'displayName', ...(o.sortOrder ? { sortOrder: o.sortOrder } : {}) } : {},
  projection: o.projection ?? {},
  count: o.count ?? 10,
  requested: o.count,
  page:
    o.startIndex === undefined
      ? { method: 'cursor', cursor: o.cursor ?? '', asked: true }
      : { method: 'index', startIndex: o.startIndex },
});

const resource = (displayName: string | undefined): ScimResource => ({
  id: uuidv7(),
  ...(displayName === undefined ? {} : { displayName }),
  meta: { version: 'W/"1"' },
});

function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}

async function walk(
  context: Parameters<typeof searchAll>[0],
  o: Parameters<typeof query>[0],
  between: () => void = () => undefined,
): Promise<ScimResource[]> {
  const found: ScimResource[] = [];
  let cursor: string | undefined = '';
  while (cursor !== undefined) {
    const page = await searchAll(context, query({ ...o, cursor }));
    expect(page.items.length).toBeLessThanOrEqual(o.count ?? 10);
    if (page.nextCursor !== undefined) expect(page.items.length).toBeGreaterThan(0);
    found.push(...page.items.map((item) => item.resource));
    cursor = page.nextCursor;
    between();
  }
  return found;
}

const nameOf = (it: ScimResource) => (it.displayName as string | undefined)?.toLowerCase() ?? null;

describe('Without an order', () => {
  test('Users come first, then groups, over any number of pages.', async () => {
    const users = Array.from({ length: 7 }, () => resource('u'));
    const groups = Array.from({ length: 4 }, () => resource('g'));
    const { context } = directoryOf({ User: users, Group: groups });
    for (const count of [1, 2, 3, 7, 11, 100]) {
      expect((await walk(context, { count })).map(({ id }) => id)).toEqual(
        [...users, ...groups].map(({ id }) => id),
      );
    }
    const first = await searchAll(context, query({ count: 3 }));
    expect(first.totalResults).toBe(11);
    const second = await searchAll(context, query({ count: 3, cursor: first.nextCursor as string }));
    expect(second.totalResults).toBe(11);
  });

  test('Pages that the directory shortens neither skip nor mix up any results.', async () => {
    const Users = Array.from({ length: 8 }, (_, i) => resource(`u${i}`));
    const Groups = Array.from({ length: 5 }, (_, i) => resource(`g${i}`));
    const { context } = directoryOf({ User: Users, Group: Groups }, { most: 3 });
    const found: unknown[] = [];
    for (let total = Number.POSITIVE_INFINITY; found.length < total; ) {
      const page = await searchAll(context, query({ startIndex: found.length + 1, count: 6 }));
      expect(page.items.length).toBeGreaterThan(0);
      found.push(...page.items.map((item) => item.resource.displayName));
      total = page.totalResults ?? 0;
    }
    expect(found).toEqual([...Users, ...Groups].map((one) => one.displayName));
  });

  test('A search without users and groups ends immediately.', async () => {
    const { context } = directoryOf({ User: [], Group: [] });
    expect(await searchAll(context, query({}))).toEqual({ totalResults: 0, items: [] });
  });

  test('A filter that fits one type finds that type, and one that fits neither is an error.', async () => {
    const found = directoryOf({ User: [resource('u')], Group: [resource('g')] }, { lacks: 'User' });
    expect((await walk(found.context, {})).map(nameOf)).toEqual(['g']);
    const none = directoryOf({ User: [], Group: [] });
    none.context.resources.search = () => Promise.reject(ScimError.invalidFilter('No such attribute.'));
    await expect(searchAll(none.context, query({}))).rejects.toMatchObject({ scimType: 'invalidFilter' });
    await expect(searchAll(none.context, query({ startIndex: 1 }))).rejects.toMatchObject({
      scimType: 'invalidFilter',
    });
  });

  test('A search with too many results for the directory is rejected as tooMany.', async () => {
    const { context } = directoryOf({ User: [], Group: [] });
    context.resources.search = () => Promise.reject(ScimError.tooMany('Use a cursor.'));
    await expect(searchAll(context, query({ startIndex: 1 }))).rejects.toMatchObject({ scimType: 'tooMany' });
  });
});

describe('In an order', () => {
  const make = (seed: number) => {
    const next = random(seed);
    const some = (n: number) =>
      Array.from({ length: n }, () =>
        resource(next() < 0.1 ? undefined : `${next() < 0.5 ? 'N' : 'n'}ame-${Math.floor(next() * 30)}`),
      );
    return { next, User: some(Math.floor(next() * 60)), Group: some(Math.floor(next() * 60)) };
  };

  test.each([1, 2, 3, 4, 5, 6])(
    'Users and groups are merged in both directions, by cursor and by index (%i).',
    async (seed) => {
      const { User, Group } = make(seed);
      const { context } = directoryOf({ User, Group });
      const ids = new Set([...User, ...Group].map(({ id }) => id));
      for (const sortOrder of [undefined, 'descending'] as const) {
        for (const count of [1, 7, 50, 500]) {
          const found = await walk(context, { count, sorted: true, ...(sortOrder ? { sortOrder } : {}) });
          expect(found.map(({ id }) => id).sort()).toEqual([...ids].sort());
          const names = found.map(nameOf);
          const sorted = [...names].sort((a, b) => {
            const order =
              a === null || b === null ? Number(a === null) - Number(b === null) : compareCodePoints(a, b);
            return sortOrder ? -order : order;
          });
          expect(names).toEqual(sorted);
        }
        const whole = await walk(context, { count: 500, sorted: true, ...(sortOrder ? { sortOrder } : {}) });
        const slice = await searchAll(
          context,
          query({ startIndex: 6, count: 9, sorted: true, ...(sortOrder ? { sortOrder } : {}) }),
        );
        expect(slice.items.map(({ resource: { id } }) => id)).toEqual(whole.slice(5, 14).map(({ id }) => id));
        expect(slice.totalResults).toBe(ids.size);
      }
    },
  );

  test.each([11, 12, 13, 14])(
    'A walk during changes misses no resource that exists throughout (%i).',
    async (seed) => {
      const { next, User, Group } = make(seed);
      const { context, stored } = directoryOf({ User, Group });
      const throughout = new Set([...User, ...Group].map(({ id }) => id));
      const change = () => {
        for (const type of ['User', 'Group'] as const) {
          const gone = Math.floor(next() * stored[type].length);
          const [removed] = stored[type].splice(gone, 1);
          if (removed) throughout.delete(removed.id);
          stored[type].push(resource(`name-${Math.floor(next() * 30)}`));
        }
      };
      const found = (await walk(context, { count: 4, sorted: true }, change)).map(({ id }) => id);
      expect(new Set(found).size).toBe(found.length);
      for (const id of throughout) expect(found).toContain(id);
    },
  );

  test('The sort attribute is requested from the directory, and returned only when the client requested it.', async () => {
    const { context, asked } = directoryOf({ User: [resource('u')], Group: [] });
    const named = await searchAll(context, query({ sorted: true, projection: { attributes: ['userName'] } }));
    expect(asked[0]?.query.attributes).toEqual(['userName', 'meta', 'displayName']);
    expect(named.items[0]?.resource.displayName).toBeUndefined();
    const without = await searchAll(
      context,
      query({ sorted: true, projection: { excludedAttributes: ['displayName'] } }),
    );
    expect(without.items[0]?.resource.displayName).toBeUndefined();
    const shown = await searchAll(
      context,
      query({ sorted: true, projection: { attributes: ['displayName'] } }),
    );
    expect(shown.items[0]?.resource.displayName).toBe('u');
  });

  test('A sorted search by index has a maximum index, above which it is rejected as tooMany.', async () => {
    const { context } = directoryOf({ User: [resource('u')], Group: [] });
    const far = query({ sorted: true, startIndex: 9_995, count: 10 });
    await expect(searchAll(context, far)).rejects.toMatchObject({ scimType: 'tooMany' });
    expect(
      await searchAll(context, query({ sorted: true, startIndex: 2 ** 31 - 1, count: 0 })),
    ).toMatchObject({
      totalResults: 1,
    });
  });
});
