import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import {
  acme,
  admin,
  ask,
  codes,
  group,
  harness,
  people,
  rival,
  rivalAdmin,
  setUpGraph,
  user,
} from '../support/graph-client.ts';
import type { Json } from '../support/harness.ts';

setUpGraph();

describe('Connections of the graph', () => {
  test('A connection pages forward through all users, without gap or repetition.', async () => {
    const names = await Promise.all(
      Array.from({ length: 25 }, async () => (await user({ title: 'walker' })).userName),
    );
    const seen: string[] = [];
    let after: string | null = null;
    do {
      const { data } = await ask(people, { first: 10, after, filter: 'title eq "walker"' });
      expect(data.users.totalCount).toBe(25);
      seen.push(...data.users.edges.map((edge: Json) => edge.node.userName));
      after = data.users.pageInfo.hasNextPage ? data.users.pageInfo.endCursor : null;
    } while (after);
    expect(seen).toHaveLength(25);
    expect([...seen].sort()).toEqual([...names].sort());
  });

  test('A connection misses no user who stays while others are added and deleted.', async () => {
    const stays = await Promise.all(
      Array.from({ length: 30 }, async () => (await user({ title: 'stays' })).id),
    );
    const goes = await Promise.all(
      Array.from({ length: 30 }, async () => (await user({ title: 'stays' })).id),
    );
    const seen = new Set<string>();
    let after: string | null = null;
    do {
      const { data } = await ask(people, { first: 7, after, filter: 'title eq "stays"' });
      for (const edge of data.users.edges) seen.add(edge.node.id);
      after = data.users.pageInfo.hasNextPage ? data.users.pageInfo.endCursor : null;
      await Promise.all([
        ...goes.splice(0, 5).map((id) => acme.remove('Users', id)),
        user({ title: 'stays' }),
      ]);
    } while (after);
    for (const id of stays) expect(seen.has(id)).toBe(true);
  });

  test.each([
    ['nonsense', 'x'],
    ['of another list', Buffer.from(JSON.stringify(['groups', randomUUID()])).toString('base64url')],
    ['with SQL in it', Buffer.from(JSON.stringify(['users', "' OR 1=1 --"])).toString('base64url')],
    ['with another type in it', Buffer.from(JSON.stringify(['users', { $gt: '' }])).toString('base64url')],
    ['that is empty', ''],
  ])('A connection rejects a cursor %s.', async (_, after) => {
    expect(codes(await ask(people, { first: 1, after }))).toEqual(['BAD_USER_INPUT']);
  });

  test.each([0, -1, 101, 2_000_000_000])('A connection rejects a first argument of %d.', async (first) => {
    expect(codes(await ask(people, { first }))).toEqual(['BAD_USER_INPUT']);
  });

  test('A connection reports the error in a filter.', async () => {
    const body = await ask(people, { first: 1, filter: 'nonsense eq "x"' });
    expect(codes(body)).toEqual(['BAD_USER_INPUT']);
    expect(body.errors[0].message).toContain('nonsense');
  });

  test('The members of many groups are read in one batch, and each group gets its own.', async () => {
    const people = await Promise.all(Array.from({ length: 4 }, async () => (await user()).id));
    const groups = await Promise.all(
      [people.slice(0, 3), people.slice(2), []].map(async (members) => ({
        id: (await group(members)).id,
        members: [...members].sort().slice(0, 2),
      })),
    );
    const query = `{ ${groups
      .map(
        ({ id }, index) =>
          `g${index}: group(id: "${id}") { members(first: 2) { edges { node { id: memberId } } } }`,
      )
      .join(' ')} }`;
    harness.statements();
    const { data } = await ask(query);
    // The groups, and their members.
    expect(harness.statements()).toHaveLength(2);
    groups.forEach(({ members }, index) => {
      expect(data[`g${index}`].members.edges.map((edge: Json) => edge.node.id)).toEqual(members);
    });
  });

  test('A query with pages within pages is rejected: a hundred characters must not request a million rows.', async () => {
    const members = (inner: string): string =>
      `members(first: 100) { edges { node { user { groups { ${inner} } } } } }`;
    harness.statements();
    const body = await ask(`{ groups(first: 100) { edges { node { ${members(members('id'))} } } } }`);
    expect(codes(body)).toEqual(['GRAPHQL_VALIDATION_FAILED']);
    // No statement was begun.
    expect(harness.statements()).toEqual([]);
  });

  test('A connection of groups and one of their members follow the same rules.', async () => {
    const members = await Promise.all(Array.from({ length: 5 }, async () => (await user()).id));
    const inner = await group([], 'Inside');
    const { id } = await group([...members, inner.id], 'Paged');
    const query = `query ($id: ID!, $after: String) { group(id: $id) { displayName version members(first: 4, after: $after) {
      totalCount pageInfo { hasNextPage endCursor }
      edges { node { id: memberId type displayName user { userName } group { displayName } } } } } }`;
    const first = (await ask(query, { id })).data.group;
    expect(first).toMatchObject({
      displayName: 'Paged',
      members: { totalCount: 6, pageInfo: { hasNextPage: true } },
    });
    const second = (await ask(query, { id, after: first.members.pageInfo.endCursor })).data.group;
    const nodes = [...first.members.edges, ...second.members.edges].map((edge: Json) => edge.node);
    expect(nodes.map((node) => node.id).sort()).toEqual([...members, inner.id].sort());
    expect(nodes.find((node) => node.type === 'GROUP')).toMatchObject({
      id: inner.id,
      user: null,
      group: { displayName: 'Inside' },
    });
    const { data } = await ask(
      '{ groups(filter: "displayName eq \\"paged\\"") { totalCount edges { node { id } } } }',
    );
    expect(data.groups).toEqual({ totalCount: 1, edges: [{ node: { id } }] });
  });

  test('A connection of members leads to each member, by the rules of its type.', async () => {
    const people = [await user({ displayName: 'Ada' }), await user()];
    const inner = await group([people[1].id], 'Within');
    const { id } = await group([...people.map((person) => person.id), inner.id], 'Around');
    const query = `query ($id: ID!) { group(id: $id) { members { edges { node { id: memberId
      member { __typename ... on User { id userName } ... on Group { id displayName } } } } } } }`;
    const membersAs = async (token?: string): Promise<[Json[], string[]]> => {
      const body = await ask(query, { id }, token);
      const nodes = body.data.group?.members?.edges.map((edge: Json) => edge.node) ?? [];
      for (const node of nodes) if (node.member) expect(node.member.id).toBe(node.id);
      return [nodes.map(({ member }: Json) => member), codes(body)];
    };
    const asGroup = { __typename: 'Group', id: inner.id, displayName: 'Within' };
    const asUser = ({ id, userName }: Json) => ({ __typename: 'User', id, userName });
    harness.statements();
    const [all, none] = await membersAs();
    // The group, its members, the users and the groups among them.
    expect(harness.statements()).toHaveLength(4);
    expect(none).toEqual([]);
    expect(all).toEqual(expect.arrayContaining([...people.map(asUser), asGroup]));

    const groupsOnly = { clientId: 'g', scopes: ['groups:read'] };
    const [seen, refused] = await membersAs(harness.issuer.token(acme.tenant, groupsOnly));
    expect(refused).toEqual(['FORBIDDEN', 'FORBIDDEN']);
    expect(seen.filter(Boolean)).toEqual([asGroup]);
    // A user sees their own account among the members, and no other user.
    const self = harness.issuer.token(acme.tenant, { ...groupsOnly, subject: people[0].id });
    const [own, others] = await membersAs(self);
    expect(others).toEqual(['FORBIDDEN']);
    expect(own.filter(Boolean)).toEqual(expect.arrayContaining([asUser(people[0]), asGroup]));

    const usersOnly = harness.issuer.token(acme.tenant, { clientId: 'u', scopes: ['users:read'] });
    expect(await membersAs(usersOnly)).toEqual([[], ['FORBIDDEN']]);
    expect(await membersAs(rivalAdmin)).toEqual([[], []]);
  });

  test('A connection costs a constant number of statements.', async () => {
    const ids = await Promise.all(
      Array.from({ length: 100 }, async () => (await user({ title: 'many' })).id),
    );
    await group(ids);
    await group(ids.slice(0, 50));
    const count = async (first: number, query = people): Promise<number> => {
      harness.statements();
      const { data } = await ask(query, { first, filter: 'title eq "many"' });
      expect(data.users.edges).toHaveLength(first);
      return harness.statements().length;
    };
    // The index is tried for a frequent title and then skipped, for the rows and for the total. The search without an
    // index, which may take long, runs in a transaction with a timeout of its own.
    expect(await count(1)).toBe(3);
    // The next walk skips the index, and neither costs more for more rows.
    expect(await count(1)).toBe(2);
    expect(await count(100)).toBe(2);
    expect(await count(100, people.replace('totalCount', ''))).toBe(1);
  });
});

describe('Federated entities', () => {
  const entities = `query ($representations: [_Any!]!) { _entities(representations: $representations) {
    ... on User { id userName groups { displayName } } ... on Group { id displayName } ... on Tenant { id name } } }`;
  const representations = (typename: string, ids: string[]) => ({
    representations: ids.map((id) => ({ __typename: typename, id })),
  });

  test('Entities of a hundred users cost one statement, and their groups another.', async () => {
    const ids = await Promise.all(Array.from({ length: 100 }, async () => (await user()).id));
    await group(ids);
    harness.statements();
    const { data } = await ask(entities, representations('User', ids));
    expect(data._entities.map((entity: Json) => entity.id)).toEqual(ids);
    expect(harness.statements()).toHaveLength(2);
  });

  test('Entities of another tenant, unknown or malformed, are null.', async () => {
    const [{ id }, { id: groupId }] = [await user(), await group()];
    for (const [variables, token] of [
      [representations('User', [id]), rivalAdmin],
      [representations('Group', [groupId]), rivalAdmin],
      [representations('User', [randomUUID()]), admin],
      [representations('User', ['42']), admin],
      [representations('Tenant', [rival.tenant]), admin],
    ] as [object, string][]) {
      expect((await ask(entities, variables, token)).data._entities).toEqual([null]);
    }
    const { data } = await ask(entities, representations('Tenant', [acme.tenant]));
    expect(data._entities[0].id).toBe(acme.tenant);
  });

  test('Entities do not bypass a missing scope.', async () => {
    const { id } = await user();
    const other = harness.issuer.token(acme.tenant, { subject: (await user()).id });
    const body = await ask(entities, representations('User', [id]), other);
    expect(new Set(codes(body))).toEqual(new Set(['FORBIDDEN']));
    expect(JSON.stringify(body)).not.toContain('graph1');
  });
});
