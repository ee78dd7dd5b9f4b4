import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  type Harness,
  type Json,
  startDirectory,
  type TenantClient,
  tenantClient,
} from '../support/harness.ts';
import { insertUsers } from '../support/people.ts';

let harness: Harness;
let client: TenantClient;
const people = 90;

beforeAll(async () => {
  harness = await startDirectory();
  client = tenantClient(harness, await harness.tenant());
  await insertUsers(harness, client.tenant, people);
});
afterAll(() => harness.stop());

interface Query {
  filter?: string;
  sortBy?: string;
  sortOrder?: 'ascending' | 'descending';
}

interface Walked {
  ids: string[];
  next?: Json;
  previous?: Json;
}

async function page(of: TenantClient, query: object): Promise<Walked> {
  const { status, body } = await of.search('Users', { count: 7, ...query, paging: 'cursor' });
  if (status !== 200) throw new Error(JSON.stringify(body));
  expect(body).not.toHaveProperty('startIndex');
  expect(body.Resources.length).toBeLessThanOrEqual(7);
  return { ids: body.Resources.map(({ id }: Json) => id), next: body.next, previous: body.previous };
}

async function allForward(of: TenantClient, query: Query): Promise<Walked[]> {
  const pages = [await page(of, query)];
  for (let after = pages[0]?.next; after; after = pages.at(-1)?.next)
    pages.push(await page(of, { ...query, after }));
  return pages;
}

/** Returns the pages before this one, in the order of the list. */
async function allBack(
  of: TenantClient,
  query: Query,
  from: Json,
  between: () => Promise<unknown> = async () => {},
): Promise<Walked[]> {
  const pages: Walked[] = [];
  for (let after = from; after; after = pages[0]?.previous) {
    await between();
    pages.unshift(await page(of, { ...query, after, backward: true }));
  }
  return pages;
}

const idsOf = (pages: readonly Walked[]): string[] => pages.flatMap(({ ids }) => ids);

describe('Walks back', () => {
  const orders: Query[] = [
    {},
    { sortBy: 'userName' },
    { sortBy: 'userName', sortOrder: 'descending' },
    { sortBy: 'displayName' },
    { sortBy: 'displayName', sortOrder: 'descending' },
    { sortBy: 'name.familyName', filter: 'userName pr' },
    { sortBy: 'meta.created', sortOrder: 'descending' },
    { sortBy: 'emails.value', filter: 'emails co "example.com"' },
    { sortBy: 'title', sortOrder: 'descending' },
    { sortBy: 'active', filter: 'userName sw "user"' },
    { filter: 'userName co "user"' },
  ];

  test.each(orders)(
    'A walk back shows the resources of the walk forward, in the same order: %j.',
    async (query) => {
      const forward = await allForward(client, query);
      expect(new Set(idsOf(forward)).size).toBe(people);
      expect(forward[0]?.previous).toBeUndefined();
      const last = forward.at(-1);
      const back = await allBack(client, query, last?.previous);
      expect([...idsOf(back), ...(last?.ids ?? [])]).toEqual(idsOf(forward));
      expect(back[0]?.previous).toBeUndefined();
      // Every page leads to the page after it.
      for (const [index, { next }] of back.entries()) {
        const behind = await page(client, { ...query, after: next });
        expect(behind.ids[0]).toBe((back[index + 1] ?? last)?.ids[0]);
      }
      // Without a position it begins at the end.
      const end = await page(client, { ...query, backward: true });
      expect(end.ids).toEqual(idsOf(forward).slice(-7));
      expect(end.next).toBeUndefined();
    },
  );

  test('A walk back misses no user present throughout and shows none twice, while users are added and deleted.', async () => {
    const other = tenantClient(harness, await harness.tenant());
    await insertUsers(harness, other.tenant, 60);
    for (const query of [
      {},
      { sortBy: 'userName' },
      { sortBy: 'displayName', sortOrder: 'descending' },
    ] as Query[]) {
      const forward = await allForward(other, query);
      const ids = idsOf(forward);
      const leaving = ids.filter((_, index) => index % 5 === 2);
      const gone = leaving.values();
      let n = 0;
      const back = await allBack(other, query, forward.at(-1)?.previous, () =>
        Promise.all([
          ...[gone.next().value, gone.next().value].flatMap((id) =>
            id === undefined ? [] : [other.remove('Users', id)],
          ),
          other.create('Users', { userName: `new-${JSON.stringify(query)}-${n++}`, displayName: 'm' }),
        ]),
      );
      const seen = [...idsOf(back), ...(forward.at(-1)?.ids ?? [])];
      expect(new Set(seen).size).toBe(seen.length);
      const stayed = ids.filter((id) => !leaving.includes(id));
      expect(seen.filter((id) => stayed.includes(id))).toEqual(stayed);
    }
  });

  test('A walk back from the beginning returns an empty page without further positions.', async () => {
    const other = tenantClient(harness, await harness.tenant());
    await insertUsers(harness, other.tenant, 10);
    const first = await page(other, {});
    const second = await page(other, { after: first.next });
    for (const id of first.ids) await other.remove('Users', id);
    expect(await page(other, { after: second.previous, backward: true })).toEqual({
      ids: [],
      next: undefined,
      previous: undefined,
    });
  });

  test('A walk back with a position of another tenant finds nothing of that tenant, and an invalid one is rejected.', async () => {
    const rival = tenantClient(harness, await harness.tenant());
    const { next } = await page(client, {});
    expect((await page(rival, { after: next, backward: true })).ids).toEqual([]);
    for (const wrong of [{ backward: 'yes' }, { backward: 1 }, { backward: true, after: { id: 'x' } }]) {
      expect((await client.search('Users', { paging: 'cursor', ...wrong })).status).toBe(400);
    }
  });
});
