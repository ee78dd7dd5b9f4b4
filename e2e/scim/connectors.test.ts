import { beforeAll, describe, expect, test } from '@jest/globals';
import { runningDemo, unique } from '../support/demo.ts';
import { Doors } from '../support/doors.ts';
import { graph } from '../support/graph.ts';
import { ScimClient } from '../support/scim.ts';
import { adminToken } from '../support/sign-in.ts';

const demo = runningDemo();
const tenant = demo.tenants.demo;
let admin: string;

beforeAll(async () => {
  admin = await adminToken(tenant);
});

async function connector(input: object = {}) {
  const { data, errors } = await graph(
    demo,
    admin,
    'mutation ($input: CreateConnectorInput!) { createConnector(input: $input) { token connector { id } } }',
    { input: { name: unique('Source'), ...input } },
  );
  expect(errors).toEqual([]);
  const { token, connector } = data.createConnector;
  return { id: connector.id as string, scim: new ScimClient(tenant, token) };
}
const mutate = (name: string, type: string, input: object, selection = 'connector { id }') =>
  graph(demo, admin, `mutation ($input: ${type}!) { ${name}(input: $input) { ${selection} } }`, { input });
const idOf = async (userName: string) => {
  const { data } = await graph(
    demo,
    admin,
    'query ($f: String) { users(filter: $f, first: 1) { edges { node { id } } } }',
    {
      f: `userName eq "${userName}"`,
    },
  );
  return data.users.edges[0].node.id as string;
};

const lastRequest = '{ provisioningLog(last: 1) { edges { node { id status } } } }';

describe('an identity source that must not change administrators', () => {
  test('The source neither deactivates, deletes nor regroups administrators with any request, but does so with other users.', async () => {
    const { scim } = await connector({ protectedAccounts: { administrators: true } });
    const id = await idOf(tenant.users.admin.userName);
    const { id: group } = (
      await scim.call('POST', '/Groups', {
        schemas: ['urn:ietf:params:scim:schemas:core:2.0:Group'],
        displayName: unique('Group'),
      })
    ).body;
    for (const answer of [
      await scim.patch(`/Users/${id}`, [{ op: 'Replace', path: 'active', value: 'False' }]),
      await scim.patch(`/Users/${id}`, [{ op: 'replace', value: { active: false } }]),
      await scim.patch(`/Users/${id}`, [
        { op: 'replace', path: 'emails', value: [{ value: 'x@example.com' }] },
      ]),
      await scim.call('DELETE', `/Users/${id}`),
      await scim.patch(`/Groups/${group}`, [{ op: 'add', path: 'members', value: [{ value: id }] }]),
    ]) {
      expect(answer).toMatchObject({ status: 403, body: { detail: expect.stringContaining('protected') } });
    }
    const bulk = await scim.call('POST', '/Bulk', {
      schemas: ['urn:ietf:params:scim:api:messages:2.0:BulkRequest'],
      Operations: [{ method: 'DELETE', path: `/Users/${id}` }],
    });
    expect(bulk.body.Operations).toMatchObject([{ status: '403' }]);
    expect((await scim.call('GET', `/Users/${id}`)).body.active).toBe(true);
    const person = await scim.createUser({ userName: unique('person') });
    expect(
      (await scim.patch(`/Users/${person.id}`, [{ op: 'replace', value: { active: false } }])).status,
    ).toBe(200);
    expect((await scim.call('DELETE', `/Groups/${group}`)).status).toBe(204);
  });
});

describe('an identity source that owns some attributes', () => {
  test('The source does not end the access of a user when active is not its attribute to write.', async () => {
    const { scim } = await connector({ attributes: { mode: 'EXCEPT', paths: ['active', 'password'] } });
    const free = await connector();
    const doors = new Doors(demo, tenant, free.scim);
    const person = await doors.employ();
    const put = await scim.call('PUT', `/Users/${person.id}`, {
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
      userName: person.user.userName,
      displayName: 'Ada',
      active: false,
      password: unique('another password'),
    });
    expect(put).toMatchObject({ status: 200, body: { active: true, displayName: 'Ada' } });
    expect(
      await scim.patch(`/Users/${person.id}`, [{ op: 'replace', value: { active: false } }]),
    ).toMatchObject({
      status: 400,
      body: { scimType: 'mutability' },
    });
    await doors.expectOpen(person);
    await free.scim.patch(`/Users/${person.id}`, [{ op: 'replace', value: { active: false } }]);
    await doors.expectClosed(person);
  });
});

describe('an identity source that was closed', () => {
  test.each([
    ['disableConnector', 'connector { id }'],
    ['deleteConnector', 'id'],
  ])('After %s, the next request is rejected with 401.', async (name, selection) => {
    const { id, scim } = await connector();
    expect((await scim.call('GET', '/Users?count=1')).status).toBe(200);
    expect((await mutate(name, 'ConnectorInput', { id }, selection)).errors).toEqual([]);
    expect((await scim.call('GET', '/Users?count=1')).status).toBe(401);
  });

  test('Another tenant cannot close an identity source.', async () => {
    const { id, scim } = await connector();
    const rival = await adminToken(demo.tenants.rival);
    const answer = await graph(
      demo,
      rival,
      'mutation ($input: ConnectorInput!) { deleteConnector(input: $input) { id } }',
      { input: { id } },
    );
    expect(answer.errors[0]?.extensions?.code).toBe('NOT_FOUND');
    expect((await scim.call('GET', '/Users?count=1')).status).toBe(200);
  });
});

describe('the log of changes of connectors', () => {
  const fields = `id action connectorVersion clientId ipAddress requestId changes { attribute before after }
    connector { id version } actor { __typename kind id: actorId ... on ClientActor { client { id name } } }`;
  const logOf = async (id: string, token = admin) =>
    (
      await graph(
        demo,
        token,
        `query ($id: ID!) { connectorLog(filter: { connectorId: $id }, last: 10) { totalCount edges { node { ${fields} } } } }`,
        { id },
      )
    ).data.connectorLog;

  test('The log returns actor, change, origin and app name at the gateway, and each entry is a Node.', async () => {
    const { id, scim } = await connector();
    const key = unique('key');
    const rotate = () =>
      mutate(
        'rotateConnectorToken',
        'RotateConnectorTokenInput',
        { id, version: 1, overlapSeconds: 0, idempotencyKey: key },
        'token repeated connector { id version } problems { code path }',
      );
    const answers = await Promise.all([rotate(), rotate(), rotate()]);
    const payloads = answers.map(({ data }) => data.rotateConnectorToken);
    expect(payloads.map(({ problems }) => problems)).toEqual([[], [], []]);
    expect(payloads.filter(({ token }) => token !== null)).toHaveLength(1);
    expect((await scim.call('GET', '/Users?count=1')).status).toBe(401);

    const { totalCount, edges } = await logOf(id);
    expect(totalCount).toBe(2);
    const { client_id: app } = tenant.clients.admin;
    expect(edges[0].node).toMatchObject({
      action: 'connector.token_rotated',
      connectorVersion: 2,
      connector: { id, version: 2 },
      clientId: app,
      ipAddress: expect.stringMatching(/127\.0\.0\.1|::1/),
      requestId: expect.any(String),
      actor: {
        __typename: 'ClientActor',
        kind: 'CLIENT',
        id: app,
        client: { id: app, name: expect.any(String) },
      },
    });
    expect(JSON.stringify(edges)).not.toContain(payloads.find(({ token }) => token !== null)?.token);

    const node = `query ($id: ID!) { node(id: $id) { id __typename
      ... on ConnectorLogEntry { action } ... on Connector { version } ... on ProvisioningLogEntry { status } } }`;
    const find = async (of: string, token = admin) => (await graph(demo, token, node, { id: of })).data.node;
    const entry = edges[0].node.id;
    expect(await find(entry)).toEqual({
      id: entry,
      __typename: 'ConnectorLogEntry',
      action: 'connector.token_rotated',
    });
    expect(await find(id)).toEqual({ id, __typename: 'Connector', version: 2 });
    const { data } = await graph(demo, admin, lastRequest, {});
    const [request] = data.provisioningLog.edges;
    expect(await find(request.node.id)).toEqual({
      ...request.node,
      __typename: 'ProvisioningLogEntry',
    });

    const rival = await adminToken(demo.tenants.rival);
    expect(await logOf(id, rival)).toEqual({ totalCount: 0, edges: [] });
    expect(await find(entry, rival)).toBeNull();
  });
});
