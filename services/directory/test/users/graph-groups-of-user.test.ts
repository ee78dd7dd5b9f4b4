import { randomUUID } from 'node:crypto';
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

const many = 2_000;
let joiner: Json;

/** Creates a user in very many groups; every second group has the name of the one before in other case. */
beforeAll(async () => {
  joiner = await user({ title: 'joiner' });
  await harness.database.transaction(async (tx) => {
    await tx.query(`SET LOCAL session_replication_role = 'replica'`);
    await tx.query(
      `WITH made AS (
         INSERT INTO directory.groups (tenant, id, display_name, display_name_key, external_ids, data, folded, created_at, updated_at)
         SELECT $1, gen_random_uuid(), name, lower(name), '{}', jsonb_build_object('displayName', name),
                jsonb_build_object('displayName', lower(name)), now(), now()
         FROM generate_series(0, $3::int - 1) n,
              LATERAL (SELECT CASE n % 2 WHEN 0 THEN 'Club ' ELSE 'CLUB ' END || lpad((n / 2)::text, 5, '0')) AS named(name)
         RETURNING id
       )
       INSERT INTO directory.user_memberships (tenant, group_id, member_id) SELECT $1, id, $2::uuid FROM made`,
      [acme.tenant, joiner.id, many],
    );
  });
});

const query = `query ($id: ID!, $first: Int, $after: String) { user(id: $id) {
  groupsConnection(first: $first, after: $after) { pageInfo { hasNextPage endCursor }
    edges { cursor direct node { id displayName } } } } }`;
const page = async (variables: object, token?: string): Promise<Json[]> => {
  const { data, errors } = await ask(query, variables, token);
  expect(errors).toBeUndefined();
  return data.user.groupsConnection.edges.map(({ node, ...edge }: Json) => ({ ...edge, ...node }));
};

describe('Groups of a user', () => {
  test('The groups of a user have at most 100 per page, for any number of groups.', async () => {
    const { data } = await ask('query ($id: ID!) { user(id: $id) { groups { displayName } } }', {
      id: joiner.id,
    });
    expect(data.user.groups).toHaveLength(100);
    expect(data.user.groups[99].displayName).toMatch(/^club 00049$/i);
    expect(await page({ id: joiner.id, first: null })).toHaveLength(20);
    for (const first of [0, -1, 101, many]) {
      expect(codes(await ask(query, { id: joiner.id, first }))).toEqual(['BAD_USER_INPUT']);
      const plain = 'query ($id: ID!, $first: Int) { user(id: $id) { groups(first: $first) { id } } }';
      expect(codes(await ask(plain, { id: joiner.id, first }))).toEqual(['BAD_USER_INPUT']);
    }
  });

  test('The groups of a user page backward in the same order, and their count is the same on every page.', async () => {
    const { id } = await user();
    const inner = await group([id], 'Middle');
    await group([inner.id], 'Outer');
    for (const name of ['Alpha', 'Zulu', 'zulu']) await group([id], name);
    const forward = (await page({ id, first: 100 })).map((each) => each.id);
    expect(forward).toHaveLength(5);
    const backward = `query ($id: ID!, $before: String) { user(id: $id) { groupsConnection(last: 2, before: $before) {
      totalCount pageInfo { hasPreviousPage startCursor } edges { node { id } } } } }`;
    const seen: string[] = [];
    for (let before: string | undefined; ; ) {
      const { groupsConnection } = (await ask(backward, { id, before })).data.user;
      expect(groupsConnection.totalCount).toBe(5);
      seen.unshift(...groupsConnection.edges.map(({ node }: Json) => node.id));
      if (!groupsConnection.pageInfo.hasPreviousPage) break;
      before = groupsConnection.pageInfo.startCursor as string;
    }
    expect(seen).toEqual(forward);
    const beyond =
      'query ($id: ID!, $after: String) { user(id: $id) { groupsConnection(after: $after) { totalCount edges { cursor } } } }';
    const after = (await page({ id, first: 100 })).at(-1).cursor;
    expect((await ask(beyond, { id, after })).data.user.groupsConnection).toEqual({
      totalCount: 5,
      edges: [],
    });
    const ofRival = await ask(backward, { id }, rivalAdmin);
    expect(ofRival.data?.user ?? null).toBeNull();
  });

  test('The groups of a user continue after each page, also those of one name, and the last page is the shorter one.', async () => {
    const { id } = await user();
    const inner = await group([id], 'Zebras');
    const outer = await group([inner.id], 'Animals');
    const namesakes = await Promise.all(['Birds', 'BIRDS', 'birds', 'Ants'].map((name) => group([id], name)));
    const sorted = [outer, namesakes[3], ...namesakes.slice(0, 3).sort(byId), inner].map((each) => each.id);
    for (const first of [1, 2, 4, 100]) {
      const seen: Json[] = [];
      for (let after: string | undefined; ; ) {
        const some = await page({ id, first, after });
        seen.push(...some);
        if (some.length < first) break;
        after = some.at(-1).cursor as string;
      }
      expect(seen.map((each) => each.id)).toEqual(sorted);
      expect(seen.map(({ direct }) => direct)).toEqual([false, true, true, true, true, true]);
    }
  });

  test('The groups are read in one statement for each requested page, for one user as for many.', async () => {
    const others = await Promise.all([1, 2, 3].map(() => user({ title: 'joiner' })));
    await group(
      others.map(({ id }) => id),
      'A first',
    );
    const both = `query ($first: Int!) { users(first: $first, filter: "title eq \\"joiner\\"") { edges { node { id
      groups(first: 3) { displayName } more: groups(first: 1) { displayName } } } } }`;
    const counts: number[] = [];
    for (const first of [1, 4]) {
      harness.statements();
      const { data } = await ask(both, { first });
      counts.push(harness.statements().length);
      const lengths = data.users.edges.map(({ node }: Json) => [node.groups.length, node.more.length]);
      const one = [1, 1];
      expect(lengths).toEqual(first === 1 ? [[3, 1]] : [[3, 1], one, one, one]);
    }
    // The users, by an index that finds too many once and is skipped later, and each of the two pages.
    expect(counts).toEqual([3, 2]);
  });

  test('The groups of users multiply the cost of their selection, and a query above the limit is rejected before any read.', async () => {
    const within = (first: string) =>
      `{ users(first: 100) { edges { node { groups${first} { members(first: 20) { edges { node { memberId } } } } } } } }`;
    expect(codes(await ask(within('')))).toEqual(['GRAPHQL_VALIDATION_FAILED']);
    expect(codes(await ask(within('(first: 2)')))).toEqual([]);
  });

  test('The groups of a user are current for the rest of a request that changes them.', async () => {
    const { id } = await user();
    const { id: joined } = await group();
    const { data } = await ask(
      `mutation ($id: ID!, $joined: ID!) {
        before: updateUser(input: { id: $id, title: "x" }) { user { groups { id } } }
        addGroupMembers(input: { groupId: $joined, memberIds: [$id] }) { problems { code } }
        after: updateUser(input: { id: $id, title: "y" }) { user { groups { id } } } }`,
      { id, joined },
    );
    expect([data.before.user.groups, data.after.user.groups]).toEqual([[], [{ id: joined }]]);
  });

  test('The groups of a user have cursors of their own, which give another tenant no access.', async () => {
    const [first] = await page({ id: joiner.id, first: 1 });
    const forge = (kind: string, value: unknown) =>
      Buffer.from(JSON.stringify([kind, value])).toString('base64url');
    for (const after of [
      'x',
      '',
      forge('Group', ['club', randomUUID()]),
      forge('groupsOfUser', ['club']),
      forge('groupsOfUser', ['club', 'x']),
      forge('groupsOfUser', [1, randomUUID()]),
      forge('groupsOfUser', ['a\u0000', randomUUID()]),
    ]) {
      expect(codes(await ask(query, { id: joiner.id, after }))).toEqual(['BAD_USER_INPUT']);
    }
    expect((await ask(query, { id: joiner.id, after: first.cursor }, rivalAdmin)).data.user).toBeNull();
    const { id } = await user();
    expect(await page({ id, after: first.cursor }, admin)).toEqual([]);
  });
});

const byId = (a: Json, b: Json): number => (a.id < b.id ? -1 : 1);
