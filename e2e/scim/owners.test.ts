import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { eventually } from '@ostiary/service/testing';
import { type FieldDefinitionNode, type InputValueDefinitionNode, parse, type TypeNode } from 'graphql';
import { runningDemo, unique } from '../support/demo.ts';
import { graph } from '../support/graph.ts';
import { ScimClient } from '../support/scim.ts';
import { adminToken } from '../support/sign-in.ts';

// A connector has an owner, whom it may itself deactivate.

const demo = runningDemo();
const { demo: tenant, rival } = demo.tenants;

async function ask(of: typeof tenant, document: string, variables: Record<string, unknown>) {
  const { data, errors } = await graph(demo, await adminToken(of), document, variables);
  expect(errors).toEqual([]);
  return data;
}

/** Creates a user who may manage connectors, and a connector of that user. */
async function manager(of = tenant) {
  const scim = new ScimClient(of, of.clients.scim.token);
  const { id } = await scim.createUser({ userName: unique('manager') });
  await ask(of, 'mutation ($input: RoleInput!) { assignRole(input: $input) { user { id } } }', {
    input: { userId: id, role: 'TENANT_ADMIN' },
  });
  const { createConnector } = await ask(
    of,
    `mutation ($input: CreateConnectorInput!) { createConnector(input: $input) {
       token connector { id owner { ... on User { id active } } } problems { message } } }`,
    { input: { name: unique('HR'), ownerId: id } },
  );
  expect(createConnector.connector.owner).toEqual({ id, active: true });
  return {
    id,
    connector: createConnector.connector.id as string,
    scim: new ScimClient(of, createConnector.token),
  };
}

const isOpen = async (scim: ScimClient) => (await scim.call('GET', '/Users?count=1')).status === 200;

describe('a connector that deactivates its own owner', () => {
  test('The connector deactivates its owner, is then rejected and is reported, and no other connector is affected.', async () => {
    const [own, colleague, namesake] = [await manager(), await manager(), await manager(rival)];
    const { status } = await own.scim.patch(`/Users/${own.id}`, [
      { op: 'replace', path: 'active', value: false },
    ]);
    expect([200, 204]).toContain(status);
    await eventually(
      () => isOpen(own.scim),
      (open) => !open,
    );
    const report = await eventually(
      () =>
        ask(
          tenant,
          `query ($id: ID!, $connector: ID!) { user(id: $id) { active } connector(id: $connector) { status tokens { id } }
             departures(userId: $id) { doors { name count } }
             connectorLog(first: 1, filter: { connectorId: $connector }) { edges { node { action actor { actorId } changes { attribute after } } } } }`,
          { id: own.id, connector: own.connector },
        ),
      ({ departures }) =>
        departures[0]?.doors.some(({ name }: { name: string }) => name === 'CONNECTORS') === true,
    );
    expect(report.user.active).toBe(false);
    expect(report.connector).toEqual({ status: 'DISABLED', tokens: [] });
    expect(report.departures[0].doors).toContainEqual({ name: 'CONNECTORS', count: 1 });
    const [{ node: entry }] = report.connectorLog.edges;
    expect(entry).toMatchObject({ action: 'connector.disabled', actor: { actorId: own.connector } });
    expect(entry.changes).toContainEqual({ attribute: 'reason', after: '"owner: departure"' });
    expect([await isOpen(colleague.scim), await isOpen(namesake.scim)]).toEqual([true, true]);
  });

  test('A connector given earlier to a group of its owner also ends once the group has no active member.', async () => {
    const [own, colleague] = [await manager(), await manager()];
    const make = 'mutation ($input: CreateGroupInput!) { createGroup(input: $input) { group { id } } }';
    const { createGroup } = await ask(tenant, make, { input: { displayName: unique('of-their-own') } });
    const groupId: string = createGroup.group.id;
    const transfer = `mutation ($input: TransferConnectorInput!) { transferConnector(input: $input) {
      connector { owner { ... on Group { id } } } problems { code path } } }`;
    const give = async () =>
      (await ask(tenant, transfer, { input: { id: own.connector, ownerId: groupId } })).transferConnector;
    expect(await give()).toEqual({
      connector: null,
      problems: [{ code: 'NOT_FOUND', path: ['input', 'ownerId'] }],
    });
    const people = [own.id, colleague.id];
    await ask(
      tenant,
      'mutation ($input: GroupMembersInput!) { addGroupMembers(input: $input) { group { id } } }',
      { input: { groupId, memberIds: people } },
    );
    expect((await give()).connector).toEqual({ owner: { id: groupId } });
    for (const id of people) {
      expect(await isOpen(own.scim)).toBe(true);
      const off = [{ op: 'replace', path: 'active', value: false }];
      await new ScimClient(tenant, tenant.clients.scim.token).patch(`/Users/${id}`, off);
    }
    await eventually(
      () => isOpen(own.scim),
      (open) => !open,
    );
    const { connectorLog } = await ask(
      tenant,
      'query ($id: ID!) { connectorLog(first: 1, filter: { connectorId: $id }) { edges { node { action changes { attribute after } } } } }',
      { id: own.connector },
    );
    const [{ node: entry }] = connectorLog.edges;
    expect(entry.action).toBe('connector.disabled');
    const after = '"owner: no active member of the group may manage it"';
    expect(entry.changes).toContainEqual({ attribute: 'reason', after });
  });

  test('A connector also ends when its owner loses the role, but not with a sign-out.', async () => {
    const [signedOut, demoted] = [await manager(), await manager()];
    await ask(
      tenant,
      'mutation ($input: RevokeAllSessionsInput!) { revokeAllSessions(input: $input) { user { id } } }',
      { input: { userId: signedOut.id } },
    );
    await ask(tenant, 'mutation ($input: RoleInput!) { removeRole(input: $input) { user { id } } }', {
      input: { userId: demoted.id, role: 'TENANT_ADMIN' },
    });
    await eventually(
      () => isOpen(demoted.scim),
      (open) => !open,
    );
    expect(await isOpen(signedOut.scim)).toBe(true);
  });
});

test('Users of another tenant own nothing here: they cannot be named, become owner or be found.', async () => {
  const [mine, theirs] = [await manager(), await manager(rival)];
  const refused = { connector: null, problems: [{ code: 'NOT_FOUND', path: ['input', 'ownerId'] }] };
  const { createConnector } = await ask(
    tenant,
    'mutation ($input: CreateConnectorInput!) { createConnector(input: $input) { connector { id } problems { code path } } }',
    { input: { name: 'x', ownerId: theirs.id } },
  );
  expect(createConnector).toEqual(refused);
  const { transferConnector } = await ask(
    tenant,
    'mutation ($input: TransferConnectorInput!) { transferConnector(input: $input) { connector { id } problems { code path } } }',
    { input: { id: mine.connector, ownerId: theirs.id } },
  );
  expect(transferConnector).toEqual(refused);
  const { connectors } = await ask(
    tenant,
    'query ($filter: ConnectorFilter) { connectors(first: 5, filter: $filter) { totalCount edges { node { id } } } }',
    { filter: { ownerId: theirs.id } },
  );
  expect(connectors).toEqual({ totalCount: 0, edges: [] });
});

/** Created objects without an owner, and why. */
const withoutOwner: Readonly<Record<string, string>> = {
  Api: 'a definition of the tenant, without a credential; its clients have owners',
  PersonalAccessToken: 'is a person’s own: it ends with what it was made in',
  InitialAccessToken:
    'is its maker’s for good, and ends with them; what is registered with it is theirs, too',
  TrustedIssuer: 'is the tenant’s: its word counts about those it was bound to',
  Webhook: 'gives nobody anything but what is told, to an address',
  Group: 'is of the directory, and no credential',
  Tenant: 'is what everything belongs to',
  User: 'is of the directory, and no credential',
  Schema: 'is of the directory, and no credential',
};

test('Each object that a mutation creates has an owner that can be named, or a stated reason why it has none.', () => {
  const { definitions } = parse(
    readFileSync(new URL('../../gateway/released-api.graphql', import.meta.url), 'utf8'),
  );
  const fieldsOf = (name: string): readonly (FieldDefinitionNode | InputValueDefinitionNode)[] =>
    definitions.flatMap((one) =>
      (one.kind === 'ObjectTypeDefinition' || one.kind === 'InputObjectTypeDefinition') &&
      one.name.value === name
        ? [...(one.fields ?? [])]
        : [],
    );
  const typeOf = (type: TypeNode): string =>
    type.kind === 'NamedType' ? type.name.value : typeOf(type.type);
  const has = (type: string, field: string) => fieldsOf(type).some(({ name }) => name.value === field);
  const making = fieldsOf('Mutation').filter(({ name }) => /^(create|register)/.test(name.value));
  expect(making.length).toBeGreaterThan(5);
  const owned = new Set<string>();
  for (const made of making) {
    const input = typeOf((made as FieldDefinitionNode).arguments?.[0]?.type as TypeNode);
    for (const { type } of fieldsOf(typeOf(made.type))) {
      const name = typeOf(type);
      if (!has(name, 'id') || withoutOwner[name]) continue;
      expect([name, has(name, 'owner'), has(input, 'ownerId')]).toEqual([name, true, true]);
      owned.add(name);
    }
  }
  expect([...owned].sort()).toEqual(['ApiKey', 'Client', 'Connector', 'ServiceAccount']);
});
