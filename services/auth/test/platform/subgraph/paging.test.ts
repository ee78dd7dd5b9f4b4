import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Asking, codesOf, startAsking } from '../../support/sign-in/asking.ts';
import { rival } from '../../support/sign-in/service.ts';

let asking: Asking;
let admin: string;
let rivalAdmin: string;

const scopes = 'clients:read clients:write sessions:read audit:read';

beforeAll(async () => {
  asking = await startAsking();
  admin = await asking.machine(scopes);
  rivalAdmin = await asking.machine(scopes, rival);
  for (let i = 0; i < 6; i += 1) {
    const { accessToken } = await asking.signedIn(`paged-${i}`);
    const own =
      'mutation { createPersonalAccessToken(input: { name: "script", scopes: ["openid"] }) { token } }';
    await asking.ask(own, {}, accessToken);
    await asking.ask(
      'mutation { registerClient(input: { name: "App", grantTypes: ["client_credentials"] }) { problems { code } } }',
      {},
      admin,
    );
    await asking.ask(
      'mutation { createInitialAccessToken(input: { name: "t", scopes: [] }) { token } }',
      {},
      admin,
    );
    const account =
      'mutation { createServiceAccount(input: { name: "r", scopes: [] }) { serviceAccount { id } } }';
    const { data } = await asking.ask(account, {}, admin);
    await asking.ask(
      'mutation ($id: ID!) { createApiKey(input: { serviceAccountId: $id, name: "k" }) { token } }',
      { id: data.createServiceAccount.serviceAccount.id },
      admin,
    );
  }
  // Clients with equal creation times have a defined order too.
  await asking.service.deps.database.sql.query(
    "UPDATE auth.clients SET created_at = date_trunc('minute', created_at) WHERE name = 'App'",
  );
});
afterAll(() => asking.service.stop());

interface Edge {
  cursor: string;
  node: { id: string };
}

async function page(field: string, variables: object, token = admin) {
  const query = `query ($first: Int, $after: String, $last: Int, $before: String) {
    ${field}(first: $first, after: $after, last: $last, before: $before) {
      pageInfo { hasNextPage hasPreviousPage startCursor endCursor } edges { cursor node { id } } } }`;
  const answer = await asking.ask(query, variables, token);
  return { answer, list: answer.data?.[field] };
}

const ids = (edges: readonly Edge[]): string[] => edges.map(({ node }) => node.id);

describe.each([
  'clients',
  'serviceAccounts',
  'sessions',
  'grants',
  'personalAccessTokens',
  'apiKeys',
  'liveInitialAccessTokens',
  'securityLog',
])('%s', (field) => {
  async function walk(size: 'first' | 'last', many: number): Promise<string[][]> {
    const pages: string[][] = [];
    const [position, edge, more, back] =
      size === 'first'
        ? (['after', 'endCursor', 'hasNextPage', 'hasPreviousPage'] as const)
        : (['before', 'startCursor', 'hasPreviousPage', 'hasNextPage'] as const);
    for (let cursor: string | undefined; ; ) {
      const { answer, list } = await page(field, { [size]: many, [position]: cursor });
      expect(answer.errors).toBeUndefined();
      pages.push(ids(list.edges));
      expect(list.pageInfo[back]).toBe(cursor !== undefined);
      if (!list.pageInfo[more]) return pages;
      cursor = list.pageInfo[edge];
    }
  }

  test('The list is the same forward and backward, for every page size.', async () => {
    const all = (await walk('first', 100)).flat();
    expect(all.length).toBeGreaterThan(4);
    expect(new Set(all).size).toBe(all.length);
    for (const many of [2, 5, 100]) {
      expect((await walk('first', many)).flat()).toEqual(all);
      const backward = await walk('last', many);
      expect(backward.toReversed().flat()).toEqual(all);
      for (const each of backward.slice(0, -1)) expect(each).toHaveLength(many);
    }
  });

  test('The list can be read in the other direction from any position.', async () => {
    const { list } = await page(field, { first: 4 });
    const cursors = list.edges.map(({ cursor }: Edge) => cursor);
    const back = (await page(field, { last: 2, before: cursors[3] })).list;
    expect(ids(back.edges)).toEqual(ids(list.edges).slice(1, 3));
    expect(back.pageInfo).toMatchObject({ hasPreviousPage: true, hasNextPage: true });
    expect((await page(field, { first: 2, after: cursors[0] })).list.edges).toEqual(back.edges);
    expect((await page(field, { last: 3, before: cursors[0] })).list.edges).toEqual([]);
  });

  test.each([
    ['both sizes', { first: 1, last: 1 }],
    ['both cursors', { after: 'x', before: 'x' }],
    ['first with before', { first: 1, before: 'x' }],
    ['last with after', { last: 1, after: 'x' }],
    ['none at all', { last: 0 }],
    ['too many', { last: 101 }],
    ['a cursor of nothing', { last: 1, before: 'x' }],
  ])('A page of the list is rejected with %s.', async (_what, variables) => {
    const { answer } = await page(field, variables);
    expect(codesOf(answer)).toEqual(['BAD_USER_INPUT']);
    expect(answer.errors?.[0]?.extensions).toMatchObject({
      argument: expect.stringMatching(new RegExp(`^(${Object.keys(variables).join('|')})$`)),
    });
  });

  test('Another tenant reads nothing of the list, not even with a cursor of this tenant.', async () => {
    const { list } = await page(field, { first: 100 });
    const ours = new Set(ids(list.edges));
    for (const variables of [{ last: 100 }, { last: 100, before: list.pageInfo.endCursor }]) {
      const theirs = (await page(field, variables, rivalAdmin)).list.edges;
      expect(ids(theirs).filter((id) => ours.has(id))).toEqual([]);
    }
  });
});

test('A cursor with an invalid time is rejected.', async () => {
  for (const time of ['0000-01-01T00:00:00.000Z', '2026-13-01T00:00:00.000Z', 'yesterday']) {
    const after = Buffer.from(JSON.stringify(['client', [time, 'a']])).toString('base64url');
    const { answer } = await page('clients', { first: 1, after });
    expect(codesOf(answer)).toEqual(['BAD_USER_INPUT']);
  }
});

test('A cursor keeps its position when its entry was deleted.', async () => {
  const { list } = await page('clients', { first: 4 });
  const [first, second, third, fourth] = list.edges as Edge[];
  const gone = 'mutation ($id: ID!) { deleteClient(input: { id: $id }) { problems { code } } }';
  await asking.ask(gone, { id: third?.node.id }, admin);
  const forward = (await page('clients', { first: 1, after: third?.cursor })).list;
  expect(ids(forward.edges)).toEqual([fourth?.node.id]);
  const backward = (await page('clients', { last: 2, before: third?.cursor })).list;
  expect(ids(backward.edges)).toEqual([first?.node.id, second?.node.id]);
});
