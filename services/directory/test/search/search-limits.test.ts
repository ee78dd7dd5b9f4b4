import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { bindFilter, coreRegistry, parseFilter } from '@ostiary/scim';
import { Search } from '../../src/search/data/search.ts';
import { cheap, costOf } from '../../src/search/data/search-cost.ts';
import { SearchTimes } from '../../src/search/data/search-time.ts';
import { type Harness, startDirectory, type TenantClient, tenantClient } from '../support/harness.ts';
import { insertUsers } from '../support/people.ts';

const registry = coreRegistry();
const bound = (filter: string, type = 'User') => bindFilter(parseFilter(filter), registry, type);
const many = (times: number, condition: (i: number) => string): string =>
  Array.from({ length: times }, (_, i) => condition(i)).join(' or ');

let harness: Harness;
let acme: TenantClient;
let rival: TenantClient;

beforeAll(async () => {
  harness = await startDirectory();
  acme = tenantClient(harness, await harness.tenant());
  rival = tenantClient(harness, await harness.tenant());
  await insertUsers(harness, acme.tenant, 3000);
  await rival.create('Groups', { displayName: 'Rivals' });
});
afterAll(() => harness.stop());

describe('Filters with hundreds of comparisons', () => {
  const costly = `not (${many(240, (i) => `emails.value co "nobody${i}"`)})`;

  test('A filter costs its number of comparisons, and lists cost more.', () => {
    expect(costOf(bound('userName eq "a" and not (active eq true or title pr)'))).toBe(3);
    expect(costOf(bound('emails co "a"'))).toBe(15);
    expect(costOf(bound('emails[type eq "work" and value co "a"]'))).toBe(30);
    expect(costOf(bound('groups.display co "a"'))).toBeGreaterThan(cheap);
    expect(costOf(bound('members[display co "a"]', 'Group'))).toBeGreaterThan(cheap);
    expect(costOf(undefined)).toBe(0);
  });

  test('A costly filter examines fewer resources than a short one, and by index it is rejected where there are more.', async () => {
    const refused = await acme.search('Users', { filter: costly });
    expect(refused).toMatchObject({ status: 400, body: { scimType: 'tooMany' } });
    // The graph names its own alternative.
    const token = harness.issuer.token(acme.tenant, { scopes: ['users:read'] });
    const counted = await harness.graph(
      'query ($filter: String!) { users(filter: $filter, first: 1) { totalCount } }',
      { filter: costly },
      token,
    );
    expect(counted.body.errors).toMatchObject([
      {
        extensions: { code: 'BAD_USER_INPUT' },
        message: expect.stringMatching(/"first" and "after".*totalCount/),
      },
    ]);
    expect(JSON.stringify(counted.body.errors)).not.toMatch(/RFC|cursor/);
    const short = await acme.search('Users', { filter: 'not (emails.value co "nobody")', count: 1 });
    expect(short.body.totalResults).toBe(3000);
  });

  test('A costly filter continues in smaller steps after a position, and misses no resource.', async () => {
    const found = new Set<string>();
    let after: object | undefined;
    let pages = 0;
    do {
      const { status, body } = await acme.search('Users', {
        filter: costly,
        paging: 'cursor',
        count: 700,
        attributes: ['id'],
        ...(after && { after }),
      });
      expect(status).toBe(200);
      for (const { id } of body.Resources) found.add(id);
      after = body.next;
      pages += 1;
    } while (after);
    expect(found.size).toBe(3000);
    expect(pages).toBeGreaterThanOrEqual(6);
  });
});

describe('Searches above the time limit', () => {
  /** Locks the groups against reads until the work is done. */
  const whileLocked = <T>(work: () => Promise<T>): Promise<T> =>
    harness.database.transaction(async (tx) => {
      await tx.query('LOCK TABLE directory.groups IN ACCESS EXCLUSIVE MODE');
      return work();
    });
  const everything = {
    filter: bound('not (displayName co "nothing")', 'Group'),
    sort: undefined,
    source: 'direct',
    limit: 10,
  };

  /** Returns the total of all groups. A busy machine may exceed the timeout, so the search is repeated. */
  async function totalAtLast(search: Search): Promise<number | undefined> {
    let total: number | undefined;
    for (let time = 0; time < 50 && total === undefined; time += 1) {
      total = (await search.page('Group', { ...everything, offset: 0 }))?.total;
    }
    return total;
  }

  test('A search above the time limit is ended and returns nothing.', async () => {
    const times = new SearchTimes(harness.database, 100);
    const search = new Search(harness.database.sql, rival.tenant, 20_000, times.of(rival.tenant));
    const answers = await whileLocked(() =>
      Promise.all([
        search.page('Group', { ...everything, offset: 0 }),
        search.walk('Group', { ...everything, after: undefined }),
      ]),
    );
    expect(answers).toEqual([undefined, undefined]);
    expect(await totalAtLast(search)).toBe(1);
  });

  test('Slow searches leave connections to others: three per tenant run concurrently, and one that waits too long is rejected.', async () => {
    const times = new SearchTimes(harness.database, 1000);
    const search = new Search(harness.database.sql, acme.tenant, 20_000, times.of(acme.tenant));
    const underWay = () =>
      harness.sql<{ count: number }>(
        `SELECT count(*)::int AS count FROM pg_locks WHERE relation = 'directory.groups'::regclass AND NOT granted
           AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
      );
    await whileLocked(async () => {
      const searches = Promise.allSettled(
        Array.from({ length: 12 }, () => search.page('Group', { ...everything, offset: 0 })),
      );
      let most = 0;
      while (most === 0) most = (await underWay())[0]?.count ?? 0;
      // Other tenants are served in the meantime.
      expect((await rival.search('Users', { filter: 'active eq true' })).status).toBe(200);
      expect((await underWay())[0]?.count ?? 0).toBeLessThanOrEqual(3);
      for (const outcome of await searches) {
        if (outcome.status === 'fulfilled') expect(outcome.value).toBeUndefined();
        else expect(outcome.reason).toMatchObject({ statusCode: 503 });
      }
    });
    expect(await totalAtLast(search)).toBe(0);
  });
});
