import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  type Harness,
  type Json,
  startDirectory,
  type TenantClient,
  tenantClient,
} from '../support/harness.ts';
import { insertUsers } from '../support/people.ts';

const people = 1100;
const crowds = 60;

let harness: Harness;
let acme: TenantClient;

/** Sixty groups with the same members: more memberships than fit on one page. */
beforeAll(async () => {
  harness = await startDirectory();
  acme = tenantClient(harness, await harness.tenant());
  await insertUsers(harness, acme.tenant, people);
  for (let i = 0; i < crowds; i += 1) await acme.create('Groups', { displayName: `Crowd ${i}` });
  await harness.database.transaction(async (tx) => {
    await tx.query(`SET LOCAL session_replication_role = 'replica'`);
    await tx.query(
      `INSERT INTO directory.user_memberships (tenant, group_id, member_id)
       SELECT $1, g.id, u.id FROM directory.groups g, directory.users u WHERE g.tenant = $1 AND u.tenant = $1`,
      [acme.tenant],
    );
  });
});
afterAll(() => harness.stop());

describe('Pages whose resources have too many members or groups', () => {
  test('A large page is shorter by index, and the next page begins where it ended.', async () => {
    const ids: string[] = [];
    let total = Number.POSITIVE_INFINITY;
    let pages = 0;
    while (ids.length < total) {
      const { status, body } = await acme.search('Groups', { count: 1000, startIndex: ids.length + 1 });
      expect(status).toBe(200);
      expect(body.itemsPerPage).toBe(body.Resources.length);
      for (const group of body.Resources) expect(group.members).toHaveLength(people);
      ids.push(...body.Resources.map(({ id }: Json) => id));
      total = body.totalResults;
      pages += 1;
    }
    expect([new Set(ids).size, ids.length]).toEqual([crowds, crowds]);
    expect(pages).toBeGreaterThan(1);
  });

  test('A large page is shorter after a position, and the pages miss no resource.', async () => {
    const ids: string[] = [];
    let after: object | undefined;
    let pages = 0;
    do {
      const sorted = { sortBy: 'displayName', sortOrder: 'descending', paging: 'cursor', count: 1000 };
      const { body } = await acme.search('Groups', { ...sorted, ...(after && { after }) });
      expect(body.totalResults).toBe(crowds);
      ids.push(...body.Resources.map(({ id }: Json) => id));
      after = body.next;
      pages += 1;
    } while (after);
    expect([new Set(ids).size, ids.length]).toEqual([crowds, crowds]);
    expect(pages).toBeGreaterThan(1);
  });

  test('A large page is shorter before a position as well, and the pages miss no resource.', async () => {
    const ids: string[] = [];
    let before: object | undefined;
    let pages = 0;
    do {
      const sorted = { sortBy: 'displayName', paging: 'cursor', backward: true, count: 1000 };
      const { body } = await acme.search('Groups', { ...sorted, ...(before && { after: before }) });
      ids.unshift(...body.Resources.map(({ id }: Json) => id));
      before = body.previous;
      pages += 1;
    } while (before);
    expect([new Set(ids).size, ids.length]).toEqual([crowds, crowds]);
    expect(pages).toBeGreaterThan(1);
  });

  test('A large page of users is shorter too, but not when the large attributes are excluded.', async () => {
    const first = (await acme.search('Users', { count: 1000 })).body;
    expect(first.totalResults).toBe(people);
    expect(first.Resources.length).toBeLessThan(1000);
    expect(first.Resources[0].groups).toHaveLength(crowds);
    const bare = { count: 1000, excludedAttributes: ['groups', 'members'] };
    expect((await acme.search('Users', bare)).body.itemsPerPage).toBe(1000);
    expect((await acme.search('Groups', bare)).body.itemsPerPage).toBe(crowds);
  });
});
