import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { runningDemo } from '../support/demo.ts';
import { Doors } from '../support/doors.ts';
import { graph, meQuery } from '../support/graph.ts';
import { groupSchema, ScimClient } from '../support/scim.ts';
import { adminToken, signIn } from '../support/sign-in.ts';

const demo = runningDemo();
const tenant = demo.tenants.demo;
const scim = new ScimClient(tenant, tenant.clients.scim.token);
const doors = new Doors(demo, tenant, scim);
let admin: string;

const mutate = (name: string, type: string, input: object, selection: string) =>
  graph(
    demo,
    admin,
    `mutation ($input: ${type}!) { ${name}(input: $input) { ${selection} problems { code } } }`,
    {
      input,
    },
  );
const policy = (deletionPolicy: string) =>
  mutate('updateTenant', 'UpdateTenantInput', { deletionPolicy }, 'tenant { deletionPolicy }');
const problem = ({ data, errors }: Awaited<ReturnType<typeof mutate>>) => {
  expect(errors).toEqual([]);
  return data.restoreUser.problems[0]?.code;
};
const restore = (id: string) =>
  mutate('restoreUser', 'DeletedResourceInput', { id }, 'user { id userName groups { id } }');

beforeAll(async () => {
  admin = await adminToken(tenant);
  expect((await policy('SOFT')).errors).toEqual([]);
});
afterAll(() => policy('HARD'));

describe('a tenant with soft deletion', () => {
  test('A deleted user cannot sign in, a restored user signs in again, and earlier credentials stay invalid.', async () => {
    const person = await doors.employ({ displayName: 'Rita' });
    const team = await scim.call('POST', '/Groups', {
      schemas: [groupSchema],
      displayName: person.user.userName,
      members: [{ value: person.id }],
    });
    await doors.expectOpen(person);
    expect((await scim.call('DELETE', `/Users/${person.id}`)).status).toBe(204);
    await doors.expectClosed(person);
    expect((await scim.call('GET', `/Users/${person.id}`)).status).toBe(404);
    expect((await scim.call('DELETE', `/Users/${person.id}`)).status).toBe(404);
    const filter = encodeURIComponent(`userName eq "${person.user.userName}"`);
    expect((await scim.call('GET', `/Users?filter=${filter}`)).body.totalResults).toBe(0);
    const list = await graph(
      demo,
      admin,
      '{ deletedUsers(first: 100) { edges { node { id: resourceId name } } } }',
    );
    expect(list.data.deletedUsers.edges).toContainEqual({
      node: { id: person.id, name: person.user.userName },
    });

    const restored = await restore(person.id);
    expect(restored.errors).toEqual([]);
    expect(restored.data.restoreUser.user).toMatchObject({ id: person.id, groups: [{ id: team.body.id }] });
    const back = await doors.return(person);
    expect(back.subject).toBe(person.id);
    expect((await graph(demo, back.tokens.access_token, meQuery)).data.me).toMatchObject({
      displayName: 'Rita',
    });
    await doors.expectDead(person);
  });

  test('The userName of a deleted user is free, and a user who takes it keeps it.', async () => {
    const person = await doors.employ();
    await scim.call('DELETE', `/Users/${person.id}`);
    await doors.expectClosed(person);
    const successor = { ...person.user, password: `${person.user.password} of somebody else` };
    const { id } = await scim.createUser(successor);
    expect((await signIn(demo, tenant, successor)).subject).toBe(id);
    expect(problem(await restore(person.id))).toBe('NOT_UNIQUE');
    // The password of the deleted user does not work for the new user.
    await expect(signIn(demo, tenant, person.user)).rejects.toThrow();
  });

  test('A purged user cannot be restored, not even with their id.', async () => {
    const person = await doors.employ();
    await scim.call('DELETE', `/Users/${person.id}`);
    const purged = await mutate('purgeUser', 'DeletedResourceInput', { id: person.id }, 'id');
    expect(purged.errors).toEqual([]);
    await doors.expectClosed(person);
    expect(problem(await restore(person.id))).toBe('NOT_FOUND');
  });
});

describe('reactivation with active: true', () => {
  test('Setting active to true reactivates the user without earlier access, also repeatedly.', async () => {
    const person = await doors.employ();
    const active = (value: boolean) =>
      scim.patch(`/Users/${person.id}`, [{ op: 'replace', path: 'active', value }]);
    await active(false);
    await doors.expectClosed(person);
    await active(true);
    const second = { ...person, signedIn: await doors.return(person) };
    await doors.expectOpen(second);
    await doors.expectDead(person);
    await active(false);
    await doors.expectClosed(second);
    await active(true);
    await doors.expectOpen({ ...person, signedIn: await doors.return(person) });
    await doors.expectDead(second);
    await doors.expectDead(person);
  });
});
