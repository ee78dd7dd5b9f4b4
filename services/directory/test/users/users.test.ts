import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { uuidv7 } from '@ostiary/service';
import { acme, eventsOf, fresh, harness, make, rival, setUpUsers } from '../support/user-client.ts';

setUpUsers();

describe('Creation of users', () => {
  test('Creating a user returns 201 with the whole resource.', async () => {
    const answer = await acme.create('Users', {
      userName: 'Ada',
      displayName: 'Ada Lovelace',
      emails: [{ value: 'ada@example.com', type: 'work', primary: true }],
      externalId: 'a-1',
    });
    expect(answer.status).toBe(201);
    expect(answer.headers.get('content-type')).toContain('application/scim+json');
    expect(answer.body).toEqual({
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      externalId: 'a-1',
      userName: 'Ada',
      displayName: 'Ada Lovelace',
      active: true,
      emails: [{ value: 'ada@example.com', type: 'work', primary: true }],
      meta: {
        resourceType: 'User',
        created: expect.any(String),
        lastModified: expect.any(String),
        version: 'W/"1"',
      },
    });
  });

  test('Creating a user accepts an id that the caller chooses, but never one from the resource, and never twice.', async () => {
    const id = uuidv7();
    const made = await acme.create('Users', { userName: fresh(), id: randomUUID() }, { id });
    expect(made.body.id).toBe(id);
    expect((await acme.create('Users', { userName: fresh() }, { id })).status).toBe(409);
    expect((await acme.create('Users', { userName: fresh() }, { id: '17' })).status).toBe(400);
    expect((await make({ id: 'forged', meta: { version: 'W/"9"' } })).id).not.toBe('forged');
  });

  test('Creating a user with a taken userName is rejected, in any case and script.', async () => {
    for (const [first, second] of [
      ['Grace', 'GRACE'],
      ['straße', 'STRAßE'],
      ['ΟΔΟΣ', 'οδος'],
      ['İstanbul', 'İSTANBUL'],
    ]) {
      expect((await acme.create('Users', { userName: first })).status).toBe(201);
      expect(await acme.create('Users', { userName: second })).toMatchObject({
        status: 409,
        body: { scimType: 'uniqueness', status: '409' },
      });
      expect((await rival.create('Users', { userName: first })).status).toBe(201);
    }
  });

  test.each([
    ['no userName', {}],
    ['an empty userName', { userName: '' }],
    ['a userName that is no text', { userName: 7 }],
    ['a userName with NUL', { userName: 'a\u0000b' }],
    ['a userName without end', { userName: 'x'.repeat(5000) }],
    ['half a character', { userName: 'a\ud800' }],
    ['a wrong type', { userName: 'w1', active: 'False' }],
    [
      'two primary addresses',
      { userName: 'w2', emails: ['a', 'b'].map((value) => ({ value, primary: true })) },
    ],
    ['another schema', { userName: 'w3', schemas: ['urn:ietf:params:scim:schemas:core:2.0:Group'] }],
  ])('Creating a user with %s is rejected with 400.', async (_, resource) => {
    const answer = await acme.create('Users', resource);
    expect(answer.status).toBe(400);
    expect(answer.body.schemas).toEqual(['urn:ietf:params:scim:api:messages:2.0:Error']);
  });

  test.each([
    ['no JSON', '{'],
    ['a list', '[]'],
    ['duplicate members', '{"actor":{"kind":"system","id":"x"},"resource":{"userName":"a","userName":"b"}}'],
    ['nesting without end', `{"resource":${'['.repeat(100_000)}${']'.repeat(100_000)}}`],
    ['no actor', '{"resource":{"userName":"a"}}'],
    ['no resource', '{"actor":{"kind":"system","id":"x"}}'],
  ])('Creating a user by a body with %s is rejected.', async (_, body) => {
    const answer = await harness.call('POST', `/internal/v1/tenants/${acme.tenant}/Users`, body);
    expect(answer.status).toBe(400);
  });

  test('Creating a user keeps no password.', async () => {
    const user = await make({ password: 'correct horse battery staple' });
    const rows = await harness.sql('SELECT data::text AS data FROM directory.users WHERE id = $1', [user.id]);
    expect(JSON.stringify([user, rows, await eventsOf(user.id)])).not.toContain('correct horse');
  });

  test('Creating a user never lets an attribute name reach a prototype.', async () => {
    await harness.call(
      'POST',
      `/internal/v1/tenants/${acme.tenant}/Users`,
      `{"actor":{"kind":"system","id":"x"},"resource":{"schemas":["urn:ietf:params:scim:schemas:core:2.0:User"],
        "userName":"proto","__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}}`,
    );
    await acme.patch('Users', (await make()).id, [{ op: 'add', path: '__proto__.polluted', value: 1 }]);
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
  });
});

describe('Reading of users', () => {
  test.each(['', 'x', '1', '../tenants', '00000000-0000-0000-0000-00000000000g', randomUUID()])(
    'Reading a user by the id %j returns 404.',
    async (id) => {
      expect((await acme.read('Users', encodeURIComponent(id))).status).toBe(404);
    },
  );

  test('Reading a user of another tenant returns the same response as for a user that does not exist.', async () => {
    const user = await make();
    const foreign = await rival.read('Users', user.id);
    const missing = await rival.read('Users', randomUUID());
    expect(foreign.status).toBe(404);
    expect(foreign.body).toEqual(missing.body);
  });

  test('Reading a user returns the requested attributes.', async () => {
    const user = await make({ displayName: 'D', emails: [{ value: 'd@example.com' }] });
    const some = await acme.read('Users', user.id, '?attributes=displayName,emails');
    expect(Object.keys(some.body).sort()).toEqual(['displayName', 'emails', 'id', 'schemas']);
    const others = await acme.read('Users', user.id, '?excludedAttributes=emails');
    expect(others.body.emails).toBeUndefined();
    expect(others.body.displayName).toBe('D');
    expect((await acme.read('Users', user.id, '?attributes=id&excludedAttributes=emails')).status).toBe(400);
  });
});

describe('External ids of users', () => {
  test('An externalId belongs to the source that set it.', async () => {
    const user = await make({ externalId: '42' }, { source: 'entra' });
    expect(user.externalId).toBe('42');
    const bySource = async (source: string) =>
      (await acme.read('Users', user.id, `?source=${source}`)).body.externalId;
    expect(await bySource('entra')).toBe('42');
    expect(await bySource('okta')).toBeUndefined();
    expect((await acme.read('Users', user.id)).body.externalId).toBeUndefined();
    await acme.patch('Users', user.id, [{ op: 'add', path: 'externalId', value: 'o-42' }], {
      source: 'okta',
    });
    expect([await bySource('entra'), await bySource('okta')]).toEqual(['42', 'o-42']);
    await acme.patch('Users', user.id, [{ op: 'remove', path: 'externalId' }], { source: 'entra' });
    expect([await bySource('entra'), await bySource('okta')]).toEqual([undefined, 'o-42']);
    const found = await acme.search('Users', { filter: 'externalId eq "o-42"', source: 'okta' });
    expect(found.body.totalResults).toBe(1);
    expect((await acme.search('Users', { filter: 'externalId eq "o-42"' })).body.totalResults).toBe(0);
  });

  test('An externalId never resolves to an internal id, in any form.', async () => {
    const victim = await make();
    const attacker = await make({ externalId: victim.id }, { source: 'entra' });
    expect((await acme.read('Users', victim.id, '?source=entra')).body.userName).toBe(victim.userName);
    await make({ externalId: '7' }, { source: 'entra' });
    expect((await acme.read('Users', '7', '?source=entra')).status).toBe(404);
    expect(attacker.id).not.toBe(victim.id);
  });

  test('An externalId of a source named like a property of Object.prototype is an ordinary value.', async () => {
    const user = await make({ externalId: 'p' }, { source: '__proto__' });
    expect((await acme.read('Users', user.id, '?source=constructor')).body.externalId).toBeUndefined();
  });
});

describe('Replacement of users', () => {
  test('Replacing a user clears omitted attributes and ignores read-only ones.', async () => {
    const user = await make({ displayName: 'Before', title: 'Dr', externalId: 'x' });
    const replaced = await acme.replace('Users', user.id, {
      userName: user.userName,
      displayName: 'After',
      id: 'forged',
      groups: [{ value: 'forged' }],
      meta: { version: 'W/"77"', created: '2001-01-01T00:00:00Z' },
    });
    expect(replaced.status).toBe(200);
    expect(replaced.body).toMatchObject({ id: user.id, displayName: 'After', active: true });
    expect(replaced.body.meta).toMatchObject({ version: 'W/"2"', created: user.meta.created });
    for (const name of ['title', 'externalId', 'groups']) expect(replaced.body[name]).toBeUndefined();
  });

  test('A PATCH that removes "active" does not reactivate a deactivated user.', async () => {
    const { id } = (await acme.create('Users', { userName: 'gone-by-patch', active: false })).body;
    for (const operation of [
      { op: 'remove', path: 'active' },
      { op: 'replace', path: 'active', value: null },
      { op: 'replace', value: { active: null } },
    ]) {
      const answer = await acme.patch('Users', id, [operation]);
      expect([answer.status, answer.body.active]).toEqual([200, false]);
    }
    const events = await harness.sql('SELECT type FROM directory.outbox_events WHERE subject = $1', [id]);
    expect(events).toEqual([{ type: 'user.created' }]);
    expect(
      (await acme.patch('Users', id, [{ op: 'replace', path: 'active', value: true }])).body.active,
    ).toBe(true);
  });

  test('A PUT without "active" does not reactivate a deactivated user.', async () => {
    const user = await make({ active: false });
    const { body } = await acme.replace('Users', user.id, { userName: user.userName, displayName: 'x' });
    expect(body.active).toBe(false);
  });

  test('Replacing a user returns 404, 409 and 400 for the respective errors.', async () => {
    const [user, other] = [await make(), await make()];
    expect((await acme.replace('Users', randomUUID(), { userName: fresh() })).status).toBe(404);
    expect((await rival.replace('Users', user.id, { userName: fresh() })).status).toBe(404);
    expect((await acme.replace('Users', user.id, { userName: other.userName.toUpperCase() })).status).toBe(
      409,
    );
    expect((await acme.replace('Users', user.id, {})).status).toBe(400);
  });
});

describe('PATCH of users', () => {
  test('A PATCH applies all operations in order, or none.', async () => {
    const user = await make({ displayName: 'One' });
    const done = await acme.patch('Users', user.id, [
      { op: 'replace', path: 'displayName', value: 'Two' },
      { op: 'add', path: 'emails', value: [{ value: 'two@example.com', type: 'work' }] },
      { op: 'add', path: 'emails[type eq "work"].primary', value: true },
    ]);
    expect(done.body).toMatchObject({
      displayName: 'Two',
      emails: [{ value: 'two@example.com', type: 'work', primary: true }],
      meta: { version: 'W/"2"' },
    });
    const failed = await acme.patch('Users', user.id, [
      { op: 'replace', path: 'displayName', value: 'Three' },
      { op: 'replace', path: 'nonsense', value: 1 },
    ]);
    expect(failed).toMatchObject({ status: 400, body: { scimType: 'invalidPath' } });
    expect((await acme.read('Users', user.id)).body.displayName).toBe('Two');
  });

  test('A PATCH that modifies a read-only attribute or removes a required one is rejected.', async () => {
    const user = await make();
    for (const path of ['id', 'groups', 'meta.version']) {
      expect(await acme.patch('Users', user.id, [{ op: 'replace', path, value: 'x' }])).toMatchObject({
        status: 400,
        body: { scimType: 'mutability' },
      });
    }
    const removed = await acme.patch('Users', user.id, [{ op: 'remove', path: 'userName' }]);
    expect(removed.status).toBe(400);
  });

  test.each([[undefined], ['x'], [[]], [[{ op: 'move' }]], [[null]], [{}]])(
    'A PATCH with the operations %j is rejected.',
    async (operations) => {
      const user = await make();
      expect((await acme.patch('Users', user.id, operations)).status).toBe(400);
    },
  );

  test('A PATCH that changes no value changes nothing, not even the version.', async () => {
    const user = await make({ displayName: 'Same' });
    const same = await acme.patch('Users', user.id, [{ op: 'replace', path: 'displayName', value: 'Same' }]);
    expect(same).toMatchObject({ status: 200, body: { meta: user.meta } });
    expect(await eventsOf(user.id)).toHaveLength(1);
    const audit = await harness.sql('SELECT 1 FROM directory.audit_log WHERE resource_id = $1', [user.id]);
    expect(audit).toHaveLength(1);
  });

  test('A PATCH renames a user, and the old name is free again.', async () => {
    const user = await make();
    const [was, will] = [user.userName, fresh()];
    await acme.patch('Users', user.id, [{ op: 'replace', path: 'userName', value: will }]);
    expect((await acme.create('Users', { userName: was })).status).toBe(201);
    const clash = await acme.patch('Users', user.id, [
      { op: 'replace', path: 'userName', value: was.toUpperCase() },
    ]);
    expect(clash).toMatchObject({ status: 409, body: { scimType: 'uniqueness' } });
  });

  test('A PATCH of a user of another tenant is rejected like one of a user that does not exist.', async () => {
    const user = await make();
    const operations = [{ op: 'replace', path: 'active', value: false }];
    const foreign = await rival.patch('Users', user.id, operations);
    expect(foreign.status).toBe(404);
    expect(foreign.body).toEqual((await rival.patch('Users', randomUUID(), operations)).body);
    expect((await acme.read('Users', user.id)).body.active).toBe(true);
  });
});

describe('If-Match on users', () => {
  test('If-Match permits a change only at the version it names.', async () => {
    const user = await make();
    const change = (value: string, ifMatch: string[]) =>
      acme.patch('Users', user.id, [{ op: 'replace', path: 'title', value }], { ifMatch });
    expect((await change('a', ['W/"1"'])).status).toBe(200);
    expect(await change('b', ['W/"1"'])).toMatchObject({ status: 412, body: { status: '412' } });
    expect((await change('b', ['W/"9"', '"2"'])).status).toBe(200);
    expect((await change('c', ['*'])).status).toBe(200);
    expect((await change('d', ['nonsense'])).status).toBe(412);
    expect((await acme.remove('Users', user.id, { ifMatch: ['W/"1"'] })).status).toBe(412);
    expect((await acme.replace('Users', user.id, { userName: 'x' }, { ifMatch: ['W/"1"'] })).status).toBe(
      412,
    );
    expect((await acme.remove('Users', user.id, { ifMatch: ['W/"4"'] })).status).toBe(204);
  });
});

describe('Deletion of users', () => {
  test('Deleting removes a user once, for its own tenant only.', async () => {
    const user = await make();
    expect((await rival.remove('Users', user.id)).status).toBe(404);
    expect((await acme.remove('Users', user.id)).status).toBe(204);
    expect((await acme.read('Users', user.id)).status).toBe(404);
    expect((await acme.remove('Users', user.id)).status).toBe(404);
    expect((await acme.create('Users', { userName: user.userName })).status).toBe(201);
  });

  test('Deleting removes a user from its groups, each of which gets a new version.', async () => {
    const [user, stays] = [await make(), await make()];
    const group = (
      await acme.create('Groups', { displayName: 'g', members: [{ value: user.id }, { value: stays.id }] })
    ).body;
    await acme.remove('Users', user.id);
    const after = (await acme.read('Groups', group.id)).body;
    expect(after.members.map((member: { value: string }) => member.value)).toEqual([stays.id]);
    expect(after.meta.version).toBe('W/"2"');
    const events = await eventsOf(group.id);
    expect(events.at(-1)).toMatchObject({
      type: 'group.updated',
      version: 2,
      payload: { membersRemoved: [user.id] },
    });
  });
});
