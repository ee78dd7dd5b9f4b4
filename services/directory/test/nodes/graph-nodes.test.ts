import { randomUUID } from 'node:crypto';
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { ServiceUnavailable } from '@ostiary/service';
import type { KeptNode, NodeKeeper } from '../../src/nodes/domain/node-keepers.ts';
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

describe('node', () => {
  test('finds people, groups, entries of the log and the tenant by their id alone', async () => {
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
    const keeper = harness.issuer.token(acme.tenant, { clientId: 'keeper', scopes: ['tenants:write'] });
    const define =
      'mutation ($input: CreateSchemaInput!) { createSchema(input: $input) { problems { code } } }';
    const defined = await ask(define, { input: { id: urn, name: 'HR', attributes } }, keeper);
    expect(defined).toEqual({ data: { createSchema: { problems: [] } } });
    for (const written of [urn, urn.toUpperCase().replace('URN:', 'urn:')]) {
      expect(await of(written)).toEqual({ __typename: 'Schema', id: urn });
    }
    const { data } = await ask('query ($ids: [ID!]!) { nodes(ids: $ids) { id } }', {
      ids: [team.id, randomUUID(), person.id],
    });
    expect(data.nodes).toEqual([{ id: team.id }, null, { id: person.id }]);
  });

  test('costs the same number of statements for one as for a hundred', async () => {
    const statements = async (ids: string[]): Promise<number> => {
      harness.statements();
      const answer = await ask('query ($ids: [ID!]!) { nodes(ids: $ids) { id } }', { ids });
      expect(answer.errors).toBeUndefined();
      return harness.statements().length;
    };
    const ids = Array.from({ length: 100 }, () => randomUUID());
    expect(await statements(ids)).toBe(await statements(ids.slice(0, 1)));
  });

  test("answers nothing about another tenant's, the unknown and the malformed, all alike", async () => {
    const [person, team] = [await user(), await group()];
    for (const id of [person.id, team.id, acme.tenant, randomUUID(), '42', '', 'urn:x', "' OR 1=1"]) {
      expect(await ask(node, { id }, rivalAdmin)).toEqual({ data: { node: null } });
    }
    expect((await ask(node, { id: rival.tenant }, admin)).data.node).toBeNull();
  });

  test('is no way around a scope: not even whether there is one', async () => {
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

  describe('asks the services that keep the rest whose an id is', () => {
    const kept: KeptNode[] = [];
    let asked: string[][] = [];
    const keeper = (name: string, knows: (type: string) => boolean): NodeKeeper => ({
      name,
      async find(tenant, ids) {
        asked.push([name, ...ids]);
        return tenant === acme.tenant ? kept.filter(({ id, type }) => ids.includes(id) && knows(type)) : [];
      },
    });
    const isConnector = (type: string) => type === 'Connector';
    beforeEach(() => {
      kept.length = 0;
      asked = [];
      const auth = keeper('auth', (type) => !isConnector(type));
      harness.keepers.splice(0, harness.keepers.length, auth, keeper('provisioning', isConnector));
    });
    afterAll(() => {
      harness.keepers.length = 0;
    });

    const keep = (type: string, ownerId?: string, id: string = randomUUID()): string => {
      kept.push({ id, type, ...(ownerId !== undefined && { ownerId }) });
      return id;
    };
    const found = async (id: string, token: string): Promise<Json> =>
      (await ask(node, { id }, token)).data.node;
    const app = (...scopes: string[]) => harness.issuer.token(acme.tenant, { clientId: 'c', scopes });

    test('and refers to the thing, for who may read it', async () => {
      for (const [type, scope] of [
        ['Client', 'clients:read'],
        ['ServiceAccount', 'clients:read'],
        ['ApiKey', 'clients:read'],
        ['TrustedIssuer', 'clients:read'],
        ['SigningKey', 'tenants:read'],
        ['Session', 'sessions:read'],
        ['Grant', 'sessions:read'],
        ['PersonalAccessToken', 'sessions:read'],
        ['Webhook', 'webhooks:read'],
        ['SignalStream', 'webhooks:read'],
        ['Delivery', 'webhooks:read'],
        ['SecurityEvent', 'audit:read'],
        ['Connector', 'connectors:read'],
      ] as const) {
        const id = keep(type, undefined, type === 'Client' ? 'some-app' : randomUUID());
        expect(await found(id, app(scope))).toEqual({ __typename: type, id });
        expect(await found(id, app('users:read'))).toBeNull();
        expect(await found(id, rivalAdmin)).toBeNull();
      }
    });

    test('and people find what is their own, without any scope', async () => {
      const [person, other] = [await user(), await user()];
      const self = harness.issuer.token(acme.tenant, { subject: person.id });
      for (const type of ['Session', 'Grant', 'PersonalAccessToken', 'SecurityEvent']) {
        const [mine, theirs] = [keep(type, person.id), keep(type, other.id)];
        expect(await found(mine, self)).toEqual({ __typename: type, id: mine });
        expect(await found(theirs, self)).toBeNull();
      }
      // An owner is nobody whose type has none.
      expect(await found(keep('Webhook', person.id), self)).toBeNull();
    });

    test('but not who may see nothing of theirs, nor about what is its own, and once for all ids of a request', async () => {
      expect(await found(randomUUID(), app('users:read', 'groups:read'))).toBeNull();
      const person = await user();
      expect(await found(person.id, app('users:read', 'clients:read'))).toMatchObject({ id: person.id });
      expect(await found('urn:example:x:2.0:User', app('clients:read'))).toBeNull();
      expect(asked).toEqual([]);
      const ids = [keep('Client'), randomUUID(), keep('Client')];
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

    test('and says so when one of them that might know does not answer', async () => {
      const [client, nobodys] = [keep('Client'), randomUUID()];
      harness.keepers[1] = {
        name: 'provisioning',
        find: () => Promise.reject(new ServiceUnavailable('provisioning')),
      };
      const token = app('clients:read', 'connectors:read');
      expect(await found(client, token)).toEqual({ __typename: 'Client', id: client });
      expect(codes(await ask(node, { id: nobodys }, token))).toEqual(['SERVICE_UNAVAILABLE']);
    });
  });
});

describe('the audit log', () => {
  const log = `query ($filter: AuditLogFilter) { auditLog(filter: $filter) { totalCount edges { node { action address
    actor { __typename kind id: actorId name onBehalfOf onBehalfOfUser { userName } ... on UserActor { user { userName } }
      ... on ClientActor { client { id } } ... on ConnectorActor { connector { id } } } } } } }`;
  const entries = async (filter: object, token?: string): Promise<Json[]> =>
    (await ask(log, { filter }, token)).data.auditLog.edges.map((edge: Json) => edge.node);

  test('says who it was, for whom, from where, and refers to them', async () => {
    const [person, boss] = [await user(), await user()];
    const write =
      'mutation ($id: ID!, $t: String) { updateUser(input: { id: $id, title: $t }) { problems { code } } }';
    const byBoss = harness.issuer.token(acme.tenant, { subject: boss.id, scopes: ['users:write'] });
    await ask(write, { id: person.id, t: 'a' }, byBoss);
    await ask(write, { id: person.id, t: 'b' });
    const [byApp, byPerson, byConnector] = await entries({ resourceId: person.id });
    expect(byApp).toMatchObject({
      address: '127.0.0.1',
      actor: { __typename: 'ClientActor', kind: 'CLIENT', client: { id: 'admin-app' } },
    });
    expect(byPerson.actor).toMatchObject({
      __typename: 'UserActor',
      id: boss.id,
      user: { userName: boss.userName },
    });
    expect(byConnector.actor).toMatchObject({ __typename: 'ConnectorActor', connector: { id: 'scim' } });
    expect(await entries({ resourceId: person.id, actorKind: 'USER' })).toHaveLength(1);
    expect(await entries({ actorId: boss.id, resourceType: 'User', address: '127.0.0.1' })).toHaveLength(1);
    expect(await entries({ resourceId: person.id, address: '10.0.0.1' })).toEqual([]);
    expect(await entries({ resourceId: person.id }, rivalAdmin)).toEqual([]);
    const delegated = { kind: 'client', id: 'app', onBehalfOf: boss.id };
    await acme.patch('Users', person.id, [{ op: 'replace', path: 'title', value: 'c' }], {
      actor: delegated,
    });
    const [forBoss] = await entries({ onBehalfOf: boss.id });
    expect(forBoss.actor).toMatchObject({
      id: 'app',
      onBehalfOf: boss.id,
      onBehalfOfUser: { userName: boss.userName },
    });
  });

  test('lets nobody see people through it who may only read the log', async () => {
    const boss = await user();
    const byBoss = harness.issuer.token(acme.tenant, { subject: boss.id, scopes: ['groups:write'] });
    await ask('mutation { createGroup(input: { displayName: "Seen" }) { problems { code } } }', {}, byBoss);
    const auditor = harness.issuer.token(acme.tenant, { clientId: 'auditor', scopes: ['audit:read'] });
    const body = await ask(log, { filter: { actorId: boss.id } }, auditor);
    expect(new Set(codes(body))).toEqual(new Set(['FORBIDDEN']));
    expect(JSON.stringify(body.data)).not.toContain(boss.userName);
  });

  test('keeps entries as long as its tenant says, and takes the older away a part at a time', async () => {
    const old = (tenant: string) =>
      harness.sql(
        `INSERT INTO directory.audit_log (tenant, id, occurred_at, actor, actor_id, action, resource_type, resource_id,
           resource_version, changes)
         SELECT $1, (lpad(to_hex((extract(epoch FROM now() - interval '100 days') * 1000)::bigint), 12, '0')
                     || '7000' || '8000' || lpad(i::text, 12, '0'))::uuid, now() - interval '100 days',
           '{"kind":"system","id":"x"}', 'x', 'user.updated', 'User', 'old', 1, '{}' FROM generate_series(1, 6000) i`,
        [tenant],
      );
    await old(acme.tenant);
    await old(rival.tenant);
    const left = async (tenant: string): Promise<number> =>
      (
        await harness.sql<Json>(
          "SELECT count(*)::int AS n FROM directory.audit_log WHERE tenant = $1 AND resource_id = 'old'",
          [tenant],
        )
      )[0].n;
    await harness.sql('UPDATE directory.tenants SET audit_retention_days = 99 WHERE id = $1', [acme.tenant]);
    await harness.tidy();
    expect([await left(acme.tenant), await left(rival.tenant)]).toEqual([1000, 6000]);
    await harness.tidy();
    expect([await left(acme.tenant), await left(rival.tenant)]).toEqual([0, 6000]);
    expect((await entries({})).length).toBeGreaterThan(0);
  });
});

describe('statistics', () => {
  test('count people, groups and memberships, and how they change from day to day', async () => {
    const mine = harness.issuer.token(rival.tenant, { clientId: 's', scopes: ['tenants:read'] });
    const query = `{ statistics { people { total active inactive deleted } groups memberships
      growth(days: 3) { day peopleChange groupsChange people { total } } } }`;
    const now = async (): Promise<Json> => (await ask(query, {}, mine)).data.statistics;
    const them = (type: string, resource: object) =>
      harness.call('POST', `/internal/v1/tenants/${rival.tenant}/${type}`, {
        resource: { schemas: [`urn:ietf:params:scim:schemas:core:2.0:${type.slice(0, -1)}`], ...resource },
        actor: { kind: 'connector', id: 'scim' },
      });
    const made = await Promise.all(
      Array.from({ length: 6 }, (_, i) => them('Users', { userName: `s${i}`, active: i > 0 })),
    );
    const ids = made.map(({ body }) => body.id);
    const team = (await them('Groups', { displayName: 'S', members: ids.map((value) => ({ value })) })).body;
    await them('Groups', { displayName: 'Outer', members: [{ value: team.id }] });
    const base = `/internal/v1/tenants/${rival.tenant}`;
    const actor = { kind: 'connector', id: 'scim' };
    const flip = (id: string, value: boolean) =>
      harness.call('PATCH', `${base}/Users/${id}`, {
        operations: [{ op: 'replace', path: 'active', value }],
        actor,
      });
    await flip(ids[1], false);
    await flip(ids[0], true);
    await flip(ids[2], false);
    await harness.call('DELETE', `${base}/Users/${ids[2]}`, { actor });
    expect(await now()).toMatchObject({
      people: { total: 5, active: 4, inactive: 1, deleted: 0 },
      groups: 2,
      memberships: 6,
    });
    await harness.call('DELETE', `${base}/Groups/${team.id}`, { actor });
    await harness.sql("UPDATE directory.tenants SET deletion_policy = 'soft' WHERE id = $1", [rival.tenant]);
    await harness.call('DELETE', `${base}/Users/${ids[1]}`, { actor });
    expect(await now()).toMatchObject({
      people: { total: 4, active: 4, inactive: 0, deleted: 1 },
      groups: 1,
      memberships: 0,
    });
    const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
    await harness.sql('DELETE FROM directory.daily_totals');
    await harness.sql(
      "INSERT INTO directory.daily_totals VALUES ($1, $2::date - 1, 'User', 1), ($1, $2, 'User', 3)",
      [rival.tenant, yesterday],
    );
    const { growth } = await now();
    expect(growth.map((day: Json) => [day.people.total, day.peopleChange])).toEqual([
      [1, 0],
      [3, 2],
      [4, 1],
    ]);
    expect(growth[1].day).toBe(yesterday);
    await harness.sql('DELETE FROM directory.daily_totals');
    await harness.tidy();
    await harness.tidy();
    const [noted] = await harness.sql<Json>(
      "SELECT day::text, total FROM directory.daily_totals WHERE tenant = $1 AND counted = 'User'",
      [rival.tenant],
    );
    expect(noted).toEqual({ day: yesterday, total: 4 });
    harness.statements();
    await ask('{ statistics { people { total } groups memberships } }', {}, mine);
    expect(harness.statements()).toHaveLength(1);
    expect(codes(await ask('{ statistics { growth(days: 401) { day } } }', {}, mine))).toEqual([
      'BAD_USER_INPUT',
    ]);
  });
});
