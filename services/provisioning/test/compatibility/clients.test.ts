import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Source, startWithDirectory, type WithDirectory } from '../support/real-directory.ts';

/** Requests of identity sources that conform to the RFC and work with every profile. */

const userSchema = 'urn:ietf:params:scim:schemas:core:2.0:User';
const groupSchema = 'urn:ietf:params:scim:schemas:core:2.0:Group';
const patchSchema = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';

let running: WithDirectory;
let strict: Source;
let serial = 0;

beforeAll(async () => {
  running = await startWithDirectory();
  strict = await running.source('rfc');
});
afterAll(() => running?.close());

const newUser = (more: object = {}) => ({ schemas: [userSchema], userName: `client${++serial}`, ...more });
const patch =
  (...operations: object[]) =>
  (source: Source, path: string) =>
    source.call('PATCH', path, { body: { schemas: [patchSchema], Operations: operations } });

describe('Requests that conform to the RFC', () => {
  const make = async (body: Record<string, unknown>, at = '/Users') =>
    `${at}/${(await strict.call('POST', at, { body })).body.id}`;

  test('For Entra ID, adding emails[type eq "work"].value creates the element where it is missing.', async () => {
    const path = await make(newUser());
    const answer = await patch({ op: 'add', path: 'emails[type eq "work"].value', value: 'a@example.com' })(
      strict,
      path,
    );
    expect(answer).toMatchObject({
      status: 200,
      body: { emails: [{ type: 'work', value: 'a@example.com' }] },
    });
  });

  test('For Entra ID, a lookup without results is answered with 200 and an empty list.', async () => {
    for (const filter of [
      'userName eq "nobody@example.com"',
      'externalId eq "nobody"',
      'displayName eq "Nobody"',
      'emails[type eq "work"].value eq "nobody@example.com"',
    ]) {
      const answer = await strict.call('GET', `/Users?filter=${encodeURIComponent(filter)}`);
      expect(answer).toMatchObject({ status: 200, body: { totalResults: 0 } });
      expect(answer.body.Resources ?? []).toEqual([]);
    }
    const groups = await strict.call(
      'GET',
      `/Groups?excludedAttributes=members&filter=${encodeURIComponent('displayName eq "Nobody"')}`,
    );
    expect(groups).toMatchObject({ status: 200, body: { totalResults: 0 } });
  });

  test('For Entra ID, a group read with excludedAttributes=members contains no members.', async () => {
    const member = (await make(newUser())).slice('/Users/'.length);
    const path = await make(
      { schemas: [groupSchema], displayName: 'G', members: [{ value: member }] },
      '/Groups',
    );
    const without = await strict.call('GET', `${path}?excludedAttributes=members`);
    expect(without).toMatchObject({ status: 200, body: { displayName: 'G' } });
    expect(without.body).not.toHaveProperty('members');
    expect((await strict.call('GET', path)).body.members).toHaveLength(1);
  });

  test('For Okta, a PUT with id, groups and meta is accepted, and these are ignored.', async () => {
    const path = await make(newUser());
    const body = {
      ...newUser({ displayName: 'Ada' }),
      id: crypto.randomUUID(),
      groups: [],
      meta: { resourceType: 'Group', version: 'W/"99"' },
    };
    const answer = await strict.call('PUT', path, { body });
    expect(answer).toMatchObject({
      status: 200,
      body: { displayName: 'Ada', meta: { resourceType: 'User' } },
    });
    expect(`/Users/${answer.body.id}`).toBe(path);
  });

  test('For Okta, a PATCH without a path sets active.', async () => {
    const path = await make(newUser());
    expect(await patch({ op: 'replace', value: { active: false } })(strict, path)).toMatchObject({
      status: 200,
      body: { active: false },
    });
  });

  test('For Okta, pushing an empty group sends value: [], which clears the group.', async () => {
    const member = (await make(newUser())).slice('/Users/'.length);
    const path = await make(
      { schemas: [groupSchema], displayName: 'G', members: [{ value: member }] },
      '/Groups',
    );
    const answer = await patch({ op: 'replace', path: 'members', value: [] })(strict, path);
    expect(answer.status).toBe(200);
    expect(answer.body.members ?? []).toEqual([]);
  });

  test('For Okta, a POST with a password is accepted, and the password is never returned.', async () => {
    const answer = await strict.call('POST', '/Users', {
      body: newUser({ password: 'correct horse battery' }),
    });
    expect(answer.status).toBe(201);
    expect(JSON.stringify(answer.body)).not.toContain('correct horse');
  });

  test('A GET on the root finds users and groups, and other methods are not available there.', async () => {
    const displayName = `Rooted ${crypto.randomUUID()}`;
    await make(newUser({ displayName }));
    await make({ schemas: [groupSchema], displayName }, '/Groups');
    const at = (more = '') => `?filter=${encodeURIComponent(`displayName eq "${displayName}"`)}${more}`;
    const both = await strict.call('GET', at());
    expect(both).toMatchObject({ status: 200, body: { totalResults: 2 } });
    const types = both.body.Resources.map(
      ({ meta }: { meta: { resourceType: string } }) => meta.resourceType,
    );
    expect(types).toEqual(['User', 'Group']);
    const first = await strict.call('GET', at('&count=1&cursor='));
    const second = await strict.call('GET', at(`&count=1&cursor=${first.body.nextCursor}`));
    expect(second.body.Resources).toMatchObject([{ meta: { resourceType: 'Group' } }]);
    expect((await strict.call('HEAD', at())).status).toBe(200);
    expect((await running.service.scim('GET', '')).status).toBe(401);
    expect(await strict.call('GET', '?filter=nonsense')).toMatchObject({
      status: 400,
      body: { scimType: 'invalidFilter' },
    });
    const refused = await strict.call('POST', '', { body: {} });
    expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });

  test('For Rippling, /ServiceProviderConfig can be read first, with its token and without.', async () => {
    for (const request of [{}, { token: strict.token }]) {
      expect(await running.service.scim('GET', '/ServiceProviderConfig', request)).toMatchObject({
        status: 200,
        body: { patch: { supported: true }, authenticationSchemes: expect.any(Array) },
      });
    }
  });

  test('For Authentik, bulk.maxOperations, filter and patch are announced.', async () => {
    expect((await strict.call('GET', '/ServiceProviderConfig')).body).toMatchObject({
      bulk: { supported: true, maxOperations: expect.any(Number), maxPayloadSize: expect.any(Number) },
      filter: { supported: true, maxResults: expect.any(Number) },
      patch: { supported: true },
    });
  });
});
