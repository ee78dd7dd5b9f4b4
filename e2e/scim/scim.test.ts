import { beforeAll, describe, expect, test } from '@jest/globals';
import { runningDemo, unique } from '../support/demo.ts';
import { errorSchema, groupSchema, listSchema, ScimClient, userSchema } from '../support/scim.ts';
import { signIn } from '../support/sign-in.ts';

const demo = runningDemo();
const tenant = demo.tenants.demo;
let scim: ScimClient;

beforeAll(() => {
  scim = new ScimClient(tenant, tenant.clients.scim.token);
});

describe('an identity source with the connector token', () => {
  test('Creating a user returns 201, Location, ETag and the whole resource.', async () => {
    const userName = unique('carol');
    const answer = await scim.call('POST', '/Users', {
      schemas: [userSchema],
      userName,
      externalId: unique('ext'),
      displayName: 'Carol',
      emails: [{ value: `${userName}@example.com`, type: 'work', primary: true }],
      active: true,
    });
    expect(answer.status).toBe(201);
    expect(answer.headers.get('content-type')).toMatch(/^application\/scim\+json/);
    expect(answer.headers.get('location')).toBe(`${tenant.scim}/Users/${answer.body.id}`);
    expect(answer.body.meta.location).toBe(answer.headers.get('location'));
    expect(answer.headers.get('etag')).toBe(answer.body.meta.version);
    expect(answer.body).toMatchObject({
      schemas: [userSchema],
      userName,
      displayName: 'Carol',
      active: true,
    });
  });

  test('The source reads, filters, patches and deletes the user.', async () => {
    const userName = unique('dave');
    const { id } = await scim.createUser({ userName, displayName: 'Dave' });

    const read = await scim.call('GET', `/Users/${id}`);
    expect(read.status).toBe(200);
    expect(read.body.userName).toBe(userName);

    const filter = encodeURIComponent(`userName eq "${userName.toUpperCase()}"`);
    const found = await scim.call('GET', `/Users?filter=${filter}&startIndex=1&count=10`);
    expect(found.body).toMatchObject({
      schemas: [listSchema],
      totalResults: 1,
      startIndex: 1,
      itemsPerPage: 1,
    });
    expect(found.body.Resources[0].id).toBe(id);

    const patched = await scim.patch(`/Users/${id}`, [
      { op: 'replace', path: 'displayName', value: 'David' },
    ]);
    expect(patched.status).toBe(200);
    expect(patched.body.displayName).toBe('David');
    expect(patched.headers.get('etag')).not.toBe(read.headers.get('etag'));

    const stale = await scim.call('DELETE', `/Users/${id}`, undefined, {
      'if-match': read.headers.get('etag') ?? '',
    });
    expect(stale.status).toBe(412);
    expect((await scim.call('DELETE', `/Users/${id}`)).status).toBe(204);
    const gone = await scim.call('GET', `/Users/${id}`);
    expect(gone.status).toBe(404);
    expect(gone.body).toMatchObject({ schemas: [errorSchema], status: '404' });
  });

  test('The source creates a group, adds and removes members, and sees the group on the user.', async () => {
    const { id: member } = await scim.createUser({ userName: unique('erin') });
    const { id: other } = await scim.createUser({ userName: unique('frank') });
    const displayName = unique('Engineering');
    const created = await scim.call('POST', '/Groups', { schemas: [groupSchema], displayName });
    expect(created.status).toBe(201);
    const path = `/Groups/${created.body.id}`;
    const added = await scim.patch(path, [
      { op: 'add', path: 'members', value: [{ value: member }, { value: other }] },
    ]);
    expect([200, 204]).toContain(added.status);
    const values = async () =>
      ((await scim.call('GET', path)).body.members ?? [])
        .map((entry: { value: string }) => entry.value)
        .sort();
    expect(await values()).toEqual([member, other].sort());
    expect((await scim.call('GET', `/Users/${member}`)).body.groups).toEqual([
      expect.objectContaining({ value: created.body.id, display: displayName }),
    ]);
    await scim.patch(path, [{ op: 'remove', path: `members[value eq "${other}"]` }]);
    expect(await values()).toEqual([member]);
    expect((await scim.call('DELETE', path)).status).toBe(204);
    expect((await scim.call('GET', `/Users/${member}`)).body.groups ?? []).toEqual([]);
  });

  test('The source gets SCIM errors for a duplicate userName, broken filter, unknown path, missing body and wrong token.', async () => {
    const userName = unique('grace');
    await scim.createUser({ userName });
    const duplicate = await scim.call('POST', '/Users', {
      schemas: [userSchema],
      userName: userName.toUpperCase(),
    });
    expect(duplicate.status).toBe(409);
    expect(duplicate.body).toMatchObject({ schemas: [errorSchema], status: '409', scimType: 'uniqueness' });
    const filter = await scim.call('GET', `/Users?filter=${encodeURIComponent('userName eq')}`);
    expect(filter.body).toMatchObject({ status: '400', scimType: 'invalidFilter' });
    const syntax = await scim.call('POST', '/Users', '{"schemas":');
    expect(syntax.body).toMatchObject({ status: '400', scimType: 'invalidSyntax' });
    const { id } = await scim.createUser({ userName: unique('heidi') });
    const path = await scim.patch(`/Users/${id}`, [{ op: 'replace', path: 'noSuchThing', value: 1 }]);
    expect(path.body).toMatchObject({ status: '400', scimType: 'invalidPath' });
    const stranger = await new ScimClient(tenant, 'ost_scim_wrong').call('GET', '/Users');
    expect(stranger.status).toBe(401);
    expect(stranger.headers.get('www-authenticate')).toMatch(/^Bearer /);
    expect((await new ScimClient(tenant, undefined).call('GET', '/Users')).status).toBe(401);
  });

  test('The source sets a password, the user signs in immediately, and the password is never returned.', async () => {
    const user = { userName: unique('ivan'), password: unique('correct horse battery') };
    const created = await scim.call('POST', '/Users', { schemas: [userSchema], ...user });
    expect(created.status).toBe(201);
    expect(JSON.stringify(created.body)).not.toContain(user.password);
    const { subject } = await signIn(demo, tenant, user);
    expect(subject).toBe(created.body.id);
  });

  test('The source reads the supported features from the discovery endpoints.', async () => {
    const config = await scim.call('GET', '/ServiceProviderConfig');
    expect(config.body).toMatchObject({
      patch: { supported: true },
      filter: { supported: true },
      etag: { supported: true },
    });
    expect((await scim.call('GET', '/ResourceTypes')).body.totalResults).toBe(2);
    expect((await scim.call('GET', '/Schemas')).body.totalResults).toBeGreaterThanOrEqual(3);
  });
});
