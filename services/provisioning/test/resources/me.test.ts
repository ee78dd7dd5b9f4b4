import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { uuidv7 } from '@ostiary/service';
import { publicOrigin } from '../support/authorization-server.ts';
import { type RecordingDirectory, startRecordingDirectory } from '../support/recording-directory.ts';
import { type RunningService, startService } from '../support/service.ts';

const userSchema = 'urn:ietf:params:scim:schemas:core:2.0:User';
const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
const patchOp = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';

let directory: RecordingDirectory;
let service: RunningService;
/** A user with the scope to write. */
let writer: string;
/** A user with no scope. */
let plain: string;
const id = uuidv7();

beforeAll(async () => {
  directory = await startRecordingDirectory();
  service = await startService({ directoryUrl: directory.url });
  const token = (scopes: string[]) => service.authorization.token({ subject: id, client: 'app', scopes });
  writer = await token(['openid', 'scim:write']);
  plain = await token(['openid', 'profile']);
});
afterAll(async () => {
  await service?.close();
  await directory?.close();
});

const current = {
  schemas: [userSchema, enterprise],
  id,
  userName: 'ada',
  displayName: 'Ada',
  nickName: 'A',
  active: true,
  emails: [{ value: 'ada@example.com', type: 'work', primary: true }],
  [enterprise]: { employeeNumber: '7' },
  meta: { resourceType: 'User', version: 'W/"4"' },
};
beforeEach(() => {
  directory.clear();
  directory.state.respond = async ({ method }) =>
    method === 'GET' ? { status: 200, body: current } : undefined;
});

const me = (
  method: string,
  o: { token?: string; body?: unknown; headers?: Record<string, string>; query?: string } = {},
) =>
  service.scim(method, `/Me${o.query ?? ''}`, {
    token: o.token ?? writer,
    ...(o.headers ? { headers: o.headers } : {}),
    ...(o.body === undefined ? {} : { body: o.body }),
  });
const patch = (...Operations: object[]) => ({ schemas: [patchOp], Operations });
const changed = () => directory.commands.filter(({ method }) => method !== 'GET');

test('GET and HEAD of /Me return the user, with the permanent address.', async () => {
  const answer = await me('GET', { token: plain });
  expect(answer.status).toBe(200);
  expect(answer.headers.get('location')).toBe(`${publicOrigin}/t/demo/scim/v2/Users/${id}`);
  expect(answer.headers.get('etag')).toBe('W/"4"');
  expect((await me('HEAD', { token: plain })).status).toBe(200);
  expect((await me('GET', { token: plain, headers: { 'if-none-match': 'W/"4"' } })).status).toBe(304);
  expect((await me('GET', { token: plain, headers: { 'if-match': 'W/"3"' } })).status).toBe(412);
});

test('A token that stands for no user has no /Me.', async () => {
  const client = service.authorization.token({ subject: 'app', scopes: ['scim:read', 'scim:write'] });
  const { token: connector } = await service.connector();
  for (const token of [client, connector]) {
    for (const [method, body] of [
      ['GET', undefined],
      ['PUT', current],
      ['PATCH', patch({ op: 'remove', path: 'nickName' })],
      ['DELETE', undefined],
    ] as const) {
      expect((await me(method, { token, body })).status).toBe(404);
    }
  }
  expect(directory.commands).toHaveLength(0);
});

test('Without scim:write, no caller can change anything through /Me.', async () => {
  for (const [method, body] of [
    ['PUT', current],
    ['PATCH', patch({ op: 'remove', path: 'nickName' })],
  ] as const) {
    const answer = await me(method, { token: plain, body });
    expect(answer.status).toBe(403);
    expect(answer.headers.get('www-authenticate')).toContain('insufficient_scope');
  }
  expect(directory.commands).toHaveLength(0);
});

test('POST to /Me is answered with 501, and DELETE with 403.', async () => {
  expect((await me('POST', { body: current })).status).toBe(501);
  expect((await me('DELETE')).status).toBe(403);
  expect(directory.commands).toHaveLength(0);
});

describe('PATCH', () => {
  test.each([
    [{ op: 'replace', path: 'displayName', value: 'Augusta' }],
    [{ op: 'replace', path: 'name.givenName', value: 'Augusta' }],
    [{ op: 'add', path: 'photos[type eq "photo"].value', value: 'https://example.com/a.png' }],
    [{ op: 'replace', path: `${userSchema}:locale`, value: 'en-GB' }],
    [{ op: 'remove', path: 'NickName' }],
    [{ op: 'add', value: { displayName: 'Augusta', 'name.familyName': 'King' } }],
    [{ op: 'add', value: { [userSchema]: { timezone: 'Europe/London' } } }],
  ])('A PATCH of /Me changes an attribute that the user may change: %j.', async (operation) => {
    const answer = await me('PATCH', { body: patch(operation) });
    expect(answer.status).toBe(200);
    expect(directory.only()).toMatchObject({
      method: 'PATCH',
      path: `/internal/v1/tenants/demo/Users/${id}`,
    });
  });

  test.each([
    [{ op: 'replace', path: 'userName', value: 'root' }],
    [{ op: 'replace', path: 'active', value: false }],
    [{ op: 'replace', path: 'emails[type eq "work"].value', value: 'ceo@example.com' }],
    [{ op: 'replace', path: 'emails', value: [] }],
    [{ op: 'replace', path: 'password', value: 'mine now' }],
    [{ op: 'add', path: 'roles', value: [{ value: 'admin' }] }],
    [{ op: 'add', path: 'groups', value: [{ value: uuidv7() }] }],
    [{ op: 'replace', path: `${enterprise}:manager.value`, value: id }],
    [{ op: 'add', path: enterprise, value: { department: 'Board' } }],
    [{ op: 'add', path: `${userSchema}:userName`, value: 'root' }],
    [{ op: 'add', path: userSchema, value: { userName: 'root' } }],
    [{ op: 'add', path: ` ${userSchema} `, value: { userName: 'root' } }],
    [{ op: 'add', value: { displayName: 'x', userName: 'root' } }],
    [{ op: 'add', value: { [enterprise]: { department: 'Board' } } }],
    [{ op: 'add', value: { [userSchema]: { userName: 'root' } } }],
    [{ op: 'add', value: { 'emails[type eq "work"].value': 'x' } }],
    [{ op: 'add', path: '', value: { userName: 'root' } }],
    [{ op: 'add', path: null, value: { USERNAME: 'root' } }],
    [{ OP: 'add', PATH: 'userName', VALUE: 'root' }],
    [{ op: 'add', path: 'externalId', value: '1' }],
  ])('A PATCH of /Me does not change an attribute that the user may not change: %j.', async (operation) => {
    const answer = await me('PATCH', {
      body: patch({ op: 'replace', path: 'displayName', value: 'y' }, operation),
    });
    expect(answer.status).toBe(403);
    expect(changed()).toHaveLength(0);
    expect(service.authorization.staged).toHaveLength(0);
  });

  test('A body that is no PatchOp is rejected with 400.', async () => {
    for (const body of [[], {}, { schemas: [patchOp] }, { schemas: [patchOp], Operations: [7] }]) {
      expect((await me('PATCH', { body })).status).toBe(400);
    }
  });
});

describe('PUT', () => {
  test('A PUT of /Me sets or clears the attributes that the user may change, and leaves the others unchanged.', async () => {
    const answer = await me('PUT', {
      query: '?attributes=displayName',
      body: { ...current, displayName: 'Augusta', nickName: undefined, name: { givenName: 'Augusta' } },
    });
    expect(answer.status).toBe(200);
    expect(changed()).toMatchObject([
      {
        method: 'PATCH',
        body: {
          ifMatch: ['W/"4"'],
          operations: [
            { op: 'replace', path: 'displayname', value: 'Augusta' },
            { op: 'replace', path: 'name', value: { givenName: 'Augusta' } },
            { op: 'remove', path: 'nickName' },
          ],
        },
      },
    ]);
  });

  test('A PUT of /Me that contains only the editable attributes changes nothing else.', async () => {
    const answer = await me('PUT', { body: { schemas: [userSchema], displayName: 'Ada', nickName: 'A' } });
    expect(answer.status).toBe(200);
    expect(changed()[0]?.body.operations).toHaveLength(2);
  });

  test.each([
    ['userName', 'root'],
    ['active', false],
    ['password', 'mine now'],
    ['emails', []],
    ['externalId', '1'],
    [enterprise, { employeeNumber: '1' }],
    ['USERNAME', 'root'],
    ['unknown', 'x'],
  ])('A PUT of /Me with another %s is rejected with 403.', async (name, value) => {
    const { [name]: _, ...rest } = current as Record<string, unknown>;
    const answer = await me('PUT', { body: { ...rest, [name]: value } });
    expect(answer.status).toBe(403);
    expect(changed()).toHaveLength(0);
  });

  test('A PUT of /Me under a condition that does not hold is answered with 412.', async () => {
    for (const headers of [{ 'if-match': 'W/"3"' }, { 'if-none-match': 'W/"4"' }, { 'if-none-match': '*' }]) {
      expect((await me('PUT', { body: current, headers })).status).toBe(412);
    }
    expect(changed()).toHaveLength(0);
    expect((await me('PUT', { body: current, headers: { 'if-match': '*' } })).status).toBe(200);
    expect(changed()[0]?.body.ifMatch).toEqual(['W/"4"']);
  });
});
