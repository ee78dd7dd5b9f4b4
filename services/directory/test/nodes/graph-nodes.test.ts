import { randomUUID } from 'node:crypto';
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { FoundNode } from '@ostiary/graph';
import { ServiceUnavailable } from '@ostiary/service';
import type { OwningService } from '../../src/nodes/graph/owning-services.ts';
import {
  acme,
  admin,
  ask,
  codes,
  group,
  harness,
  rival,
  rivalAdmin,
  setUpGraph,
  user,
} from '../support/graph-client.ts';
import type { Json } from '../support/harness.ts';

setUpGraph();

const node = `query ($id: ID!) { node(id: $id) { __typename id
  ... on User { userName } ... on Group { displayName } ... on Tenant { name } ... on AuditEntry { action } } }`;

describe('The node and nodes fields', () => {
  test('The node field finds users, groups, audit log entries and the tenant by their id alone.', async () => {
    const [person, team] = [await user(), await group()];
    const [entry] = await harness.sql<Json>('SELECT id FROM directory.audit_log WHERE resource_id = $1', [
      team.id,
    ]);
    const of = async (id: string) => (await ask(node, { id })).data.node;
    expect(await of(person.id)).toEqual({ __typename: 'User', id: person.id, userName: person.userName });
    expect(await of(team.id)).toEqual({ __typename: 'Group', id: team.id, displayName: team.displayName });
    expect(await of(entry.id)).toEqual({ __typename: 'AuditEntry', id: entry.id, action: 'group.created' });
    expect(await of(acme.tenant)).toMatchObject({ __typename: 'Tenant', id: acme.tenant });
    const urn = `urn:example:${randomUUID()}:2.0:User`;
    const attributes = [{ name: 'badge' }];
    const editor = harness.issuer.token(acme.tenant, { clientId: 'schemas', scopes: ['tenants:write'] });
    const define =
      'mutation ($input: CreateSchemaInput!) { createSchema(input: $input) { problems { code } } }';
    const defined = await ask(define, { input: { id: urn, name: 'HR', attributes } }, editor);
    expect(defined).toEqual({ data: { createSchema: { problems: [] } } });
    for (const written of [urn, urn.toUpperCase().replace('URN:', 'urn:')]) {
      expect(await of(written)).toEqual({ __typename: 'Schema', id: urn });
    }
    const { data } = await ask('query ($ids: [ID!]!) { nodes(ids: $ids) { id } }', {
      ids: [team.id, randomUUID(), person.id],
    });
    expect(data.nodes).toEqual([{ id: team.id }, null, { id: person.id }]);
  });

  test('The nodes field costs the same number of statements for one id as for a hundred.', async () => {
    const statements = async (ids: string[]): Promise<number> => {
      harness.statements();
      const answer = await ask('query ($ids: [ID!]!) { nodes(ids: $ids) { id } }', { ids });
      expect(answer.errors).toBeUndefined();
      return harness.statements().length;
    };
    const ids = Array.from({ length: 100 }, () => randomUUID());
    expect(await statements(ids)).toBe(await statements(ids.slice(0, 1)));
  });

  test('The node field returns null alike for ids of another tenant, unknown ids and malformed ids.', async () => {
    const [person, team] = [await user(), await group()];
    for (const id of [person.id, team.id, acme.tenant, randomUUID(), '42', '', 'urn:x', "' OR 1=1"]) {
      expect(await ask(node, { id }, rivalAdmin)).toEqual({ data: { node: null } });
    }
    expect((await ask(node, { id: rival.tenant }, admin)).data.node).toBeNull();
  });

  test('The node field does not bypass a scope, and does not reveal whether an object exists.', async () => {
    const [person, team] = [await user(), await group()];
    const groupsOnly = harness.issuer.token(acme.tenant, { clientId: 'g', scopes: ['groups:read'] });
    expect((await ask(node, { id: person.id }, groupsOnly)).data.node).toBeNull();
    expect((await ask(node, { id: team.id }, groupsOnly)).data.node.id).toBe(team.id);
    const self = harness.issuer.token(acme.tenant, { subject: person.id });
    expect((await ask(node, { id: person.id }, self)).data.node.userName).toBe(person.userName);
    expect((await ask(node, { id: team.id }, self)).data.node).toBeNull();
    const nobody = harness.issuer.token(acme.tenant, { clientId: 'n', scopes: ['openid'] });
    expect(codes(await ask(node, { id: person.id }, nobody))).toEqual(['FORBIDDEN']);
  });

  describe('Ids of other services', () => {
    const stored: FoundNode[] = [];
    let asked: string[][] = [];
    const service = (name: string, knows: (type: string) => boolean): OwningService => ({
      name,
      async find(tenant, ids) {
        asked.push([name, ...ids]);
        return tenant === acme.tenant ? stored.filter(({ id, type }) => ids.includes(id) && knows(type)) : [];
      },
    });
    const isConnector = (type: string) => type === 'Connector';
    beforeEach(() => {
      stored.length = 0;
      asked = [];
      const auth = service('auth', (type) => !isConnector(type));
      harness.owningServices.splice(
        0,
        harness.owningServices.length,
        auth,
        service('provisioning', isConnector),
      );
    });
    afterAll(() => {
      harness.owningServices.length = 0;
    });

    const store = (type: string, ownerId?: string, id: string = randomUUID()): string => {
      stored.push({ id, type, ...(ownerId !== undefined && { ownerId }) });
      return id;
    };
    const found = async (id: string, token: string): Promise<Json> =>
      (await ask(node, { id }, token)).data.node;
    const app = (...scopes: string[]) => harness.issuer.token(acme.tenant, { clientId: 'c', scopes });

    test('The node field queries the other services for an id and refers to the object, for callers who may read it.', async () => {
      for (const [type, scope] of [
        ['Client', 'clients:read'],
        ['Api', 'clients:read'],
        ['ServiceAccount', 'clients:read'],
        ['ApiKey', 'clients:read'],
        ['TrustedIssuer', 'clients:read'],
        ['SigningKey', 'tenants:read'],
        ['Session', 'sessions:read'],
        ['Grant', 'sessions:read'],
        ['Delegation', 'sessions:read'],
        ['PersonalAccessToken', 'sessions:read'],
        ['Webhook', 'webhooks:read'],
        ['SignalStream', 'webhooks:read'],
        ['Delivery', 'webhooks:read'],
        ['SecurityEvent', 'audit:read'],
        ['Connector', 'connectors:read'],
      ] as const) {
        const id = store(type, undefined, type === 'Client' ? 'some-app' : randomUUID());
        expect(await found(id, app(scope))).toEqual({ __typename: type, id });
        expect(await found(id, app('users:read'))).toBeNull();
        expect(await found(id, rivalAdmin)).toBeNull();
      }
    });

    test('The node field returns to users their own objects in other services, without any scope.', async () => {
      const [person, other] = [await user(), await user()];
      const self = harness.issuer.token(acme.tenant, { subject: person.id });
      for (const type of ['Session', 'Grant', 'Delegation', 'PersonalAccessToken', 'SecurityEvent']) {
        const [mine, theirs] = [store(type, person.id), store(type, other.id)];
        expect(await found(mine, self)).toEqual({ __typename: type, id: mine });
        expect(await found(theirs, self)).toBeNull();
      }
      // An owner is ignored for a type that has none.
      expect(await found(store('Webhook', person.id), self)).toBeNull();
    });

    test('Other services are queried once for all ids of a request, and only for callers who may read from them.', async () => {
      expect(await found(randomUUID(), app('users:read', 'groups:read'))).toBeNull();
      const person = await user();
      expect(await found(person.id, app('users:read', 'clients:read'))).toMatchObject({ id: person.id });
      expect(await found('urn:example:x:2.0:User', app('clients:read'))).toBeNull();
      expect(asked).toEqual([]);
      const ids = [store('Client'), randomUUID(), store('Client')];
      const { data } = await ask(
        'query ($ids: [ID!]!) { nodes(ids: $ids) { id } }',
        { ids },
        app('clients:read'),
      );
      expect(data.nodes).toEqual([{ id: ids[0] }, null, { id: ids[2] }]);
      expect(asked).toEqual([
        ['auth', ...ids],
        ['provisioning', ...ids],
      ]);
    });

    test('The node field returns an error when a service that might have the id does not answer.', async () => {
      const [client, nobodys] = [store('Client'), randomUUID()];
      harness.owningServices[1] = {
        name: 'provisioning',
        find: () => Promise.reject(new ServiceUnavailable('provisioning')),
      };
      const token = app('clients:read', 'connectors:read');
      expect(await found(client, token)).toEqual({ __typename: 'Client', id: client });
      expect(codes(await ask(node, { id: nobodys }, token))).toEqual(['SERVICE_UNAVAILABLE']);
    });
  });
});
