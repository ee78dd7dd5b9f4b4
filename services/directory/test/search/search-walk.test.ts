import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  bindFilter,
  bindSortBy,
  compareCodePoints,
  coreRegistry,
  foldCase,
  parseFilter,
} from '@ostiary/scim';
import type { Position } from '../../src/resources/domain/ports.ts';
import { Search } from '../../src/search/data/search.ts';
import {
  type Harness,
  type Json,
  startDirectory,
  type TenantClient,
  tenantClient,
} from '../support/harness.ts';
import { insertUsers, partsOf } from '../support/people.ts';

const registry = coreRegistry();
let harness: Harness;

beforeAll(async () => {
  harness = await startDirectory();
});
afterAll(() => harness.stop());

interface Walk {
  filter?: string;
  sortBy?: string;
  sortOrder?: 'ascending' | 'descending';
  count?: number;
}

/** Returns every page of a walk, and calls `between` between two pages. */
async function walk(
  client: TenantClient,
  query: Walk,
  between: () => Promise<unknown> = async () => {},
): Promise<Json[]> {
  const resources: Json[] = [];
  let after: Json;
  for (;;) {
    const { status, body } = await client.search('Users', {
      ...query,
      paging: 'cursor',
      ...(after && { after }),
    });
    if (status !== 200) throw new Error(JSON.stringify(body));
    expect(body).not.toHaveProperty('startIndex');
    resources.push(...body.Resources);
    if (!body.next) return resources;
    after = body.next;
    await between();
  }
}

describe('Walks through search results', () => {
  const orders: Walk[] = [
    {},
    { sortBy: 'userName', sortOrder: 'descending' },
    { sortBy: 'displayName' },
    { sortBy: 'displayName', sortOrder: 'descending' },
    { sortBy: 'name.familyName', filter: 'userName pr' },
    { sortBy: 'meta.created', sortOrder: 'descending' },
    { sortBy: 'emails.value', filter: 'emails co "example.com"' },
    { sortBy: 'active', filter: 'userName sw "user"' },
    { filter: 'userName co "user"' },
  ];

  test.each(orders)(
    'A walk misses no user present throughout 50 parallel deletions and 50 creations: %j.',
    async (query) => {
      const client = tenantClient(harness, await harness.tenant());
      await insertUsers(harness, client.tenant, 400);
      const before = await walk(client, { ...query, count: 1000 });
      expect(before).toHaveLength(400);
      const doomed = before.filter((_, index) => index % 8 === 3).map((user) => user.id as string);
      let writes: Promise<unknown>[] = [];
      const seen = await walk(client, { ...query, count: 20 }, async () => {
        if (writes.length > 0) return;
        writes = [
          ...doomed.map((id) => client.remove('Users', id)),
          ...doomed.map((_, i) =>
            client.create('Users', {
              userName: `user-new-${i}`,
              ...(i % 2 && { displayName: `Name ${i * 9}` }),
              name: { familyName: `Family${i}` },
              emails: [{ value: `new${i}@example.com` }],
            }),
          ),
        ];
        await writes[0];
      });
      await Promise.all(writes);
      const ids = seen.map((user) => user.id as string);
      expect(new Set(ids).size).toBe(ids.length);
      const lasting = before.map((user) => user.id as string).filter((id) => !doomed.includes(id));
      expect(lasting.filter((id) => !ids.includes(id))).toEqual([]);
      // They keep their order.
      expect(ids.filter((id) => lasting.includes(id))).toEqual(lasting);
    },
  );

  test('A walk has the same order as a comparison in memory.', async () => {
    const client = tenantClient(harness, await harness.tenant());
    await insertUsers(harness, client.tenant, 150);
    for (const displayName of ['É', 'é', 'Zoë', '\ue000', '😀', 'a_b', 'A', 'a', '', 'ΣΑΣ']) {
      await client.create('Users', {
        userName: `odd ${displayName}`,
        displayName,
        nickName: displayName || 'none',
      });
    }
    const everybody = await walk(client, { count: 1000 });
    expect(everybody.map(({ id }) => id)).toEqual(everybody.map(({ id }) => id).sort());
    const keys: Record<string, (user: Json) => string | number | undefined> = {
      userName: (user) => foldCase(user.userName),
      displayName: (user) => (user.displayName === undefined ? undefined : foldCase(user.displayName)),
      'name.givenName': (user) => user.name && foldCase(user.name.givenName),
      'meta.lastModified': (user) => user.meta.lastModified,
      nickName: (user) => (user.nickName === undefined ? undefined : foldCase(user.nickName)),
      active: (user) => Number(user.active),
    };
    for (const [sortBy, key] of Object.entries(keys)) {
      const compare = (a: Json, b: Json): number => {
        const [left, right] = [key(a), key(b)];
        if (left === undefined || right === undefined) {
          if (left !== right) return left === undefined ? 1 : -1;
        } else if (left !== right) {
          return typeof left === 'number' ? left - Number(right) : compareCodePoints(left, String(right));
        }
        return a.id < b.id ? -1 : 1;
      };
      const expected = everybody.toSorted(compare).map(({ id }) => id);
      for (const sortOrder of ['ascending', 'descending'] as const) {
        const wanted = sortOrder === 'ascending' ? expected : expected.toReversed();
        const order = { sortBy, sortOrder };
        // Pages of several sizes, which end at different positions.
        for (const [filter, count] of [
          [undefined, 7],
          ['userName pr', 17],
          ['userName co "user" or nickName pr', 29],
        ] as const) {
          const walked = await walk(client, { ...order, ...(filter && { filter }), count });
          expect([sortBy, walked.map(({ id }) => id)]).toEqual([sortBy, wanted]);
          const { body } = await client.search('Users', { ...order, filter, startIndex: 20, count: 30 });
          expect(body.Resources.map(({ id }: Json) => id)).toEqual(wanted.slice(19, 49));
        }
      }
    }
  });

  test('A walk continues after pages without matches.', async () => {
    const tenant = await harness.tenant();
    await insertUsers(harness, tenant, 500);
    const search = new Search(harness.database.sql, tenant, 60);
    for (const [filter, sortBy, total] of [
      ['userName eq "user7" or nickName pr', undefined, 1],
      ['displayName co "99"', 'userName', 4],
      ['not (displayName pr)', 'displayName', 71],
      ['userName sw "user" and active eq false', 'name.familyName', 250],
    ] as const) {
      for (const descending of [false, true]) {
        const ids: string[] = [];
        let after: Position | undefined;
        let pages = 0;
        do {
          const page = await search.walk('User', {
            filter: bindFilter(parseFilter(filter), registry, 'User'),
            sort: sortBy && { by: bindSortBy(sortBy, registry, 'User'), descending },
            source: 'entra',
            after,
            limit: 10,
          });
          ids.push(...(page?.rows ?? []).map(({ id }) => id));
          after = page?.next;
          pages += 1;
        } while (after);
        expect([filter, new Set(ids).size, ids.length]).toEqual([filter, total, total]);
        expect(pages).toBeGreaterThan(500 / 60);
      }
    }
  });

  test.each([
    [{ after: 'x' }],
    [{ after: { id: 'x' } }],
    [{ after: { key: 'a' } }],
    [{ after: { id: '01900000-0000-7000-8000-000000000000', key: 'a' } }],
    [{ after: { id: '01900000-0000-7000-8000-000000000000', key: { a: 1 } }, sortBy: 'userName' }],
    [{ after: { id: '01900000-0000-7000-8000-000000000000', key: 'a\u0000' }, sortBy: 'userName' }],
    [{ after: { id: '01900000-0000-7000-8000-000000000000', key: 'yesterday' }, sortBy: 'meta.created' }],
    [
      {
        after: { id: '01900000-0000-7000-8000-000000000000', key: '2024-02-31T99:00:00Z' },
        sortBy: 'meta.created',
      },
    ],
    [{ after: { id: '01900000-0000-7000-8000-000000000000', key: 'perhaps' }, sortBy: 'active' }],
    [{ after: { id: '01900000-0000-7000-8000-000000000000', key: '42' }, sortBy: 'id' }],
    [{ paging: 'random' }],
  ])('A walk from an invalid position (%j) is rejected.', async (query) => {
    const client = tenantClient(harness, await harness.tenant());
    expect((await client.search('Users', { paging: 'cursor', ...query })).status).toBe(400);
  });
});

describe('Totals of searches', () => {
  test('The total of a tenant is exact after 50 parallel creations and deletions.', async () => {
    const client = tenantClient(harness, await harness.tenant());
    const made = await Promise.all(
      Array.from({ length: 50 }, (_, i) => client.create('Users', { userName: `p${i}` })),
    );
    const changes = await Promise.all([
      ...made.slice(0, 20).map(({ body }) => client.remove('Users', body.id)),
      ...Array.from({ length: 10 }, (_, i) => client.create('Groups', { displayName: `g${i}` })),
      ...Array.from({ length: 10 }, (_, i) => client.create('Users', { userName: `p${20 + i}` })),
    ]);
    expect(changes.filter(({ status }) => status >= 500)).toEqual([]);
    expect((await client.search('Users', { count: 0 })).body.totalResults).toBe(30);
    expect((await client.search('Groups', { count: 0 })).body.totalResults).toBe(10);
    expect((await client.search('Users', { paging: 'cursor', count: 3 })).body).toMatchObject({
      totalResults: 30,
      itemsPerPage: 3,
    });
    expect((await client.search('Users', { paging: 'cursor', count: 0 })).body).toMatchObject({
      totalResults: 30,
      Resources: [],
    });
    expect(
      (await client.search('Users', { paging: 'cursor', count: 0, filter: 'userName sw "p2"' })).body
        .totalResults,
    ).toBe(10);
    const [{ truth }] = (await harness.sql(
      'SELECT count(*)::int AS truth FROM directory.users WHERE tenant = $1',
      [client.tenant],
    )) as [{ truth: number }];
    expect(truth).toBe(30);
  });

  test('The total of too many matches is tooMany by index, and omitted after a position.', async () => {
    const tenant = await harness.tenant();
    const client = tenantClient(harness, tenant);
    for (const [first, last] of partsOf(20_001)) {
      await harness.sql(
        `INSERT INTO directory.users (tenant, id, user_name, user_name_key, active, data, folded, created_at, updated_at)
         SELECT $1, gen_random_uuid(), 'u' || n, 'u' || n, true, '{}', '{}', now(), now() FROM generate_series($2::int, $3::int) n`,
        [tenant, first, last],
      );
    }
    const refused = await client.search('Users', { filter: 'active eq true' });
    expect(refused).toMatchObject({ status: 400, body: { scimType: 'tooMany' } });
    expect(refused.body.detail).toContain('cursor');
    expect((await client.search('Users', { sortBy: 'title' })).body.scimType).toBe('tooMany');
    expect((await client.search('Users', { sortBy: 'title', paging: 'cursor' })).body.scimType).toBe(
      'tooMany',
    );
    const { body } = await client.search('Users', { filter: 'active eq true', paging: 'cursor', count: 10 });
    expect(body).toMatchObject({ itemsPerPage: 10, next: { id: body.Resources[9].id } });
    expect(body).not.toHaveProperty('totalResults');
    expect((await client.search('Users', {})).body.totalResults).toBe(20_001);
    expect((await client.search('Users', { startIndex: 20_000 })).body.itemsPerPage).toBe(2);
    expect(
      (await client.search('Users', { filter: 'active eq true and userName eq "U7"' })).body.totalResults,
    ).toBe(1);
    const listed = await harness.graph(
      '{ users(first: 2, filter: "active eq true") { edges { node { userName } } } }',
    );
    expect(listed.body.errors?.[0]?.extensions?.code).not.toBe('INTERNAL_SERVER_ERROR');
  });
});
