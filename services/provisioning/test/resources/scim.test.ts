import { describe, expect, test } from '@jest/globals';
import { uuidv7 } from '@ostiary/service';
import {
  base,
  connectorId,
  directory,
  errorSchema,
  expectError,
  id,
  searchRequest,
  service,
  setUpSurface,
  token,
} from '../support/scim-surface.ts';

setUpSurface();

const userSchema = 'urn:ietf:params:scim:schemas:core:2.0:User';

const patchOp = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';

const patch = (...Operations: unknown[]) => ({ schemas: [patchOp], Operations });

describe('create', () => {
  const user = { schemas: [userSchema], userName: 'ada', id: 'forged', externalId: 'hr-1' };

  test('A creation returns 201 with ETag, Location and meta.location made from configuration.', async () => {
    const answer = await service.scim('POST', '/Users', {
      token,
      body: user,
      headers: { host: 'evil.example', 'x-forwarded-host': 'evil.example' },
    });
    const command = directory.only();
    expect(answer.status).toBe(201);
    expect(answer.headers.get('content-type')).toMatch(/^application\/scim\+json/);
    expect(answer.headers.get('etag')).toBe('W/"1"');
    expect(answer.headers.get('location')).toBe(`${base}/Users/${command.body.id}`);
    expect(answer.body).toMatchObject({
      id: command.body.id,
      userName: 'ada',
      meta: { resourceType: 'User', version: 'W/"1"', location: `${base}/Users/${command.body.id}` },
    });
    expect(command).toMatchObject({
      method: 'POST',
      path: '/internal/v1/tenants/demo/Users',
      authorized: true,
      body: {
        resource: { userName: 'ada', externalId: 'hr-1' },
        source: connectorId,
        actor: { kind: 'connector', id: connectorId, name: 'HR' },
      },
    });
    expect(command.body.id).not.toBe('forged');
    expect(command.body).not.toHaveProperty('clientId');
  });

  test('A creation accepts application/json as well, and no other type.', async () => {
    for (const type of [
      'application/json',
      'application/json; charset=utf-8',
      'application/scim+json;charset=UTF-8',
    ]) {
      const answer = await service.scim('POST', '/Users', {
        token,
        body: user,
        headers: { 'content-type': type },
      });
      expect(answer.status).toBe(201);
    }
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'application/json; charset=latin1',
    ]) {
      const answer = await service.scim('POST', '/Users', {
        token,
        body: user,
        headers: { 'content-type': type },
      });
      expectError(answer, 415);
    }
  });

  test.each([
    ['no JSON', '{"userName":'],
    ['an array', '[]'],
    ['a duplicate key', `{"schemas":["${userSchema}"],"userName":"a","userName":"b"}`],
    ['bottomless nesting', `${'['.repeat(5000)}${']'.repeat(5000)}`],
    ['a NUL', `{"schemas":["${userSchema}"],"userName":"a\\u0000b"}`],
    ['nothing', ''],
  ])('A creation whose body is or contains %s is rejected.', async (_what, body) => {
    const answer = await service.scim('POST', '/Users', { token, body });
    expect(answer.status).toBe(400);
    expect(answer.body.schemas).toEqual([errorSchema]);
    expect(directory.commands).toHaveLength(0);
  });

  test('A creation whose text is not UTF-8 is rejected.', async () => {
    const response = await fetch(`${service.url}/t/demo/scim/v2/Users`, {
      method: 'POST',
      headers: { 'content-type': 'application/scim+json', authorization: `Bearer ${token}` },
      body: Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]),
    });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ scimType: 'invalidSyntax' });
  });

  test('A creation with a body over the limit is rejected with 413.', async () => {
    const body = { ...user, displayName: 'x'.repeat(200_000) };
    expectError(await service.scim('POST', '/Users', { token, body }), 413);
  });

  test('A creation that the directory rejects returns the error of the directory.', async () => {
    directory.answers.push({
      status: 409,
      body: { schemas: [errorSchema], status: '409', scimType: 'uniqueness', detail: 'userName is taken.' },
    });
    const answer = await service.scim('POST', '/Users', { token, body: user });
    expectError(answer, 409, 'uniqueness');
    expect(answer.body.detail).toBe('userName is taken.');
  });

  test('A creation returns only the requested attributes.', async () => {
    directory.answers.push({
      status: 201,
      body: { schemas: [userSchema], id, userName: 'ada', meta: { version: 'W/"1"' } },
    });
    const answer = await service.scim('POST', '/Users?attributes=userName', { token, body: user });
    expect(directory.only().body.attributes).toEqual(['userName', 'meta']);
    expect(answer.headers.get('etag')).toBe('W/"1"');
    expect(answer.body).toEqual({ schemas: [userSchema], id, userName: 'ada' });
  });
});

describe('a password', () => {
  const user = { schemas: [userSchema], userName: 'ada', password: 'correct horse', groups: [] };

  test('A password is staged, passed on as a ticket, and activated before the answer.', async () => {
    const answer = await service.scim('POST', '/Users', { token, body: user });
    expect(answer.status).toBe(201);
    const command = directory.only();
    expect(service.authorization.staged).toEqual([
      {
        tenant: 'demo',
        subject: answer.body.id,
        password: 'correct horse',
        ticket: command.body.credentialTicket,
        activated: true,
        // The same actor as in the event: the password is recorded as the user's own in both cases.
        activatedFor: command.body.actor,
      },
    ]);
    expect(command.body.actor).toMatchObject({ kind: expect.stringMatching(/./), id: expect.any(String) });
    expect(JSON.stringify(command)).not.toContain('correct horse');
    expect(JSON.stringify(answer.body)).not.toContain('correct horse');
  });

  test('A password can be changed by PUT and by every form of PATCH.', async () => {
    const put = await service.scim('PUT', `/Users/${id}`, { token, body: user });
    const patched = await service.scim('PATCH', `/Users/${id}`, {
      token,
      body: patch(
        { op: 'replace', value: { password: 'another one' } },
        { op: 'Replace', path: 'password', value: 'last' },
      ),
    });
    expect([put.status, patched.status]).toEqual([200, 200]);
    expect(service.authorization.staged.map(({ password, subject }) => [password, subject])).toEqual([
      ['correct horse', id],
      ['last', id],
    ]);
    expect(JSON.stringify(directory.commands)).not.toMatch(/correct horse|another one|last"/);
  });

  test('When a password cannot be staged, the response is 503, and nothing is written.', async () => {
    service.authorization.state.down = true;
    const answer = await service.scim('POST', '/Users', { token, body: user });
    expectError(answer, 503);
    expect(answer.headers.get('retry-after')).toBe('1');
    expect(directory.commands).toHaveLength(0);
  });

  test('A password that the policy rejects is answered with the reason.', async () => {
    const answer = await service.scim('POST', '/Users', {
      token,
      body: { ...user, password: 'refused by policy' },
    });
    expectError(answer, 400, 'invalidValue');
    expect(answer.body.detail).toBe('The password is too common.');
    expect(directory.commands).toHaveLength(0);
  });

  test('An administrator password is set only by callers who may grant roles; a connector gets 403 and writes nothing.', async () => {
    service.authorization.administrators.add(id);
    const body = patch({ op: 'replace', path: 'password', value: 'mine now' });
    try {
      const refused = await service.scim('PATCH', `/Users/${id}`, { token, body });
      expectError(refused, 403);
      expect(refused.body.detail).toBe('Not an administrator.');
      expectError(await service.scim('PUT', `/Users/${id}`, { token, body: user }), 403);
      const client = (scopes: string[]) => service.authorization.token({ subject: 'console', scopes });
      const writer = await client(['scim:write', 'users:write']);
      expectError(await service.scim('PATCH', `/Users/${id}`, { token: writer, body }), 403);
      expect(directory.commands).toHaveLength(0);
      const administrator = await client(['scim:write', 'roles:write']);
      expect((await service.scim('PATCH', `/Users/${id}`, { token: administrator, body })).status).toBe(200);
    } finally {
      service.authorization.administrators.delete(id);
    }
  });

  test('A password in an operation that does not exist is not set.', async () => {
    for (const operation of [
      { op: 'bogus', path: 'password', value: 'x' },
      { op: 'bogus', value: { password: 'x' } },
    ]) {
      const answer = await service.scim('PATCH', `/Users/${id}`, { token, body: patch(operation) });
      expectError(answer, 400, 'invalidSyntax');
    }
    expect(service.authorization.staged).toHaveLength(0);
  });

  test('A password is not activated when the directory rejects the request.', async () => {
    directory.answers.push({
      status: 409,
      body: { schemas: [errorSchema], status: '409', detail: 'Taken.' },
    });
    expectError(await service.scim('POST', '/Users', { token, body: user }), 409);
    expect(service.authorization.staged).toMatchObject([{ activated: false }]);
  });
});

describe('change', () => {
  test('If-Match is forwarded to the directory, which has the version, and 412 is returned.', async () => {
    directory.answers.push({
      status: 412,
      body: { schemas: [errorSchema], status: '412', detail: 'Changed.' },
    });
    const answer = await service.scim('PUT', `/Users/${id}`, {
      token,
      headers: { 'if-match': 'W/"3", "4"' },
      body: { schemas: [userSchema], userName: 'ada' },
    });
    expectError(answer, 412);
    expect(directory.only().body.ifMatch).toEqual(['W/"3"', '"4"']);
  });

  test('PATCH returns 200 with the resource.', async () => {
    const answer = await service.scim('PATCH', `/Users/${id}`, {
      token,
      body: patch({ op: 'replace', path: 'displayName', value: 'Ada' }),
    });
    expect(answer.status).toBe(200);
    expect(answer.body.id).toBe(id);
    expect(directory.only().body.operations).toEqual([{ op: 'replace', path: 'displayName', value: 'Ada' }]);
  });

  test('PATCH returns 204 with ETag and Location to clients that prefer it.', async () => {
    const answer = await service.scim('PATCH', `/Groups/${id}`, {
      token,
      headers: { prefer: 'return=minimal' },
      body: patch({ op: 'add', path: 'members', value: [{ value: uuidv7() }] }),
    });
    expect(answer.status).toBe(204);
    expect(answer.headers.get('etag')).toBe('W/"1"');
    expect(answer.headers.get('location')).toBe(`${base}/Groups/${id}`);
    expect(directory.only().body.attributes).toEqual(['id', 'meta']);
  });

  test.each([
    ['no message', { Operations: [{ op: 'add', path: 'displayName', value: 'x' }] }, 'invalidSyntax'],
    ['another message', { schemas: [searchRequest], Operations: [{ op: 'add' }] }, 'invalidSyntax'],
    ['no operations', { schemas: [patchOp], Operations: [] }, 'invalidSyntax'],
    ['an operation that is none', { schemas: [patchOp], Operations: ['add'] }, 'invalidSyntax'],
    ['no op', { schemas: [patchOp], Operations: [{ path: 'displayName' }] }, 'invalidSyntax'],
    ['a path that is none', { schemas: [patchOp], Operations: [{ op: 'add', path: 7 }] }, 'invalidValue'],
  ])('PATCH rejects a body with %s.', async (_what, body, scimType) => {
    expectError(await service.scim('PATCH', `/Users/${id}`, { token, body }), 400, scimType);
    expect(directory.commands).toHaveLength(0);
  });

  test('PATCH rejects more operations than it can guarantee to execute.', async () => {
    const operations = Array.from({ length: 1001 }, () => ({ op: 'add', path: 'title', value: 'x' }));
    expectError(await service.scim('PATCH', `/Users/${id}`, { token, body: patch(...operations) }), 413);
  });

  test('DELETE returns 204 for each content type of an empty body.', async () => {
    for (const headers of [{}, { 'content-type': 'application/json' }, { 'content-type': 'text/plain' }]) {
      const answer = await service.scim('DELETE', `/Users/${id}`, { token, headers });
      expect(answer.status).toBe(204);
    }
    expect(directory.commands).toHaveLength(3);
    expect(directory.commands[0]?.body).toMatchObject({ actor: { kind: 'connector' } });
  });
});
