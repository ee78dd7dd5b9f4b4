import { beforeAll, describe, expect, test } from '@jest/globals';
import { ask, codes, harness, rival, setUpGraph } from '../support/graph-client.ts';
import type { Json } from '../support/harness.ts';

setUpGraph();

const query = `{ statistics { people { total active inactive deleted } groups memberships
  growth(days: 3) { day peopleChange groupsChange people { total } } } }`;

/** A token of the tenant that may read its statistics. */
let mine: string;
let ids: string[];
let team: Json;

const now = async (): Promise<Json> => (await ask(query, {}, mine)).data.statistics;
const base = () => `/internal/v1/tenants/${rival.tenant}`;
const actor = { kind: 'connector', id: 'scim' };
const create = (type: string, resource: object) =>
  harness.call('POST', `${base()}/${type}`, {
    resource: { schemas: [`urn:ietf:params:scim:schemas:core:2.0:${type.slice(0, -1)}`], ...resource },
    actor,
  });
const setActive = (id: string | undefined, value: boolean) =>
  harness.call('PATCH', `${base()}/Users/${id}`, {
    operations: [{ op: 'replace', path: 'active', value }],
    actor,
  });

beforeAll(async () => {
  mine = harness.issuer.token(rival.tenant, { clientId: 's', scopes: ['tenants:read'] });
  const made = await Promise.all(
    Array.from({ length: 6 }, (_, i) => create('Users', { userName: `s${i}`, active: i > 0 })),
  );
  ids = made.map(({ body }) => body.id);
  team = (await create('Groups', { displayName: 'S', members: ids.map((value) => ({ value })) })).body;
  await create('Groups', { displayName: 'Outer', members: [{ value: team.id }] });
});

describe('Statistics in the graph', () => {
  test('The statistics count users, groups and memberships through every kind of change.', async () => {
    await setActive(ids[1], false);
    await setActive(ids[0], true);
    await setActive(ids[2], false);
    await harness.call('DELETE', `${base()}/Users/${ids[2]}`, { actor });
    expect(await now()).toMatchObject({
      people: { total: 5, active: 4, inactive: 1, deleted: 0 },
      groups: 2,
      memberships: 6,
    });
    await harness.call('DELETE', `${base()}/Groups/${team.id}`, { actor });
    await harness.sql("UPDATE directory.tenants SET deletion_policy = 'soft' WHERE id = $1", [rival.tenant]);
    await harness.call('DELETE', `${base()}/Users/${ids[1]}`, { actor });
    expect(await now()).toMatchObject({
      people: { total: 4, active: 4, inactive: 0, deleted: 1 },
      groups: 1,
      memberships: 0,
    });
  });

  test('The statistics show how the counts change from day to day.', async () => {
    const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
    await harness.sql('DELETE FROM directory.daily_totals');
    await harness.sql(
      "INSERT INTO directory.daily_totals VALUES ($1, $2::date - 1, 'User', 1), ($1, $2, 'User', 3)",
      [rival.tenant, yesterday],
    );
    const { growth } = await now();
    expect(growth.map((day: Json) => [day.people.total, day.peopleChange])).toEqual([
      [1, 0],
      [3, 2],
      [4, 1],
    ]);
    expect(growth[1].day).toBe(yesterday);
    await harness.sql('DELETE FROM directory.daily_totals');
    await harness.tidy();
    await harness.tidy();
    const [noted] = await harness.sql<Json>(
      "SELECT day::text, total FROM directory.daily_totals WHERE tenant = $1 AND counted = 'User'",
      [rival.tenant],
    );
    expect(noted).toEqual({ day: yesterday, total: 4 });
  });

  test('The statistics cost one statement, and have a limit of days.', async () => {
    harness.statements();
    await ask('{ statistics { people { total } groups memberships } }', {}, mine);
    expect(harness.statements()).toHaveLength(1);
    expect(codes(await ask('{ statistics { growth(days: 401) { day } } }', {}, mine))).toEqual([
      'BAD_USER_INPUT',
    ]);
  });
});
