import { randomBytes, randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import {
  acme,
  admin,
  ask,
  codes,
  harness,
  problems,
  rival,
  setUpGraph,
  user,
} from '../support/graph-client.ts';
import type { Json } from '../support/harness.ts';

setUpGraph();

const operator = (): string => harness.issuer.operatorToken();
const newTenant = () => `made-${randomBytes(4).toString('hex')}`;
const fields = 'tenant { id name status version auditRetentionDays } problems { code path }';
const create = `mutation ($input: CreateTenantInput!) { createTenant(input: $input) { ${fields} } }`;
const set = (mutation: string) =>
  `mutation ($input: TenantVersionInput!) { ${mutation}(input: $input) { ${fields} } }`;
const update = `mutation ($input: UpdateTenantInput!) { updateTenant(input: $input) { ${fields} } }`;
const tenantAdmin = (tenant: string) =>
  harness.issuer.token(tenant, { clientId: 'boss', scopes: ['tenants:read', 'tenants:write', 'audit:read'] });

describe('Clients of the platform', () => {
  test('A client of the platform that repeats a taken id under an idempotency key gets the same response.', async () => {
    const id = newTenant();
    await ask(create, { input: { id, name: 'Made' } }, operator());
    const input = { id, name: 'Again', idempotencyKey: randomUUID() };
    expect(problems(await ask(create, { input }, operator()))).toEqual(['NOT_UNIQUE']);
    await harness.sql('DELETE FROM directory.tenants WHERE id = $1', [id]);
    expect(problems(await ask(create, { input }, operator()))).toEqual(['NOT_UNIQUE']);
  });

  test('A client of the platform adds, lists, suspends and resumes tenants, and each change is published and recorded.', async () => {
    const id = newTenant();
    const made = await ask(create, { input: { id, name: 'Made' } }, operator());
    expect(made.data.createTenant).toEqual({
      tenant: { id, name: 'Made', status: 'ACTIVE', version: 1, auditRetentionDays: null },
      problems: [],
    });
    expect(problems(await ask(create, { input: { id, name: 'Again' } }, operator()))).toEqual(['NOT_UNIQUE']);
    for (const bad of ['', 'Upper', 'platform', 'a_b', 'x'.repeat(64)]) {
      expect(problems(await ask(create, { input: { id: bad, name: 'x' } }, operator()))).toEqual([
        'INVALID_INPUT',
      ]);
    }
    const suspended = await ask(set('suspendTenant'), { input: { id, version: 1 } }, operator());
    expect(suspended.data.suspendTenant.tenant).toMatchObject({ status: 'SUSPENDED', version: 2 });
    expect(problems(await ask(set('suspendTenant'), { input: { id, version: 1 } }, operator()))).toEqual([
      'VERSION_CONFLICT',
    ]);
    const list = `query ($after: String, $filter: TenantFilter) { tenants(first: 1, after: $after, filter: $filter) {
      totalCount pageInfo { hasNextPage endCursor } edges { node { id status } } } }`;
    const found = await ask(list, { filter: { status: 'SUSPENDED', text: id.toUpperCase() } }, operator());
    expect(found.data.tenants).toMatchObject({
      totalCount: 1,
      edges: [{ node: { id, status: 'SUSPENDED' } }],
    });
    const resumed = await ask(set('resumeTenant'), { input: { id } }, operator());
    expect(resumed.data.resumeTenant.tenant).toMatchObject({ status: 'ACTIVE', version: 3 });
    expect(problems(await ask(set('resumeTenant'), { input: { id: 'nobody' } }, operator()))).toEqual([
      'NOT_FOUND',
    ]);
    const events = await harness.sql<Json>(
      'SELECT type, payload, actor FROM directory.outbox_events WHERE tenant = $1 ORDER BY version',
      [id],
    );
    expect(events.map(({ type, payload }) => [type, payload.status])).toEqual([
      ['tenant.created', 'active'],
      ['tenant.updated', 'suspended'],
      ['tenant.updated', 'active'],
    ]);
    expect(events[1].actor).toEqual({ kind: 'service', id: 'operator' });
    const seen: string[] = [];
    for (let after: string | null = null; ; ) {
      const { tenants }: Json = (await ask(list, { after, filter: {} }, operator())).data;
      seen.push(...tenants.edges.map(({ node }: Json) => node.id));
      if (!tenants.pageInfo.hasNextPage) break;
      after = tenants.pageInfo.endCursor;
    }
    expect(seen).toEqual(expect.arrayContaining([acme.tenant, rival.tenant, id]));
    expect(new Set(seen).size).toBe(seen.length);
  });

  test('A client of the platform acts in a tenant only by a token for that tenant, and the log names the client.', async () => {
    const { id } = await user();
    const query = 'query ($id: ID!) { user(id: $id) { id } }';
    const scopes = ['users:read', 'users:write', 'tenants:read', 'tenants:write', 'audit:read'];
    // A token for the whole graph belongs to no tenant.
    expect(codes(await ask(query, { id }, harness.issuer.operatorToken(undefined, scopes)))).toEqual([
      'BAD_USER_INPUT',
    ]);
    const inAcme = harness.issuer.operatorToken(acme.tenant, scopes);
    const inRival = harness.issuer.operatorToken(rival.tenant, scopes);
    expect((await ask(query, { id }, inAcme)).data.user.id).toBe(id);
    expect((await ask(query, { id }, inRival)).data.user).toBeNull();
    await ask(
      'mutation ($id: ID!) { deactivateUser(input: { id: $id }) { problems { code } } }',
      { id },
      inAcme,
    );
    const log = `query ($id: ID!) { auditLog(first: 1, filter: { resourceId: $id, actorKind: SERVICE }) {
      edges { node { action actor { __typename kind id: actorId } } } } }`;
    expect((await ask(log, { id })).data.auditLog.edges).toEqual([
      {
        node: {
          action: 'user.deactivated',
          actor: { __typename: 'ServiceActor', kind: 'SERVICE', id: 'operator' },
        },
      },
    ]);
    // A token for one tenant manages no other.
    expect(codes(await ask('{ tenants { totalCount } }', {}, inAcme))).toEqual(['FORBIDDEN']);
    expect(codes(await ask(set('suspendTenant'), { input: { id: rival.tenant } }, inAcme))).toEqual([
      'FORBIDDEN',
    ]);
    expect(problems(await ask(update, { input: { id: rival.tenant, name: 'x' } }, inAcme))).toEqual([
      'NOT_FOUND',
    ]);
  });

  test('A client of the platform needs the scope.', async () => {
    const reader = harness.issuer.operatorToken(undefined, ['tenants:read']);
    expect(codes(await ask(create, { input: { id: newTenant(), name: 'x' } }, reader))).toEqual([
      'FORBIDDEN',
    ]);
    const nothing = harness.issuer.operatorToken(undefined, []);
    expect(codes(await ask('{ tenants { totalCount } }', {}, nothing))).toEqual(['FORBIDDEN']);
  });

  test('Tokens of the services of the platform for each other are rejected at the graph.', async () => {
    const { status } = await harness.graph(
      '{ tenants { totalCount } }',
      {},
      harness.issuer.serviceToken('gateway'),
    );
    expect(status).toBe(401);
  });
});

describe('Tokens of a tenant', () => {
  test('A token of a tenant never reaches another tenant, nor the list of tenants, with any scopes.', async () => {
    const mine = tenantAdmin(acme.tenant);
    const refused = await ask('{ tenants { totalCount } }', {}, mine);
    expect(codes(refused)).toEqual(['FORBIDDEN']);
    // It has the scope that the rule of the field names.
    expect(refused.errors).toMatchObject([{ message: expect.not.stringContaining('tenants:read') }]);
    expect(JSON.stringify(refused.errors)).not.toContain('"scopes"');
    for (const mutation of ['suspendTenant', 'resumeTenant']) {
      for (const id of [acme.tenant, rival.tenant]) {
        expect(codes(await ask(set(mutation), { input: { id } }, mine))).toEqual(['FORBIDDEN']);
      }
    }
    expect(codes(await ask(create, { input: { id: newTenant(), name: 'x' } }, mine))).toEqual(['FORBIDDEN']);
    const read = 'query ($id: ID) { tenant(id: $id) { id name } }';
    expect((await ask(read, { id: rival.tenant }, mine)).data.tenant).toBeNull();
    expect((await ask(read, { id: acme.tenant }, mine)).data.tenant.id).toBe(acme.tenant);
    expect((await ask(read, {}, mine)).data.tenant.id).toBe(acme.tenant);
    expect((await ask(read, { id: rival.tenant }, operator())).data.tenant.id).toBe(rival.tenant);
    expect(problems(await ask(update, { input: { id: rival.tenant, name: 'Taken over' } }, mine))).toEqual([
      'NOT_FOUND',
    ]);
    const node = await ask('query ($id: ID!) { node(id: $id) { id } }', { id: rival.tenant }, mine);
    expect(node.data.node).toBeNull();
  });

  test('A token of a tenant changes the settings of its own tenant, by version.', async () => {
    const mine = tenantAdmin(rival.tenant);
    const { version } = (await ask('{ tenant { version } }', {}, mine)).data.tenant;
    const changed = await ask(update, { input: { version, auditRetentionDays: 90 } }, mine);
    expect(changed.data.updateTenant.tenant).toMatchObject({ auditRetentionDays: 90, version: version + 1 });
    expect(problems(await ask(update, { input: { version, name: 'Late' } }, mine))).toEqual([
      'VERSION_CONFLICT',
    ]);
    for (const auditRetentionDays of [29, 0, -1, 36_501]) {
      expect(problems(await ask(update, { input: { auditRetentionDays } }, mine))).toEqual(['INVALID_INPUT']);
    }
    expect(
      (await ask(update, { input: { auditRetentionDays: null } }, mine)).data.updateTenant.tenant
        .auditRetentionDays,
    ).toBeNull();
    expect(
      (await ask('{ tenant { auditRetentionDays } }', {}, admin)).data.tenant.auditRetentionDays,
    ).toBeNull();
  });
});
