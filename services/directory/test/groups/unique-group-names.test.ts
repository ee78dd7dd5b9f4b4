import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import {
  type Harness,
  type Json,
  startDirectory,
  type TenantClient,
  tenantClient,
} from '../support/harness.ts';
import { schemaApp } from '../support/schemas.ts';

let harness: Harness;
let acme: TenantClient;
let rival: TenantClient;

beforeAll(async () => {
  harness = await startDirectory();
});
afterAll(() => harness.stop());
beforeEach(async () => {
  acme = tenantClient(harness, await harness.tenant());
  rival = tenantClient(harness, await harness.tenant());
});

const create = (displayName: string, at = acme) => at.create('Groups', { displayName });
const rename = (id: string, value: string) =>
  acme.patch('Groups', id, [{ op: 'replace', path: 'displayName', value }]);
const wantUnique = (unique: boolean) =>
  harness.sql(
    `UPDATE directory.tenants SET policy = jsonb_build_object('uniqueGroupNames', $2::boolean) WHERE id = $1`,
    [acme.tenant, unique],
  );

test('A group name can be used twice, unless the tenant requires unique names.', async () => {
  expect((await create('Sales')).status).toBe(201);
  const { body: second } = await create('Sales');
  const { body: other } = await create('Other');
  await wantUnique(true);
  for (const name of ['Sales', 'SALES', ' sales ', 'Ｓales']) {
    const answer = await create(name);
    expect([name, answer.status, answer.body.scimType]).toEqual([name, 409, 'uniqueness']);
    expect((await rename(other.id, name)).status).toBe(409);
    expect((await acme.replace('Groups', other.id, { displayName: name })).status).toBe(409);
  }
  // Groups that shared it before keep it and can be changed. Another tenant's names are separate.
  expect((await rename(second.id, 'sales')).status).toBe(200);
  const known = await acme.patch('Groups', second.id, [{ op: 'add', path: 'externalId', value: 's' }]);
  expect(known.status).toBe(200);
  for (let time = 0; time < 2; time += 1) expect((await create('Sales', rival)).status).toBe(201);
  await wantUnique(false);
  expect((await create('Sales')).status).toBe(201);
});

test('Of twenty concurrent creations and renames, exactly one gets the group name.', async () => {
  await wantUnique(true);
  const others: string[] = [];
  for (let index = 0; index < 5; index += 1) others.push((await create(`g${index}`)).body.id);
  const spellings = ['Caf\u00e9 Club', 'cafe\u0301  club', 'CAF\u00c9 CLUB'];
  const answers = await Promise.all([
    ...Array.from({ length: 15 }, (_, index) => create(spellings[index % 3] as string)),
    ...others.map((id) => rename(id, spellings[0] as string)),
  ]);
  expect(answers.filter(({ status }) => status < 300)).toHaveLength(1);
  expect(answers.filter(({ status }) => status === 409)).toHaveLength(19);
});

test('A deleted group is restored only under a name that is free.', async () => {
  const app = schemaApp(harness, acme.tenant);
  await harness.sql(`UPDATE directory.tenants SET deletion_policy = 'soft' WHERE id = $1`, [acme.tenant]);
  const { body: first } = await create('Ops');
  await acme.remove('Groups', first.id);
  await create('ops');
  await wantUnique(true);
  const restored = await app.mutate('restoreGroup', 'DeletedResourceInput', { id: first.id }, 'group { id }');
  expect(JSON.stringify(restored)).not.toContain(`"group":{"id"`);
  expect((await acme.read('Groups', first.id)).status).toBe(404);
  await wantUnique(false);
  await app.mutate('restoreGroup', 'DeletedResourceInput', { id: first.id }, 'group { id }');
  expect((await acme.read('Groups', first.id)).status).toBe(200);
});

test('Groups that share a name are listed, and only those of the own tenant.', async () => {
  for (const name of ['A', 'B', 'a ', 'C']) await create(name);
  for (const name of ['R', 'r']) await create(name, rival);
  const ask = async (tenant: string): Promise<Json> => {
    const query = '{ groupsSharingNames { totalCount edges { node { displayName } } } }';
    return (await schemaApp(harness, tenant).ask(query)).data.groupsSharingNames;
  };
  const found = await ask(acme.tenant);
  expect(found.totalCount).toBe(2);
  expect(found.edges.map(({ node }: Json) => node.displayName)).toEqual(['A', 'a ']);
  expect((await ask(rival.tenant)).totalCount).toBe(2);
});

test('Name keys that a process of an earlier release did not write are created.', async () => {
  const { body } = await create('Old');
  await harness.sql(
    `UPDATE directory.groups SET display_name = 'Older', data = data || '{"displayName":"Older"}' WHERE id = $1`,
    [body.id],
  );
  await harness.tidy();
  await wantUnique(true);
  expect((await create('older')).status).toBe(409);
  expect((await create('old')).status).toBe(201);
});
