import { beforeAll, describe, expect, test } from '@jest/globals';
import { acme, ask, codes, group, harness, rival, setUpGraph, user } from '../support/graph-client.ts';
import type { Json } from '../support/harness.ts';

setUpGraph();

const statistics = 'statistics { people { total active inactive } groups memberships }';
const operator = () => harness.issuer.operatorToken();
const reader = (tenant: string, ...scopes: string[]) =>
  harness.issuer.token(tenant, { clientId: 'reader', scopes });

beforeAll(async () => {
  const ids = await Promise.all([user(), user(), user({ active: false })]);
  await group(ids.map(({ id }) => id));
  await harness.call('POST', `/internal/v1/tenants/${rival.tenant}/Users`, {
    resource: { schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'], userName: 'theirs' },
    actor: { kind: 'connector', id: 'scim' },
  });
});

const ours = { people: { total: 3, active: 2, inactive: 1 }, groups: 1, memberships: 3 };
const theirs = { people: { total: 1, active: 1, inactive: 0 }, groups: 0, memberships: 0 };

describe('Statistics of a tenant', () => {
  test('A tenant reads its own statistics with the scope that shows it, and they equal the query of the same name.', async () => {
    const mine = reader(acme.tenant, 'tenants:read');
    const growth = 'growth(days: 2) { date day people { total } peopleChange }';
    const both = `{ tenant { ${statistics} statistics { ${growth} } } ${statistics} statistics { ${growth} } }`;
    const { data } = await ask(both, {}, mine);
    expect(data.tenant.statistics).toMatchObject(ours);
    expect(data.tenant.statistics).toEqual(data.statistics);
    // Named like the day of `signInStatistics`; the former name stays until its sunset.
    const today = new Date().toISOString().slice(0, 10);
    for (const { date, day } of data.statistics.growth) expect(day).toBe(date);
    expect(data.statistics.growth.at(-1).date).toBe(today);
    expect(codes(await ask(`{ tenant { ${statistics} } }`, {}, reader(acme.tenant, 'users:read')))).toEqual([
      'FORBIDDEN',
    ]);
  });

  test('The statistics of another tenant are hidden, as if that tenant did not exist.', async () => {
    const mine = reader(rival.tenant, 'tenants:read');
    const query = `query ($id: ID!) { tenant(id: $id) { ${statistics} }
      node(id: $id) { ... on Tenant { ${statistics} } }
      _entities(representations: [{ __typename: "Tenant", id: $id }]) { ... on Tenant { ${statistics} } } }`;
    const foreign = await ask(query, { id: acme.tenant }, mine);
    expect(foreign.data).toEqual({ tenant: null, node: null, _entities: [null] });
    const own = await ask(query, { id: rival.tenant }, mine);
    expect(own.data).toEqual({
      tenant: { statistics: theirs },
      node: { statistics: theirs },
      _entities: [{ statistics: theirs }],
    });
  });

  test('The operator reads the statistics of many tenants in as many statements as of one.', async () => {
    for (let i = 0; i < 8; i += 1) await harness.tenant();
    await harness.sql(
      "INSERT INTO directory.daily_totals SELECT id, current_date - 1, 'User', 7 FROM directory.tenants",
    );
    const query = `query ($first: Int!) { tenants(first: $first) { edges { node { id ${statistics}
      statistics { growth(days: 3) { people { total } peopleChange } } } } } }`;
    const counts: number[] = [];
    for (const first of [1, 10]) {
      harness.statements();
      const { data, errors } = await ask(query, { first }, operator());
      counts.push(harness.statements().length);
      expect(errors).toBeUndefined();
      expect(data.tenants.edges).toHaveLength(first);
    }
    // Their totals, and for the growth the days and the totals. (Tenants are read through Prisma, which is not
    // counted.)
    expect(counts).toEqual([3, 3]);
    const { data } = await ask(query, { first: 100 }, operator());
    const of = (id: string) => data.tenants.edges.find(({ node }: Json) => node.id === id).node.statistics;
    expect([of(acme.tenant), of(rival.tenant)]).toMatchObject([ours, theirs]);
    expect(of(acme.tenant).growth.map(({ peopleChange }: Json) => peopleChange)).toEqual([0, 0, 3 - 7]);
    expect(of(rival.tenant).growth.map(({ peopleChange }: Json) => peopleChange)).toEqual([0, 0, 1 - 7]);
  });

  test('The statistics have no more days than one request may return.', async () => {
    const query = `query ($days: Int!) { tenants(first: 10) { edges { node { statistics { growth(days: $days) { day } } } } } }`;
    const all = await ask(query, { days: 400 }, operator());
    expect(all.errors).toBeUndefined();
    const aliased = `{ tenants(first: 10) { edges { node { statistics {
      a: growth(days: 201) { day } b: growth(days: 200) { day } } } } } }`;
    expect(new Set(codes(await ask(aliased, {}, operator())))).toEqual(new Set(['BAD_USER_INPUT']));
    expect(codes(await ask(query, { days: 0 }, operator()))).toContain('BAD_USER_INPUT');
  });
});
