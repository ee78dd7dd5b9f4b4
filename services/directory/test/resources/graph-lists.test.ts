import { describe, expect, test } from '@jest/globals';
import { acme, ask, codes, group, harness, rivalAdmin, setUpGraph, user } from '../support/graph-client.ts';
import type { Json } from '../support/harness.ts';

setUpGraph();

const users = `query ($first: Int, $after: String, $filter: String, $where: UserFilter, $orderBy: UserOrder) {
  users(first: $first, after: $after, filter: $filter, where: $where, orderBy: $orderBy) {
    totalCount pageInfo { hasNextPage endCursor } edges { cursor node { userName displayName } } } }`;
const namesOf = async (variables: object, token?: string): Promise<string[]> => {
  const { data, errors } = await ask(users, variables, token);
  expect(errors).toBeUndefined();
  return data.users.edges.map(({ node }: Json) => node.userName);
};

describe('Typed filters', () => {
  test('A typed filter has the meaning of a SCIM filter, combines with one and stays in one tenant.', async () => {
    const make = (userName: string, resource: object) =>
      acme.create('Users', { userName, title: 'typed', ...resource });
    const ada = (
      await make('t-ada', {
        name: { givenName: 'Ada', familyName: 'Lovelace' },
        emails: [{ value: 'ada@x.io' }],
      })
    ).body;
    await make('t-bob', { name: { givenName: 'Bob' }, active: false, displayName: 'B"ob' });
    await make('t-cyd', { name: { familyName: 'Love' } });
    const { id: groupId } = await group([ada.id]);
    const found = (where: object, filter?: string) =>
      namesOf({ where: { title: { equals: 'TYPED' }, ...where }, filter, orderBy: { field: 'USER_NAME' } });
    expect(await found({})).toEqual(['t-ada', 't-bob', 't-cyd']);
    expect(await found({ active: false })).toEqual(['t-bob']);
    expect(await found({ familyName: { startsWith: 'love' } })).toEqual(['t-ada', 't-cyd']);
    expect(await found({ familyName: { isPresent: false } })).toEqual(['t-bob']);
    expect(await found({ familyName: { notEquals: 'Love' } })).toEqual(['t-ada', 't-bob']);
    expect(await found({ displayName: { contains: '"' } })).toEqual(['t-bob']);
    expect(await found({ email: { endsWith: '@x.io' } })).toEqual(['t-ada']);
    expect(await found({ userName: { in: ['t-ada', 'T-CYD'] } })).toEqual(['t-ada', 't-cyd']);
    expect(await found({ groupId })).toEqual(['t-ada']);
    expect(await found({ groupId: '42' })).toEqual([]);
    expect(await found({ or: [{ active: false }, { givenName: { equals: 'ada' } }] })).toEqual([
      't-ada',
      't-bob',
    ]);
    expect(await found({ not: { or: [{ active: false }, { groupId }] } })).toEqual(['t-cyd']);
    expect(await found({ or: [{}, { active: false }] })).toEqual(['t-ada', 't-bob', 't-cyd']);
    expect(await found({ createdAt: { from: '2100-01-01T00:00:00Z' } })).toEqual([]);
    expect(await found({ active: true }, 'userName eq "t-cyd" or userName eq "t-bob"')).toEqual(['t-cyd']);
    expect(await namesOf({ where: { title: { equals: 'typed' } } }, rivalAdmin)).toEqual([]);
  });

  test('A typed filter that is empty or too large, or that contains another filter in its text, is rejected.', async () => {
    const deep = (levels: number): object => (levels === 0 ? { active: true } : { not: deep(levels - 1) });
    for (const variables of [
      { filter: 'active eq true) or (active eq false', where: { active: true } },
      { where: { or: [] } },
      { where: { not: {} } },
      { where: { userName: { in: [] } } },
      { where: deep(7) },
      { where: { userName: { in: Array.from({ length: 51 }, String) } } },
    ]) {
      expect(codes(await ask(users, variables))).toContain('BAD_USER_INPUT');
    }
    expect(await namesOf({ where: { userName: { equals: '") or (userName pr' } } })).toEqual([]);
  });
});

describe('Ordered lists', () => {
  test('An order pages through all users by its key, in both directions, including those without a value.', async () => {
    await Promise.all(
      Array.from({ length: 12 }, (_, i) =>
        user({
          title: 'ordered',
          ...(i % 4 > 0 && { displayName: `D${i % 3}`, name: { familyName: `F${12 - i}` } }),
        }),
      ),
    );
    for (const field of [
      'USER_NAME',
      'DISPLAY_NAME',
      'FAMILY_NAME',
      'GIVEN_NAME',
      'CREATED_AT',
      'UPDATED_AT',
    ]) {
      const walks: string[][] = [];
      for (const direction of ['ASC', 'DESC']) {
        const walk: string[] = [];
        for (let after: string | null = null; ; ) {
          const { data, errors } = await ask(users, {
            first: 5,
            after,
            where: { title: { equals: 'ordered' } },
            orderBy: { field, direction },
          });
          expect(errors).toBeUndefined();
          expect(data.users.totalCount).toBe(12);
          walk.push(...data.users.edges.map(({ node }: Json) => node.userName));
          if (!data.users.pageInfo.hasNextPage) break;
          after = data.users.pageInfo.endCursor;
        }
        expect([field, new Set(walk).size, walk.length]).toEqual([field, 12, 12]);
        walks.push(walk);
      }
      expect(walks[1]).toEqual([...(walks[0] ?? [])].reverse());
    }
  });

  test('A cursor of one order is invalid for another order or list, and reveals nothing to another tenant.', async () => {
    const { data } = await ask(users, { first: 1, orderBy: { field: 'USER_NAME' } });
    const after = data.users.pageInfo.endCursor;
    for (const orderBy of [undefined, { field: 'USER_NAME', direction: 'DESC' }, { field: 'DISPLAY_NAME' }]) {
      expect(codes(await ask(users, { after, orderBy }))).toEqual(['BAD_USER_INPUT']);
    }
    const groups =
      'query ($after: String) { groups(after: $after, orderBy: { field: DISPLAY_NAME }) { edges { cursor } } }';
    expect(codes(await ask(groups, { after }))).toEqual(['BAD_USER_INPUT']);
    expect(await namesOf({ after, orderBy: { field: 'USER_NAME' } }, rivalAdmin)).toEqual([]);
    const forged = Buffer.from(
      JSON.stringify(['User:CREATED_AT:ASC', ['x', '00000000-0000-7000-8000-000000000000']]),
    );
    expect(
      codes(await ask(users, { after: forged.toString('base64url'), orderBy: { field: 'CREATED_AT' } })),
    ).toEqual(['BAD_USER_INPUT']);
  });

  test('Groups can be ordered, and filtered to the groups of a user.', async () => {
    const { id } = await user();
    await group([id], 'zeta');
    await group([id], 'Alpha');
    await group([], 'beta');
    const { data } = await ask(
      `query ($id: ID!) { groups(where: { memberId: $id }, orderBy: { field: DISPLAY_NAME, direction: DESC }) {
        totalCount edges { node { displayName } } } }`,
      { id },
    );
    expect(data.groups).toEqual({
      totalCount: 2,
      edges: [{ node: { displayName: 'zeta' } }, { node: { displayName: 'Alpha' } }],
    });
  });

  test('An ordered list costs the same number of statements for one user as for a hundred.', async () => {
    await Promise.all(Array.from({ length: 100 }, () => user()));
    // The directory's part of the contract's `People`.
    const people = `query ($first: Int!) { users(first: $first) { totalCount pageInfo { hasNextPage endCursor }
      edges { node { id userName displayName active emails { value type primary } groups { id displayName } } } } }`;
    const counts: number[] = [];
    for (const first of [1, 100]) {
      harness.statements();
      const { data } = await ask(people, { first });
      expect(data.users.edges).toHaveLength(first);
      counts.push(harness.statements().length);
    }
    // The page, its total, and the groups of all its users.
    expect(counts).toEqual([3, 3]);
    harness.statements();
    await ask(users, { first: 100, orderBy: { field: 'USER_NAME', direction: 'DESC' } });
    expect(harness.statements()).toHaveLength(2);
  });
});
