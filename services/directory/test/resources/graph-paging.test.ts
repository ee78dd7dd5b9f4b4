import { beforeAll, describe, expect, test } from '@jest/globals';
import {
  acme,
  admin,
  ask,
  codes,
  group,
  harness,
  rivalAdmin,
  setUpGraph,
  user,
} from '../support/graph-client.ts';
import type { Json } from '../support/harness.ts';

setUpGraph();

let crew: string;
let operator: string;

beforeAll(async () => {
  const boss = harness.issuer.token(acme.tenant, { clientId: 'boss', scopes: ['tenants:write'] });
  await ask('mutation { updateTenant(input: { deletionPolicy: SOFT }) { problems { code } } }', {}, boss);
  const ids: string[] = [];
  for (let i = 0; i < 17; i += 1) {
    const named = i % 4 > 0 && { displayName: `D${i % 3}`, name: { familyName: `F${i % 5}` } };
    ids.push((await user({ title: i % 2 === 0 ? 'even' : 'odd', ...named })).id);
  }
  const inner = await group([], 'inner');
  crew = (await group([...ids, inner.id], 'crew')).id;
  for (let i = 0; i < 9; i += 1) {
    await acme.remove('Users', (await user()).id);
    await acme.remove('Groups', (await group([], `G${i % 3}`)).id);
    await group([], `H${i % 3}`);
  }
  operator = harness.issuer.operatorToken();
  for (let i = 0; i < 5; i += 1) await harness.tenant();
});

interface List {
  arguments?: string;
  /** Operation around the list, which `$list` stands for. */
  within?: string;
  token?: () => string;
}

/** Edges without an object of their own have no `id`. */
const idOf = (field: string): string =>
  field === 'members' ? 'id: memberId' : field.startsWith('deleted') ? 'id: resourceId' : 'id';

const orders = ['USER_NAME', 'FAMILY_NAME', 'UPDATED_AT'];

const lists: [name: string, field: string, list?: List][] = [
  ['users', 'users'],
  ['users of a filter', 'users', { arguments: 'filter: "title eq \\"even\\""' }],
  ['users of a filter that few match', 'users', { arguments: 'filter: "userName sw \\"graph1\\""' }],
  ...orders.flatMap((field) =>
    ['ASC', 'DESC'].map((direction): [string, string, List] => [
      `users by ${field} ${direction}`,
      'users',
      { arguments: `filter: "title pr", orderBy: { field: ${field}, direction: ${direction} }` },
    ]),
  ),
  [
    'users by a key that several have, all of them',
    'users',
    { arguments: 'orderBy: { field: DISPLAY_NAME }' },
  ],
  ['groups', 'groups'],
  ['groups by name', 'groups', { arguments: 'orderBy: { field: DISPLAY_NAME, direction: DESC }' }],
  ['members', 'members', { within: '{ group(id: "$crew") { $list } }' }],
  ['deleted users', 'deletedUsers'],
  ['deleted groups', 'deletedGroups'],
  ['the audit log', 'auditLog'],
  ['the audit log of a kind', 'auditLog', { arguments: 'filter: { resourceType: "Group" }' }],
  ['tenants', 'tenants', { token: () => operator }],
];

const declared = '$first: Int, $after: String, $last: Int, $before: String';
const paging = 'first: $first, after: $after, last: $last, before: $before';

async function page(
  field: string,
  { arguments: more = '', within = '{ $list }', token }: List,
  variables: object,
) {
  const list = `${field}(${paging} ${more}) {
    pageInfo { hasNextPage hasPreviousPage startCursor endCursor } edges { cursor node { ${idOf(field)} } } }`;
  const query = within.replace('$crew', crew).replace('$list', list);
  const body = await ask(`query (${declared}) ${query}`, variables, token?.());
  return { body, connection: body.data?.[field] ?? body.data?.group?.[field] };
}

describe.each(lists)('%s', (_name, field, list = {}) => {
  async function walk(size: 'first' | 'last', many: number): Promise<string[][]> {
    const pages: string[][] = [];
    for (let cursor: string | undefined; ; ) {
      const [position, edge, more, back] =
        size === 'first'
          ? (['after', 'endCursor', 'hasNextPage', 'hasPreviousPage'] as const)
          : (['before', 'startCursor', 'hasPreviousPage', 'hasNextPage'] as const);
      const { body, connection } = await page(field, list, { [size]: many, [position]: cursor });
      expect(body.errors).toBeUndefined();
      const { edges, pageInfo } = connection;
      pages.push(edges.map(({ node }: Json) => node.id));
      expect([pageInfo.startCursor, pageInfo.endCursor]).toEqual([edges[0].cursor, edges.at(-1).cursor]);
      expect(pageInfo[back]).toBe(cursor !== undefined);
      if (!pageInfo[more]) return pages;
      cursor = pageInfo[edge];
    }
  }

  test('The list is the same forward and backward, for any size of the pages.', async () => {
    const all = (await walk('first', 100)).flat();
    expect(all.length).toBeGreaterThan(4);
    expect(new Set(all).size).toBe(all.length);
    for (const many of [4, 100]) {
      expect((await walk('first', many)).flat()).toEqual(all);
      const backward = await walk('last', many);
      // A page is in the order of the list, in either direction.
      expect(backward.toReversed().flat()).toEqual(all);
      for (const each of backward.slice(0, -1)) expect(each).toHaveLength(many);
    }
  });

  test('The list can be paged in the other direction from any cursor.', async () => {
    const { connection } = await page(field, list, { first: 4 });
    const cursors = connection.edges.map(({ cursor }: Json) => cursor);
    const ids = connection.edges.map(({ node }: Json) => node.id);
    const back = (await page(field, list, { last: 2, before: cursors[3] })).connection;
    expect(back.edges.map(({ node }: Json) => node.id)).toEqual(ids.slice(1, 3));
    expect(back.pageInfo).toMatchObject({ hasPreviousPage: true, hasNextPage: true });
    const again = (await page(field, list, { first: 2, after: cursors[0] })).connection;
    expect(again.edges).toEqual(back.edges);
    expect((await page(field, list, { last: 3, before: cursors[0] })).connection.edges).toEqual([]);
  });

  test.each([
    ['both sizes', { first: 1, last: 1 }],
    ['both cursors', { after: 'x', before: 'x' }],
    ['first with before', { first: 1, before: 'x' }],
    ['last with after', { last: 1, after: 'x' }],
    ['none at all', { last: 0 }],
    ['too many', { last: 101 }],
    ['a cursor of nothing', { last: 1, before: 'x' }],
  ])('The list rejects a page request with %s.', async (_what, variables) => {
    const { body } = await page(field, list, variables);
    expect(codes(body)).toEqual(['BAD_USER_INPUT']);
    expect(Object.keys(variables)).toContain(body.errors[0].extensions.argument);
  });

  test('The list shows nothing of one tenant to another, even with a cursor of the first tenant.', async () => {
    if (list.token) return;
    const { connection } = await page(field, list, { first: 5 });
    const token = () => rivalAdmin;
    const ours = new Set(connection.edges.map(({ node }: Json) => node.id));
    for (const variables of [{ last: 100 }, { last: 100, before: connection.pageInfo.endCursor }]) {
      const theirs = (await page(field, { ...list, token }, variables)).connection?.edges ?? [];
      expect(theirs.filter(({ node }: Json) => ours.has(node.id))).toEqual([]);
    }
  });
});

test.each([
  '2026-02-31 00:00:00+00',
  '0000-01-01 00:00:00+00',
  '2026-01-01 00:00:00+23:59',
  '2026-01-01 25:00:00+00',
  '\u0000',
])('A cursor with an invalid time is rejected: %j.', async (time) => {
  const forged = JSON.stringify(['User:CREATED_AT:ASC', [time, '01900000-0000-7000-8000-000000000000']]);
  const after = Buffer.from(forged).toString('base64url');
  const { body } = await page('users', { arguments: 'orderBy: { field: CREATED_AT }' }, { after });
  expect(codes(body)).toEqual(['BAD_USER_INPUT']);
});

test('The last page of a long list costs as much as the first.', async () => {
  for (const field of ['users', 'auditLog', 'deletedUsers']) {
    const counts: number[] = [];
    for (const size of ['first', 'last']) {
      harness.statements();
      await ask(`{ ${field}(${size}: 5) { edges { node { ${idOf(field)} } } } }`, {}, admin);
      counts.push(harness.statements().length);
    }
    expect([field, counts[1]]).toEqual([field, counts[0]]);
  }
});
