import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { HttpPeer } from '@ostiary/service';
import { type Source, startWithDirectory, type WithDirectory } from '../support/real-directory.ts';

const groupSchema = 'urn:ietf:params:scim:schemas:core:2.0:Group';
const patchSchema = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';
const bulkSchema = 'urn:ietf:params:scim:api:messages:2.0:BulkRequest';
const roleScopes = ['roles:write', 'users:read', 'sessions:write'];
const scimScopes = ['scim:read', 'scim:write'];

let running: WithDirectory;
let directory: HttpPeer;
let source: Source;
let serial = 0;

beforeAll(async () => {
  running = await startWithDirectory();
  source = await running.source('auto');
  directory = new HttpPeer({
    name: 'directory',
    origin: running.directoryUrl,
    token: async () => running.authorization.serviceToken('auth', 'directory'),
  });
});
afterAll(async () => {
  await directory?.close();
  await running?.close();
});

const person = async (): Promise<string> =>
  (
    await source.call('POST', '/Users', {
      body: { schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'], userName: `given${++serial}` },
    })
  ).body.id;
const group = async (...members: string[]): Promise<string> =>
  (
    await source.call('POST', '/Groups', {
      body: {
        schemas: [groupSchema],
        displayName: `Giving ${++serial}`,
        members: members.map((value) => ({ value })),
      },
    })
  ).body.id;
const privileged = async (o: { managedBySources: boolean; members?: string[] }): Promise<string> => {
  const id = await group(...(o.members ?? []));
  const { status } = await directory.request({
    method: 'PUT',
    path: `/internal/v1/tenants/demo/Groups/${id}/privilege`,
    body: { scopes: roleScopes, managedBySources: o.managedBySources, version: ++serial },
  });
  expect(status).toBe(204);
  return id;
};
const adding = (...ids: string[]) => ({
  schemas: [patchSchema],
  Operations: [{ op: 'Add', path: 'members', value: ids.map((value) => ({ value })) }],
});
const addAs = async (token: string, groupId: string): Promise<number> =>
  (await running.service.scim('PATCH', `/Groups/${groupId}`, { token, body: adding(await person()) })).status;
const app = (clientId: string, scopes: string[]) =>
  running.authorization.token({ subject: clientId, scopes });

describe('Groups that give a role', () => {
  test('A group that gives a role accepts members only from a client that could grant the role.', async () => {
    const id = await privileged({ managedBySources: false });
    expect(await addAs(app('sync', [...scimScopes, ...roleScopes]), id)).toBe(200);
    expect(await addAs(app('sync', [...scimScopes, ...roleScopes.slice(1)]), id)).toBe(403);
    expect(await addAs(app('sync', scimScopes), id)).toBe(403);
  });

  test('A group that gives a role accepts no members from a user over SCIM, where the sign-in cannot be checked.', async () => {
    const id = await privileged({ managedBySources: false });
    const token = running.authorization.token({
      subject: await person(),
      client: 'console',
      scopes: [...scimScopes, ...roleScopes],
    });
    expect(await addAs(token, id)).toBe(403);
    expect(await addAs(token, await group())).toBe(200);
  });

  test('A connector cannot add members to such a group unless this is permitted, with any scopes of its client.', async () => {
    await running.service.connector({ name: 'As an app', clientId: 'hr-sync' });
    const token = app('hr-sync', [...scimScopes, ...roleScopes]);
    const [closed, open] = [
      await privileged({ managedBySources: false }),
      await privileged({ managedBySources: true }),
    ];
    expect(await addAs(token, closed)).toBe(403);
    expect(await addAs(token, open)).toBe(200);
    // Clients without a connector do not have the permission of sources.
    expect(await addAs(app('sync', scimScopes), open)).toBe(403);
  });

  test('A Bulk rejects one by one only the operations that would add members to a group that gives a role.', async () => {
    const [inside, other] = [await person(), await person()];
    const id = await privileged({ managedBySources: false, members: [inside] });
    const answer = await source.call('POST', '/Bulk', {
      body: {
        schemas: [bulkSchema],
        Operations: [
          { method: 'PATCH', path: `/Groups/${id}`, data: adding(other) },
          {
            method: 'PUT',
            path: `/Groups/${id}`,
            data: {
              schemas: [groupSchema],
              displayName: 'x',
              members: [{ value: inside }, { value: other }],
            },
          },
          { method: 'PATCH', path: `/Groups/${id}`, data: adding(inside) },
          { method: 'PUT', path: `/Groups/${id}`, data: { schemas: [groupSchema], displayName: 'x' } },
        ],
      },
    });
    expect(answer.body.Operations.map(({ status }: { status: string }) => status)).toEqual([
      '403',
      '403',
      '200',
      '200',
    ]);
  });

  test('A connector that must not change administrators cannot change a group that gives a role, or its members.', async () => {
    const inside = await person();
    const id = await privileged({ managedBySources: true, members: [inside] });
    const careful = await running.source('auto', 'demo', {
      rules: { protectedAccounts: { users: [], groups: [], administrators: true } },
    });
    const attempts = () => [
      () => careful.call('DELETE', `/Users/${inside}`),
      () => careful.call('PATCH', `/Groups/${id}`, { body: adding(inside) }),
      () => careful.call('DELETE', `/Groups/${id}`),
    ];
    running.authorization.administratorGroups.add(id);
    for (const attempt of attempts()) expect((await attempt()).status).toBe(403);
    running.authorization.administratorGroups.delete(id);
    expect((await careful.call('DELETE', `/Users/${inside}`)).status).toBe(204);
  });
});
