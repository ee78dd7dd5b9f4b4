import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  type Harness,
  type Json,
  startDirectory,
  type TenantClient,
  tenantClient,
} from '../support/harness.ts';
import { partsOf } from '../support/people.ts';

const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
let harness: Harness;
let acme: TenantClient;
let rival: TenantClient;

beforeAll(async () => {
  harness = await startDirectory();
  acme = tenantClient(harness, await harness.tenant());
  rival = tenantClient(harness, await harness.tenant());
  const people = [
    {
      userName: 'Anna',
      displayName: 'Anna Ö',
      active: true,
      title: 'Dr',
      emails: [work('anna@example.com')],
    },
    {
      userName: 'bert',
      displayName: 'Bert',
      active: false,
      emails: [home('bert@example.org'), work('b@example.com')],
    },
    { userName: 'Cleo', active: true, [enterprise]: { employeeNumber: 'E-17', department: 'Sales' } },
    { userName: '100%_real', displayName: '100%', active: true },
    { userName: "o'hara\\", displayName: 'O"Hara', active: true, name: { familyName: "O'Hara" } },
  ];
  for (const person of people) {
    expect((await acme.create('Users', { schemas: schemasOf(person), ...person })).status).toBe(201);
    await rival.create('Users', { schemas: schemasOf(person), ...person });
  }
});
afterAll(() => harness.stop());

const work = (value: string) => ({ value, type: 'work', primary: true });
const home = (value: string) => ({ value, type: 'home' });
const schemasOf = (person: object) => [
  'urn:ietf:params:scim:schemas:core:2.0:User',
  ...(enterprise in person ? [enterprise] : []),
];
const find = async (filter: string, query: object = {}): Promise<string[]> => {
  const answer = await acme.search('Users', { filter, ...query });
  if (answer.status !== 200) throw new Error(`${filter}: ${JSON.stringify(answer.body)}`);
  expect(answer.body.totalResults).toBe(answer.body.Resources.length);
  return answer.body.Resources.map((user: Json) => user.userName);
};

describe('Filters of a search', () => {
  test.each([
    ['userName eq "ANNA"', ['Anna']],
    ['userName sw "an"', ['Anna']],
    ['userName ne "anna" and active eq true', ['Cleo', '100%_real', "o'hara\\"]],
    ['active eq false', ['bert']],
    ['displayName co "ö"', ['Anna']],
    ['not (displayName pr)', ['Cleo']],
    ['emails.value eq "BERT@example.org"', ['bert']],
    ['emails co "example.com"', ['Anna', 'bert']],
    ['emails[type eq "work" and value eq "bert@example.org"]', []],
    ['emails[type eq "home" and value eq "bert@example.org"]', ['bert']],
    ['emails[type eq "work"].value eq "b@example.com"', ['bert']],
    [`${enterprise}:employeeNumber eq "e-17"`, ['Cleo']],
    ['title pr or userName eq "cleo"', ['Anna', 'Cleo']],
    ['userName co "%"', ['100%_real']],
    ['userName co "_"', ['100%_real']],
    ['userName sw "100_"', []],
    ['userName eq "o\'hara\\\\"', ["o'hara\\"]],
    ['displayName eq "O\\"Hara"', ["o'hara\\"]],
    ['name.familyName eq "O\'Hara"', ["o'hara\\"]],
    ['meta.created gt "2020-01-01T00:00:00Z" and title eq "dr"', ['Anna']],
    ['meta.version eq "W/\\"1\\"" and userName eq "anna"', ['Anna']],
    ['id eq "42"', []],
    ['externalId eq "nobody"', []],
    ['groups.value eq "42"', []],
    ['id eq "\\u0000"', []],
    ['groups.value eq "\\ud800"', []],
    ['userName co "\\u0000"', []],
    ['userName eq "anna" and title ne "\\u0000"', ['Anna']],
  ])('The filter %s finds exactly the matching users.', async (filter, expected) => {
    expect(await find(filter)).toEqual(expected);
  });

  test.each([
    'userName',
    'userName eq',
    'userName eq "a" and',
    'userName xx "a"',
    'nonsense eq "a"',
    'active gt true',
    'active eq "true"',
    'password eq "x"',
    'userName gt "a\\u0000"',
    `${'('.repeat(5000)}userName pr${')'.repeat(5000)}`,
    'x'.repeat(15_000),
    '',
  ])('An invalid filter (%.40s) is rejected with invalidFilter.', async (filter) => {
    expect(await acme.search('Users', { filter })).toMatchObject({
      status: 400,
      body: { scimType: 'invalidFilter' },
    });
  });

  test.each([
    `userName eq "x' OR '1'='1"`,
    `userName eq "x'; DROP TABLE directory.users; --"`,
    'userName eq "$1"',
    'userName eq "x\\" or userName pr or userName eq \\""',
    `displayName co "') OR true --"`,
    `emails[value eq "') or true --"]`,
    `externalId eq "\\"} '"`,
    `${enterprise}:department eq "x' || pg_sleep(5) || '"`,
  ])('A filter that tries an injection (%s) finds nothing and has no effect.', async (filter) => {
    expect(await find(filter)).toEqual([]);
    expect(await find('name.familyName eq "\' OR 1=1"', { source: "x' OR '1'='1" })).toEqual([]);
    expect((await acme.search('Users', {})).body.totalResults).toBe(5);
  });

  test('A filter finds nothing of another tenant.', async () => {
    const [theirs] = (await rival.search('Users', { filter: 'userName eq "anna"' })).body.Resources;
    expect(await find(`id eq "${theirs.id}"`)).toEqual([]);
    expect(await find('userName pr')).toHaveLength(5);
  });

  test('A filter can name members of groups.', async () => {
    const [anna] = (await acme.search('Users', { filter: 'userName eq "anna"' })).body.Resources;
    const inner = (await acme.create('Groups', { displayName: 'Inner', members: [{ value: anna.id }] })).body;
    await acme.create('Groups', { displayName: 'Outer', members: [{ value: inner.id }] });
    const groups = async (filter: string): Promise<string[]> =>
      (await acme.search('Groups', { filter })).body.Resources.map((group: Json) => group.displayName);
    expect(await groups(`members.value eq "${anna.id}"`)).toEqual(['Inner']);
    expect(await groups('members[type eq "Group" and display eq "inner"]')).toEqual(['Outer']);
    expect(await groups('members.display sw "anna"')).toEqual(['Inner']);
    expect(await groups('not (members pr)')).toEqual([]);
    expect(await groups('displayName eq "OUTER"')).toEqual(['Outer']);
    expect(await find('groups.display eq "outer"')).toEqual(['Anna']);
    expect(await find('groups[type eq "direct" and display eq "outer"]')).toEqual([]);
    expect(await find('groups pr')).toEqual(['Anna']);
  });
});

describe('Pages of a search', () => {
  const page = async (query: object): Promise<Json> => (await acme.search('Users', query)).body;
  const names = (list: Json): string[] => list.Resources.map((user: Json) => user.userName);

  test('A page is a ListResponse in the order of creation.', async () => {
    const first = await page({ startIndex: 1, count: 2 });
    expect(first).toMatchObject({
      schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
      totalResults: 5,
      startIndex: 1,
      itemsPerPage: 2,
    });
    expect(names(first)).toEqual(['Anna', 'bert']);
    expect(names(await page({ startIndex: 3, count: 2 }))).toEqual(['Cleo', '100%_real']);
    expect(names(await page({ startIndex: 5, count: 2 }))).toEqual(["o'hara\\"]);
  });

  test('A page may lie beyond the end, be empty, or start before the beginning.', async () => {
    for (const filter of [undefined, 'userName pr']) {
      expect(await page({ filter, startIndex: 99 })).toMatchObject({ totalResults: 5, itemsPerPage: 0 });
      expect(await page({ filter, count: 0 })).toMatchObject({ totalResults: 5, itemsPerPage: 0 });
      expect(await page({ filter, count: -3 })).toMatchObject({ totalResults: 5, itemsPerPage: 0 });
      expect(await page({ filter, startIndex: -3, count: 1 })).toMatchObject({
        startIndex: 1,
        itemsPerPage: 1,
      });
      expect((await page({ filter, count: 1e9 })).itemsPerPage).toBe(5);
      expect((await page({ filter, startIndex: 9e15 })).totalResults).toBe(5);
    }
    expect((await acme.search('Users', { count: 1.5 })).status).toBe(400);
    expect((await acme.search('Users', { startIndex: 'x' })).status).toBe(400);
  });

  test('A page is sorted by any attribute, with resources without a value last.', async () => {
    expect(names(await page({ sortBy: 'userName' }))).toEqual([
      '100%_real',
      'Anna',
      'bert',
      'Cleo',
      "o'hara\\",
    ]);
    expect(names(await page({ sortBy: 'userName', sortOrder: 'descending', count: 1 }))).toEqual([
      "o'hara\\",
    ]);
    expect(names(await page({ sortBy: 'displayName' })).at(-1)).toBe('Cleo');
    expect(names(await page({ sortBy: 'displayName', filter: 'userName pr' })).at(-1)).toBe('Cleo');
    expect(names(await page({ sortBy: 'emails.value', count: 2 }))).toEqual(['Anna', 'bert']);
    expect(names(await page({ sortBy: 'meta.created', sortOrder: 'descending' }))[4]).toBe('Anna');
    expect((await acme.search('Users', { sortBy: 'nonsense' })).body.scimType).toBe('invalidPath');
    expect((await acme.search('Users', { sortBy: 'userName', sortOrder: 'up' })).status).toBe(400);
    expect((await acme.search('Users', { sortBy: "userName; DROP TABLE x'" })).status).toBe(400);
  });

  test('A page needs two statements with groups and one without, for any size.', async () => {
    harness.statements();
    for (const query of [{ count: 1 }, {}, { filter: 'userName eq "anna"' }]) {
      await page(query);
      expect(harness.statements()).toHaveLength(2);
    }
    await page({ excludedAttributes: ['groups'] });
    expect(harness.statements()).toHaveLength(1);
  });
});

describe('Searches among many users', () => {
  const many = 20_000;
  let big: string;

  beforeAll(async () => {
    big = await harness.tenant();
    for (const [first, last] of partsOf(many)) {
      await harness.sql(
        `INSERT INTO directory.users (tenant, id, user_name, user_name_key, display_name, display_name_key, active,
         external_ids, data, folded, created_at, updated_at)
       SELECT $1, gen_random_uuid(), 'user' || n, 'user' || n, 'Name ' || n, 'name ' || n, true,
         jsonb_build_object('entra', 'x' || n), d, d, now(), now()
       FROM generate_series($2::int, $3::int) n, LATERAL (SELECT jsonb_build_object('userName', 'user' || n,
         'emails', jsonb_build_array(jsonb_build_object('type', 'work', 'value', 'user' || n || '@example.com')))) AS j(d)`,
        [big, first, last],
      );
    }
    await harness.sql('VACUUM ANALYZE directory.users');
  });

  test.each([
    ['userName eq "user777"'],
    ['id eq "01900000-0000-7000-8000-000000000000"'],
    ['displayName eq "name 777"'],
    ['userName sw "user7777"'],
    ['externalId eq "x777"'],
    ['emails.value eq "user777@example.com"'],
    ['emails[type eq "work" and value eq "user777@example.com"]'],
    ['emails[type eq "work"].value eq "user777@example.com"'],
  ])('The filter %s is answered from an index.', async (filter) => {
    const client = tenantClient(harness, big);
    harness.statements();
    const { body } = await client.search('Users', { filter, source: 'entra', count: 10 });
    expect(body.totalResults).toBeLessThanOrEqual(2);
    const plans = await explained(big, filter);
    expect(plans).not.toMatch(/Seq Scan on users/);
    const touched = [...plans.matchAll(/"Actual Rows": ([\d.]+)/g)].map((match) => Number(match[1]));
    const removed = [...plans.matchAll(/"Rows Removed by Filter": ([\d.]+)/g)].map((match) =>
      Number(match[1]),
    );
    expect(Math.max(0, ...touched, ...removed)).toBeLessThan(200);
  });

  /** Returns the plan of the statement that a search runs. */
  async function explained(tenant: string, filter: string): Promise<string> {
    const { Search } = await import('../../src/search/data/search.ts');
    const { bindFilter, coreRegistry, parseFilter } = await import('@ostiary/scim');
    let plan = '';
    const search = new Search(
      {
        query: async (text, values) => {
          const rows = await harness.sql(`EXPLAIN (ANALYZE, FORMAT JSON) ${text}`, values);
          plan = JSON.stringify(rows, null, 1);
          return { rows: [], rowCount: 0 };
        },
      },
      tenant,
    );
    await search.page('User', {
      filter: bindFilter(parseFilter(filter), coreRegistry(), 'User'),
      source: 'entra',
      sort: undefined,
      offset: 0,
      limit: 10,
    });
    return plan;
  }
});
