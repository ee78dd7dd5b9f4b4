import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { bindFilter, bindSortBy, coreRegistry, parseFilter } from '@ostiary/scim';
import type { Position } from '../../src/resources/domain/ports.ts';
import { FrequentFilters } from '../../src/search/data/frequent-filters.ts';
import { Search } from '../../src/search/data/search.ts';
import { type Harness, startDirectory } from '../support/harness.ts';
import { insertUsers, personId } from '../support/people.ts';
import { explained, nodes, type Plan } from '../support/plans.ts';

const many = 6_000;
/** Maximum number of rows that one search examines here: fewer than there are. */
const limit = 800;
const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
const registry = coreRegistry();

let harness: Harness;
let acme: string;
let rival: string;

beforeAll(async () => {
  harness = await startDirectory();
  acme = await harness.tenant();
  rival = await harness.tenant();
  await insertUsers(harness, rival, many);
  await insertUsers(harness, acme, many);
  await insertUsers(harness, await harness.tenant(), many);
  await harness.sql('VACUUM ANALYZE directory.users');
  await harness.sql('ANALYZE directory.resource_counts');
});
afterAll(() => harness.stop());

interface Explained {
  search: Search;
  plans: Plan[];
}

/** Searches whose statements are all executed and explained, as unprepared and as prepared ones. */
function explaining(
  tenant: string,
  mode: 'force_custom_plan' | 'force_generic_plan',
  { database }: Harness = harness,
): Explained {
  const { sql, plans } = explained(database, mode);
  return { search: new Search(sql, tenant, limit), plans };
}

const query = (filter?: string, sortBy?: string, descending = false) => ({
  filter: filter === undefined ? undefined : bindFilter(parseFilter(filter), registry, 'User'),
  sort: sortBy === undefined ? undefined : { by: bindSortBy(sortBy, registry, 'User'), descending },
  source: 'entra',
});

/** Returns the number of users that a statement has read, and checks that it never scanned the whole table. */
function rowsRead(plans: readonly Plan[]): number {
  // The sampled pages are few, with any content.
  const scans = plans
    .flatMap(nodes)
    .filter((node) => node['Relation Name'] === 'users' && node['Node Type'] !== 'Sample Scan');
  for (const scan of scans) expect(scan['Node Type']).not.toBe('Seq Scan');
  return scans.reduce((sum, scan) => {
    const removed = (scan['Rows Removed by Filter'] ?? 0) + (scan['Rows Removed by Index Recheck'] ?? 0);
    return sum + (scan['Actual Rows'] + removed) * scan['Actual Loops'];
  }, 0);
}

/** Filter, sort attribute, and whether the matches are few enough to be counted. */
const shapes: [filter: string | undefined, sortBy: string | undefined, countable: boolean][] = [
  ['userName eq "USER777"', undefined, true],
  ['id eq "01900000-0000-7000-8000-000000000000"', undefined, true],
  ['externalId eq "X777"', undefined, true],
  ['displayName eq "name 77"', undefined, true],
  ['name.familyName eq "family7"', undefined, true],
  ['name.givenName eq "GIVEN8"', undefined, true],
  ['emails.value eq "user777@example.com"', undefined, true],
  ['emails[type eq "work" and value eq "user777@example.com"]', undefined, true],
  ['emails[type eq "work"].value eq "user777@example.com"', undefined, true],
  [`${enterprise}:employeeNumber eq "e777"`, undefined, true],
  ['userName sw "user77"', undefined, true],
  ['userName co "ser777"', undefined, true],
  ['userName ew "r777"', undefined, true],
  ['displayName co "ame 77"', undefined, true],
  ['name.familyName co "mily77"', undefined, true],
  ['name.familyName sw "family77"', undefined, true],
  ['name.familyName sw "family7"', undefined, false],
  ['name.givenName ew "given77"', undefined, true],
  ['emails.value sw "user777@"', undefined, true],
  ['emails.value co "r777@exam"', undefined, true],
  ['emails[type eq "work" and value co "r777@exam"]', undefined, true],
  [`${enterprise}:employeeNumber co "e777"`, undefined, true],
  ['meta.lastModified gt "2199-01-01T00:00:00Z"', undefined, true],
  ['userName ge "user999" and userName lt "user9991"', undefined, true],
  ['active eq true and name.familyName eq "family7"', undefined, true],
  ['not (active eq true) and name.familyName eq "family7"', undefined, true],
  ['userName eq "user1" or emails.value eq "user2@example.com" or externalId eq "X3"', undefined, true],
  ['name.familyName eq "family7"', 'emails.value', true],
  ['name.familyName eq "family7"', 'meta.lastModified', true],
  ['emails.type eq "work"', undefined, false],
  [`${enterprise}:department eq "sales"`, undefined, false],
  [`${enterprise}:department co "ale"`, undefined, false],
  ['emails ew "@example.com"', undefined, false],
  ['userName sw "u"', undefined, false],
  ['userName co "r"', undefined, false],
  ['displayName co "%"', undefined, false],
  ['userName ne "user1"', undefined, false],
  ['userName gt "user1"', undefined, false],
  ['userName le "user9"', 'userName', false],
  ['userName pr', 'meta.created', false],
  ['nickName pr', undefined, false],
  ['not (displayName pr)', 'displayName', false],
  ['active eq false', 'name.familyName', false],
  ['title eq "nobody" or nickName co "ab"', undefined, false],
  ['groups pr', undefined, false],
  ['meta.created gt "2001-01-01T00:00:00Z"', undefined, false],
  [undefined, undefined, true],
  [undefined, 'userName', true],
  [undefined, 'displayName', true],
  [undefined, 'name.familyName', true],
  [undefined, 'name.givenName', true],
  [undefined, 'meta.created', true],
  [undefined, 'meta.lastModified', true],
];

/** Counts the matches by a scan of all users. */
async function matching(filter: string | undefined): Promise<number> {
  const all = new Search(harness.database.sql, acme, 10 * many);
  return (await all.count('User', query(filter))) ?? Number.NaN;
}

test('Members of a group are found by the group, and groups by a member.', async () => {
  const group = '01900000-0000-7000-8000-000000000001';
  await harness.sql(
    `INSERT INTO directory.groups (tenant, id, display_name, display_name_key, data, folded, created_at, updated_at)
     SELECT $1, CASE n WHEN 1 THEN $2::uuid ELSE md5($1 || 'g' || n)::uuid END, 'G' || n, 'g' || n, '{}', '{}', now(), now()
     FROM generate_series(1, 2000) n`,
    [acme, group],
  );
  await harness.sql(
    `INSERT INTO directory.user_memberships (tenant, group_id, member_id)
     SELECT $1, $2, ${personId('n')} FROM generate_series(1, 30) n`,
    [acme, group],
  );
  await harness.sql('ANALYZE directory.groups');
  const { search, plans } = explaining(acme, 'force_generic_plan');
  for (const filter of [`groups.value eq "${group}"`, `groups[type eq "direct" and value eq "${group}"]`]) {
    expect((await search.page('User', { ...query(filter), offset: 0, limit: 10 }))?.total).toBe(30);
  }
  expect(rowsRead(plans)).toBeLessThan(limit);
  plans.length = 0;
  const [{ member }] = (await harness.sql(`SELECT ${personId('7')} AS member`)) as [{ member: string }];
  const ofGroups = bindFilter(parseFilter(`members.value eq "${member}"`), registry, 'Group');
  const found = await search.page('Group', { ...query(), filter: ofGroups, offset: 0, limit: 10 });
  expect(found).toMatchObject({ total: 1, rows: [{ id: group }] });
  const groupScans = plans.flatMap(nodes).filter((node) => node['Relation Name'] === 'groups');
  for (const scan of groupScans) expect(scan['Node Type']).not.toBe('Seq Scan');
});

describe.each(['force_custom_plan', 'force_generic_plan'] as const)(
  'Searches do not read the whole tenant (%s)',
  (mode) => {
    test.each(shapes)(
      'A search for %s sorted by %s does not read the whole tenant.',
      async (filter, sortBy, countable) => {
        const total = await matching(filter);
        for (const descending of sortBy === undefined ? [false] : [false, true]) {
          const { search, plans } = explaining(acme, mode);
          const wanted = query(filter, sortBy, descending);
          const page = await search.page('User', { ...wanted, offset: 0, limit: 10 });
          expect(page?.total).toBe(countable ? total : undefined);
          if (countable) expect(page?.rows).toHaveLength(Math.min(total, 10));
          expect(rowsRead(plans)).toBeLessThan(1.5 * limit);

          plans.length = 0;
          const walked = await search.walk('User', { ...wanted, after: undefined, limit: 10 });
          expect(rowsRead(plans)).toBeLessThan(limit);
          if (walked?.total !== undefined) expect(walked.total).toBe(total);
          plans.length = 0;
          await search.walk('User', { ...wanted, backward: true, after: undefined, limit: 10 });
          expect(rowsRead(plans)).toBeLessThan(limit);
          if (!walked?.next) return;
          plans.length = 0;
          await search.walk('User', { ...wanted, after: walked.next, limit: 10 });
          expect(rowsRead(plans)).toBeLessThan(limit);
        }
      },
    );

    test('A far page does not read the whole tenant, from either end.', async () => {
      for (const offset of [1_000, many / 2 - 5, many - 20, many + 5]) {
        const { search, plans } = explaining(acme, mode);
        const page = await search.page('User', { ...query(), offset, limit: 10 });
        expect(page).toMatchObject({ total: many });
        expect(page?.rows).toHaveLength(offset < many ? 10 : 0);
        // Only an index is read.
        const heap = plans
          .flatMap(nodes)
          .filter((node) => node['Relation Name'] === 'users' && node['Node Type'] !== 'Index Only Scan');
        for (const scan of heap) expect(scan['Actual Rows'] * scan['Actual Loops']).toBeLessThan(20);
      }
      const { search } = explaining(acme, mode);
      expect(
        await search.page('User', { ...query(undefined, 'userName'), offset: limit + 1, limit: 10 }),
      ).toBeUndefined();
    });

    test('An order without an index is available only for as many resources as can be sorted.', async () => {
      const { search, plans } = explaining(acme, mode);
      expect(
        await search.page('User', { ...query(undefined, 'emails.value'), offset: 0, limit: 10 }),
      ).toBeUndefined();
      expect(
        await search.walk('User', {
          ...query('active eq true', 'emails.value'),
          after: undefined,
          limit: 10,
        }),
      ).toBeUndefined();
      expect(rowsRead(plans)).toBe(0);
    });
  },
);

test('A filter with too many candidates is not given to the index again for each page of a walk, nor for another tenant.', async () => {
  let now = 0;
  const frequent = new FrequentFilters(() => now);
  const { sql, plans } = explained(harness.database, 'force_generic_plan');
  const of = (tenant: string) => new Search(sql, tenant, limit, undefined, frequent);
  const asked = { ...query('displayName co "ame 1"'), limit: 10 };
  const walked = async (tenant: string, after: Position | undefined) => {
    plans.length = 0;
    const page = await of(tenant).walk('User', { ...asked, after });
    return { statements: plans.length, rows: page?.rows.map(({ id }) => id), next: page?.next };
  };
  const first = await walked(acme, undefined);
  expect(first.statements).toBe(2);
  const again = await walked(acme, undefined);
  expect(again).toEqual({ ...first, statements: 1 });
  expect((await walked(acme, first.next)).statements).toBe(1);
  expect((await walked(rival, undefined)).statements).toBe(2);
  now += 60_001;
  expect(await walked(acme, undefined)).toEqual(first);
  // A filter with few matches still returns its total.
  plans.length = 0;
  const few = await of(acme).walk('User', {
    ...query('displayName co "ame 77"'),
    after: undefined,
    limit: 10,
  });
  expect([few?.total !== undefined, plans.length]).toEqual([true, 1]);
});

test('A tenant that has nearly all users is not compared with the trigrams of each, and finds no user of another.', async () => {
  const most = await startDirectory();
  try {
    const [large, small] = [await most.tenant(), await most.tenant()];
    await insertUsers(most, large, many);
    await insertUsers(most, small, 1_200);
    await most.sql('VACUUM ANALYZE directory.users');
    const scanned = async (tenant: string) => {
      const { search, plans } = explaining(tenant, 'force_generic_plan', most);
      const page = await search.page('User', { ...query('userName co "ser499"'), offset: 0, limit: 200 });
      const scans = plans.flatMap(nodes).filter((node) => node['Relation Name'] === 'users');
      const run = scans.filter(
        (node) => node['Node Type'] === 'Bitmap Heap Scan' && node['Actual Loops'] > 0,
      );
      const blocks = run.flatMap(nodes).find((node) => node['Node Type'] === 'Bitmap Index Scan');
      return { page, way: run.length, candidates: blocks?.['Actual Rows'] };
    };
    // user499 and, where there are as many, user4990 to user4999.
    const [ofLarge, ofSmall] = [await scanned(large), await scanned(small)];
    expect(ofLarge).toMatchObject({ page: { total: 11 }, way: 1, candidates: 12 });
    expect(ofSmall).toMatchObject({ page: { total: 1 }, way: 1, candidates: 1 });
  } finally {
    await most.stop();
  }
});

test('Other tenants with the same values add almost nothing to the cost of a search.', async () => {
  const lonely = await startDirectory();
  try {
    const tenant = await lonely.tenant();
    await insertUsers(lonely, tenant, many);
    // Empties the pending lists of the indexes, which contain writes of other tests.
    for (const each of [lonely, harness]) await each.sql('VACUUM ANALYZE directory.users');
    const blocks = async (of: string, on: Harness, filter: string): Promise<number> => {
      const { search, plans } = explaining(of, 'force_generic_plan', on);
      await search.page('User', { ...query(filter), offset: 0, limit: 100 });
      return plans.reduce((sum, plan) => sum + plan['Shared Hit Blocks'] + plan['Shared Read Blocks'], 0);
    };
    for (const filter of [
      'userName eq "user777"',
      'emails[type eq "work" and value eq "user777@example.com"]',
      'externalId eq "X777"',
      'name.familyName co "mily77"',
      'userName co "ser777"',
    ]) {
      const [one, three] = [await blocks(tenant, lonely, filter), await blocks(acme, harness, filter)];
      expect([filter, three <= 1.5 * one + 10]).toEqual([filter, true]);
    }
  } finally {
    await lonely.stop();
  }
});
