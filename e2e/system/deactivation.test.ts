import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventually } from '@ostiary/service/testing';
import { type DemoTenant, unique } from '../support/demo.ts';
import { graph, meQuery } from '../support/graph.ts';
import { briefStaleness, type OwnSystem, ownSystem } from '../support/own-system.ts';
import { ScimClient, userSchema } from '../support/scim.ts';
import { adminToken, signIn } from '../support/sign-in.ts';

const tokenSeconds = 30;
let own: OwnSystem;
let source: ScimClient;
/** Connector of a tenant whose role holders were not queried before. */
let neverAsked: ScimClient;

async function careful(name: 'demo' | 'rival'): Promise<ScimClient> {
  const tenant = own.demo.tenants[name];
  const { data, errors } = await graph(
    own.demo,
    await adminToken(tenant),
    'mutation ($input: CreateConnectorInput!) { createConnector(input: $input) { token problems { message } } }',
    { input: { name: unique('Careful'), protectedAccounts: { administrators: true } } },
  );
  expect([errors, data.createConnector.problems]).toEqual([[], []]);
  return new ScimClient(tenant, data.createConnector.token);
}

async function idOf(client: ScimClient, userName: string): Promise<string> {
  const filter = encodeURIComponent(`userName eq "${userName}"`);
  return (await client.call('GET', `/Users?filter=${filter}`)).body.Resources[0].id;
}

beforeAll(async () => {
  own = await ownSystem({
    env: briefStaleness,
    of: { auth: { ACCESS_TOKEN_TTL_SECONDS: String(tokenSeconds) } },
  });
  source = await careful('demo');
  neverAsked = await careful('rival');
});
afterAll(() => own?.stop());

const off = [{ op: 'replace', path: 'urn:ietf:params:scim:schemas:core:2.0:User:active', value: false }];
const title = [{ op: 'replace', path: 'title', value: 'x' }];

/** Returns a Bulk request that changes a user many times and then deactivates the user. */
function lastOfMany(id: string) {
  const operation = (Operations: object[]) => ({
    method: 'PATCH',
    path: `/Users/${id}`,
    data: { schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'], Operations },
  });
  return {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:BulkRequest'],
    Operations: [...Array.from({ length: 12 }, () => operation(title)), operation(off)],
  };
}

const refreshed = ({ issuer, clients }: DemoTenant, refreshToken: string): Promise<Response> =>
  fetch(`${issuer}/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'refresh_token',
      client_id: clients.web.client_id,
      refresh_token: refreshToken,
    }),
  });

test('A user offboarded during an auth outage loses access when auth returns, also if the source sent nothing for longer than a token lives.', async () => {
  const tenant = own.demo.tenants.demo;
  const make = async () => {
    const user = { userName: unique('leaver'), password: unique('seven quiet otters') };
    return { ...user, ...(await source.createUser(user)) };
  };
  const [patched, put, inBulk, deleted] = [await make(), await make(), await make(), await make()];
  const boss = await idOf(source, tenant.users.admin.userName);
  const elsewhere = await idOf(neverAsked, own.demo.tenants.rival.users.admin.userName);
  const { refresh_token: refreshToken = '' } = (await signIn(own.demo, tenant, patched)).tokens;
  await new Promise((resolve) => setTimeout(resolve, (tokenSeconds + 5) * 1_000));

  await own.system.stop('auth');
  try {
    // Verifiers now reject tokens, because their revocation list is too old.
    await new Promise((resolve) => setTimeout(resolve, 4_000));
    expect((await source.patch(`/Users/${patched.id}`, title)).status).toBe(503);
    expect((await source.patch(`/Users/${patched.id}`, off)).status).toBe(200);
    const whole = { schemas: [userSchema], userName: put.userName, password: put.password, active: false };
    expect((await source.call('PUT', `/Users/${put.id}`, whole)).status).toBe(200);
    const bulk = await source.call('POST', '/Bulk', lastOfMany(inBulk.id));
    expect(bulk.body.Operations.at(-1)).toMatchObject({ status: '200' });
    expect((await source.call('DELETE', `/Users/${deleted.id}`)).status).toBe(204);
    // Users with a role are protected, also in a tenant whose role holders were not queried before.
    expect((await source.patch(`/Users/${boss}`, off)).status).toBe(403);
    expect((await neverAsked.patch(`/Users/${elsewhere}`, off)).status).toBe(403);
    expect((await neverAsked.call('DELETE', `/Users/${elsewhere}`)).status).toBe(403);
  } finally {
    await own.system.start('auth');
  }

  for (const { id } of [patched, put, inBulk]) {
    const { status, body: found } = await eventually(
      () => source.call('GET', `/Users/${id}`),
      (answer) => answer.status === 200,
    );
    expect([status, found.active]).toEqual([200, false]);
  }
  const refresh = () => refreshed(tenant, refreshToken);
  await eventually(refresh, ({ status }) => status === 400);
  await eventually(
    async () => graph(own.demo, await adminToken(tenant), meQuery),
    ({ status }) => status === 200,
  );
});
