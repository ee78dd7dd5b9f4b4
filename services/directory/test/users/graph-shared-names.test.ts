import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Harness, type Json, startDirectory, tenantClient } from '../support/harness.ts';
import { schemaApp } from '../support/schemas.ts';

let harness: Harness;

beforeAll(async () => {
  harness = await startDirectory();
});
afterAll(() => harness.stop());

const query = `query ($first: Int, $after: String) {
  usersSharingNames(first: $first, after: $after) { totalCount edges { cursor node { id userName } } pageInfo { hasNextPage } } }`;

test('Administrators see which users share a user name, page by page, and only in their own tenant.', async () => {
  const acme = tenantClient(harness, await harness.tenant());
  const rival = tenantClient(harness, await harness.tenant());
  const ids: string[] = [];
  for (const userName of ['alice', 'caf\u00e9', 'bob', 'twin-1', 'twin-2']) {
    ids.push((await acme.create('Users', { userName })).body.id);
    expect((await rival.create('Users', { userName })).status).toBe(201);
  }
  const [alice, cafe, , one, two] = ids;
  // Sets them to names from before names were compared as they are now.
  for (const [id, name] of [
    [one, 'cafe\u0301'],
    [two, 'ａlice'],
  ]) {
    await harness.sql(
      `UPDATE directory.users SET user_name = $3, user_name_key = $3, data = data || jsonb_build_object('userName', $3::text)
        WHERE tenant = $1 AND id = $2`,
      [acme.tenant, id, name],
    );
  }
  await harness.tidy();

  const app = schemaApp(harness, acme.tenant);
  const seen: string[] = [];
  let after: string | undefined;
  for (let page = 0; page < 2; page += 1) {
    const { usersSharingNames: found } = (await app.ask(query, { first: 2, after })).data;
    expect(found.totalCount).toBe(4);
    expect(found.pageInfo.hasNextPage).toBe(page === 0);
    seen.push(...found.edges.map(({ node }: Json) => node.userName));
    after = found.edges.at(-1).cursor;
  }
  expect(seen).toEqual(['alice', 'caf\u00e9', 'cafe\u0301', 'ａlice']);
  const { usersSharingNames: none } = (await schemaApp(harness, rival.tenant).ask(query)).data;
  expect(none).toMatchObject({ totalCount: 0, edges: [] });

  // With names of their own they leave the list.
  await acme.patch('Users', one as string, [{ op: 'replace', path: 'userName', value: 'coffee' }]);
  await acme.remove('Users', alice as string);
  expect((await app.ask(query)).data.usersSharingNames).toMatchObject({ totalCount: 0 });
  expect(cafe).toBeDefined();
});
