import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startTracing } from '@ostiary/service';
import {
  acme,
  admin,
  ask,
  everything,
  harness,
  rival,
  rivalAdmin,
  setUpGraph,
  user,
} from '../support/graph-client.ts';
import { actor, type Json } from '../support/harness.ts';

setUpGraph();

const traceId = '0af7651916cd43dd8448eb211c80319c';
const collector = createServer((request, response) => {
  request.resume();
  response.setHeader('content-type', 'application/json').end('{}');
});
let stopTracing: () => Promise<void>;

beforeAll(async () => {
  collector.listen(0, '127.0.0.1');
  await once(collector, 'listening');
  stopTracing = await startTracing('test', `http://127.0.0.1:${(collector.address() as AddressInfo).port}`);
});
afterAll(async () => {
  await stopTracing();
  collector.close();
  collector.closeAllConnections();
});

/** Sends a request as the gateway forwards it. */
async function send(path: string, token: string, body: object, headers: Record<string, string> = {}) {
  const response = await fetch(`${harness.url}${path}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'user-agent': 'Example/1.0',
      'x-request-id': 'req-0001',
      traceparent: `00-${traceId}-b7ad6b7169203331-01`,
      ...headers,
    },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: (await response.json()) as Json };
}

const log = `query ($filter: AuditLogFilter) { auditLog(first: 100, filter: $filter) { edges { node {
  action resourceType resourceId ipAddress address clientId userAgent requestId traceId } } } }`;
const entries = async (filter: object, token?: string): Promise<Json[]> =>
  (await ask(log, { filter }, token)).data.auditLog.edges.map(({ node }: Json) => node);
const from = { ipAddress: '127.0.0.1', address: '127.0.0.1', userAgent: 'Example/1.0', traceId };

describe('Origin of audit log entries', () => {
  test('An audit entry has the origin of its request, for every type of change.', async () => {
    const { id } = await user();
    const boss = harness.issuer.token(acme.tenant, {
      subject: id,
      clientId: 'console',
      scopes: [...everything, 'tenants:write', 'self:profile'],
    });
    const soft = '{ tenant { id } problems { code } }';
    const query = `mutation ($id: ID!) {
      updateUser(input: { id: $id, title: "Dr" }) { problems { code } }
      updateMe(input: { nickName: "D" }) { problems { code } }
      createGroup(input: { displayName: "Traced" }) { problems { code } }
      createSchema(input: { id: "urn:example:traced:2.0:User", name: "Traced", attributes: [{ name: "a" }] }) { problems { code } }
      soft: updateTenant(input: { deletionPolicy: SOFT }) ${soft}
      deleteUser(input: { id: $id }) { problems { code } }
      restoreUser(input: { id: $id }) { problems { code } }
      hard: updateTenant(input: { deletionPolicy: HARD }) ${soft} }`;
    const { body } = await send(
      '/graphql',
      boss,
      { query, variables: { id } },
      { 'x-request-id': 'req-all-of-it' },
    );
    expect(Object.values<Json>(body.data).flatMap(({ problems }) => problems)).toEqual([]);
    const found = await entries({ actorId: id, traceId });
    expect(found.map(({ action }) => action).sort()).toEqual([
      'group.created',
      'schema.created',
      'tenant.updated',
      'tenant.updated',
      'user.deleted',
      'user.restored',
      'user.updated',
      'user.updated',
    ]);
    for (const entry of found) {
      expect(entry).toMatchObject({ ...from, clientId: 'console', requestId: 'req-all-of-it' });
    }
    expect(await entries({ traceId }, rivalAdmin)).toEqual([]);
  });

  test('An audit entry is found by the origin of its request, in its own tenant only.', async () => {
    const token = harness.issuer.serviceToken('provisioning');
    const create = async (userName: string, n: number, { tenant } = acme): Promise<string> => {
      const { body } = await send(
        `/internal/v1/tenants/${tenant}/Users`,
        token,
        {
          resource: { schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'], userName },
          actor,
          clientId: `found-app-${n}`,
        },
        { 'x-request-id': `found-request-${n}` },
      );
      await harness.sql('UPDATE directory.audit_log SET address = $1 WHERE resource_id = $2', [
        `198.51.100.${n}`,
        body.id,
      ]);
      return body.id;
    };
    const [first, second] = [await create('found-1', 1), await create('found-2', 2)];
    const theirs = await create('found-3', 1, rival);
    const ofFirst = { ipAddress: '198.51.100.1', clientId: 'found-app-1', requestId: 'found-request-1' };
    const found = async (filter: object, by?: string) =>
      (await entries(filter, by)).map(({ resourceId }) => resourceId);
    for (const [name, value] of Object.entries({ ...ofFirst, address: ofFirst.ipAddress })) {
      expect([name, await found({ [name]: value })]).toEqual([name, [first]]);
      expect([name, await found({ [name]: value }, rivalAdmin)]).toEqual([name, [theirs]]);
    }
    expect(await found({ clientId: 'found-app-2' })).toEqual([second]);
    expect(await found({ clientId: 'found-app-2' }, rivalAdmin)).toEqual([]);
    expect(await found({ ...ofFirst, action: 'user.created', resourceType: 'User' })).toEqual([first]);
    expect(await found({ ...ofFirst, requestId: 'found-request-2' })).toEqual([]);
    expect(await found({ ...ofFirst, clientId: null, requestId: null })).toEqual([first]);
    // The filter's former name still narrows, also beside the new one.
    expect(await found({ ...ofFirst, address: '198.51.100.1' })).toEqual([first]);
    expect(await found({ ...ofFirst, address: '198.51.100.2' })).toEqual([]);
    const answer = await ask(log, { filter: { ipAddress: 'a\u0000b' } });
    expect(answer.errors[0].extensions.code).toBe('BAD_USER_INPUT');
    // A text with NUL matches no id.
    for (const name of ['clientId', 'requestId']) expect(await found({ [name]: 'a\u0000b' })).toEqual([]);
  });

  test('An audit entry has the client that another service states, and no client where there was none.', async () => {
    const path = `/internal/v1/tenants/${acme.tenant}/Users`;
    const token = harness.issuer.serviceToken('provisioning');
    const create = async (userName: string, extra: object = {}) =>
      send(path, token, {
        resource: { schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'], userName },
        actor,
        ...extra,
      });
    const byApp = await create('origin-app', { clientId: 'hr-sync' });
    const bySource = await create('origin-source');
    expect([byApp.status, bySource.status]).toEqual([201, 201]);
    expect(await entries({ resourceId: byApp.body.id })).toEqual([
      expect.objectContaining({ ...from, clientId: 'hr-sync', requestId: 'req-0001' }),
    ]);
    expect(await entries({ resourceId: bySource.body.id })).toEqual([
      expect.objectContaining({ ...from, clientId: null, requestId: 'req-0001' }),
    ]);
    for (const clientId of [7, 'x'.repeat(513), 'a\u0000b', {}]) {
      expect((await create('origin-wrong', { clientId })).status).toBe(400);
    }
  });

  test('An audit entry truncates a user agent at the same length as the other logs.', async () => {
    const { id } = await user();
    const query = `mutation ($id: ID!) { updateUser(input: { id: $id, title: "x" }) { problems { code } } }`;
    const userAgent = `Long/${'9'.repeat(400)}`;
    await send('/graphql', admin, { query, variables: { id } }, { 'user-agent': userAgent });
    const [entry] = await entries({ resourceId: id });
    expect(entry).toMatchObject({ clientId: 'admin-app', userAgent: userAgent.slice(0, 256) });
  });
});
