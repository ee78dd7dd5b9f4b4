import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { uuidv7 } from '@ostiary/service';
import { readLog } from '../src/data/log.ts';
import { publicOrigin } from './authorization-server.ts';
import { type RecordingDirectory, startRecordingDirectory } from './recording-directory.ts';
import { type RunningService, type ScimResponse, startService } from './service.ts';

const base = `${publicOrigin}/t/demo/scim/v2`;
const userSchema = 'urn:ietf:params:scim:schemas:core:2.0:User';
const groupSchema = 'urn:ietf:params:scim:schemas:core:2.0:Group';
const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
const patchOp = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';
const bulkRequest = 'urn:ietf:params:scim:api:messages:2.0:BulkRequest';
const bulkResponse = 'urn:ietf:params:scim:api:messages:2.0:BulkResponse';
const errorSchema = 'urn:ietf:params:scim:api:messages:2.0:Error';

let directory: RecordingDirectory;
let service: RunningService;
let token: string;
const id = uuidv7();

beforeAll(async () => {
  directory = await startRecordingDirectory();
  service = await startService({ directoryUrl: directory.url, limits: { bodyLimit: 1_000_000 } });
  token = (await service.connector({ name: 'HR' })).token;
});
afterAll(async () => {
  await service?.close();
  await directory?.close();
});
beforeEach(() => {
  directory.clear();
  service.authorization.state.down = false;
  service.authorization.staged.length = 0;
});

const user = (userName: string, more: object = {}) => ({ schemas: [userSchema], userName, ...more });
const group = (displayName: string, ...members: string[]) => ({
  schemas: [groupSchema],
  displayName,
  members: members.map((value) => ({ value })),
});
const post = (bulkId: string, data: object) => ({
  method: 'POST',
  path: 'userName' in data ? '/Users' : '/Groups',
  bulkId,
  data,
});
const patch = (path: string, ...Operations: object[]) => ({
  method: 'PATCH',
  path,
  data: { schemas: [patchOp], Operations },
});
const bulk = (
  Operations: unknown,
  o: { failOnErrors?: unknown; headers?: Record<string, string>; query?: string; token?: string } = {},
): Promise<ScimResponse> =>
  service.scim('POST', `/Bulk${o.query ?? ''}`, {
    token: o.token ?? token,
    ...(o.headers ? { headers: o.headers } : {}),
    body: {
      schemas: [bulkRequest],
      Operations,
      ...(o.failOnErrors === undefined ? {} : { failOnErrors: o.failOnErrors }),
    },
  });
const statuses = (answer: ScimResponse) => answer.body.Operations.map((o: { status: string }) => o.status);
const refused = (status: number, scimType: string | undefined, detail = 'Refused.') => ({
  status,
  body: { schemas: [errorSchema], status: String(status), detail, ...(scimType ? { scimType } : {}) },
});
const made = () =>
  directory.commands.map(({ body }) => body?.resource?.userName ?? body?.resource?.displayName);

test('is announced with its limits', async () => {
  const { body } = await service.scim('GET', '/ServiceProviderConfig', { token });
  expect(body.bulk).toEqual({ supported: true, maxOperations: 1000, maxPayloadSize: 1_000_000 });
});

describe('operations', () => {
  test('of all methods, with status, location, version and bulkId; resources only for those who ask', async () => {
    const operations = [
      post('ada', user('ada')),
      { method: 'put', path: `/Users/${id}`, data: user('bob'), version: 'W/"3"' },
      patch(`/Groups/${id}`, { op: 'Add', path: 'members', value: [{ value: uuidv7() }] }),
      { method: 'DELETE', path: `/Groups/${id}`, version: 'W/"1", W/"2"' },
    ];
    const answer = await bulk(operations);
    expect(answer.status).toBe(200);
    const created = directory.commands.find(({ method }) => method === 'POST')?.body.id;
    expect(answer.body).toEqual({
      schemas: [bulkResponse],
      Operations: [
        {
          method: 'POST',
          bulkId: 'ada',
          location: `${base}/Users/${created}`,
          version: 'W/"1"',
          status: '201',
        },
        { method: 'put', location: `${base}/Users/${id}`, version: 'W/"1"', status: '200' },
        { method: 'PATCH', location: `${base}/Groups/${id}`, version: 'W/"1"', status: '200' },
        { method: 'DELETE', location: `${base}/Groups/${id}`, status: '204' },
      ],
    });
    expect(directory.commands.find(({ method }) => method === 'PUT')?.body.ifMatch).toEqual(['W/"3"']);
    const removal = directory.commands.find(({ method }) => method === 'DELETE');
    expect(removal?.body.ifMatch).toEqual(['W/"1"', 'W/"2"']);
    for (const { method, body } of directory.commands) {
      if (method !== 'DELETE') expect(body.attributes).toEqual(['id', 'meta']);
    }

    const whole = await bulk([post('ada', user('ada'))], { headers: { prefer: 'return=representation' } });
    expect(whole.body.Operations[0].response).toMatchObject({ userName: 'ada', meta: { version: 'W/"1"' } });
    const named = await bulk([post('ada', user('ada'))], { query: '?attributes=userName' });
    expect(named.body.Operations[0].response).toMatchObject({ userName: 'ada' });
    expect(named.body.Operations[0].response.meta).toBeUndefined();
  });

  test('that fail have their error, and the others are done all the same', async () => {
    directory.state.respond = async ({ body }) =>
      body?.resource?.userName === 'taken'
        ? refused(409, 'uniqueness', 'This userName is taken.')
        : undefined;
    const answer = await bulk([
      post('a', user('taken')),
      post('b', user('free')),
      { method: 'PATCH', path: `/Users/${id}`, data: { schemas: [patchOp], Operations: [] } },
      { method: 'DELETE', path: '/Users/42' },
    ]);
    expect(statuses(answer)).toEqual(['409', '201', '400', '404']);
    expect(answer.body.Operations[0]).toEqual({
      method: 'POST',
      bulkId: 'a',
      status: '409',
      response: {
        schemas: [errorSchema],
        status: '409',
        scimType: 'uniqueness',
        detail: 'This userName is taken.',
      },
    });
    expect(answer.body.Operations[2].location).toBe(`${base}/Users/${id}`);
  });

  test('go through the profile of the caller, like all requests', async () => {
    const { token: entra } = await service.connector({ name: 'Entra', profile: 'entra' });
    const answer = await bulk([patch(`/Users/${id}`, { op: 'Replace', path: 'active', value: 'False' })], {
      token: entra,
    });
    expect(statuses(answer)).toEqual(['200']);
    expect(directory.only().body.operations).toEqual([{ op: 'replace', path: 'active', value: false }]);
  });

  test('with passwords stage them, and nothing of them is left anywhere', async () => {
    const secret = 'bulkId:not a reference';
    const headers = { 'idempotency-key': uuidv7() };
    const answer = await bulk([post('a', user('ada', { password: secret }))], { headers });
    expect(statuses(answer)).toEqual(['201']);
    expect(service.authorization.staged).toMatchObject([{ password: secret, activated: true }]);
    expect(JSON.stringify([directory.commands, answer.body])).not.toContain(secret);
    const { rows } = await service.database.sql.query('SELECT outcome::text FROM provisioning.bulk_outcomes');
    expect(JSON.stringify(rows)).not.toContain(secret);
  });

  test('leave an entry in the log each', async () => {
    const { connector, token: own } = await service.connector({ name: 'Logged' });
    directory.state.respond = async ({ method }) => (method === 'PUT' ? refused(412, undefined) : undefined);
    await bulk([post('a', user('ada')), { method: 'PUT', path: `/Users/${id}`, data: user('bob') }], {
      token: own,
    });
    await service.app.logWriter.flush();
    const log = await readLog(service.database.sql, 'demo', { source: connector.id }, { limit: 10 });
    const entries = log.map((entry) => [entry.method, entry.resourceType, entry.status]);
    expect(entries).toHaveLength(3);
    expect(entries).toEqual(
      expect.arrayContaining([
        ['POST', 'User', 201],
        ['PUT', 'User', 412],
        ['POST', null, 200],
      ]),
    );
    expect(new Set(log.map(({ requestId }) => requestId)).size).toBe(1);
  });
});

describe('a path', () => {
  test.each([
    '/Users/../Groups',
    '/Users/..',
    '/Users/.',
    '/Users/%2e%2e/Groups',
    '/Users/..%2f..%2frival',
    `https://id.example.test/t/rival/scim/v2/Users/${id}`,
    `//evil.example/Users/${id}`,
    `/t/rival/scim/v2/Users/${id}`,
    `/../../rival/scim/v2/Users/${id}`,
    `/Users/${id}?attributes=userName`,
    `/Users/${id}#x`,
    `/Users/${id}/`,
    `/Users/${id}/..`,
    `/Users\\${id}`,
    `/users/${id}`,
    `Users/${id}`,
    ` /Users/${id}`,
    '/Users/a b',
    '/Users/\u0001',
    '/Users/\uff0e\uff0e',
    `/Users/${'x'.repeat(500)}`,
    '/Users',
    '/Me',
    '/Bulk',
    '/.search',
    '/Schemas/urn:ietf:params:scim:schemas:core:2.0:User',
    '/ServiceProviderConfig',
    '/internal/v1/tenants',
    '/__proto__/constructor',
    '',
    null,
    7,
    ['/Users'],
    { toString: '/Users' },
  ])('%p is refused for one resource, with 400 for its operation', async (path) => {
    const answer = await bulk([{ method: 'DELETE', path }, post('a', user('ada'))]);
    expect(statuses(answer)).toEqual(['400', '201']);
    expect(answer.body.Operations[0]).toMatchObject({
      method: 'DELETE',
      response: { scimType: 'invalidPath' },
    });
    expect(answer.body.Operations[0].location).toBeUndefined();
    expect(directory.only().method).toBe('POST');
  });

  test.each(['/Users/', `/Users/${id}`, '/Users?x=1', '/Groups/.search', '/Users/.search', '/Me'])(
    '%p is refused for a POST',
    async (path) => {
      const answer = await bulk([{ method: 'POST', bulkId: 'a', path, data: user('ada') }]);
      expect(statuses(answer)).toEqual(['400']);
      expect(directory.commands).toHaveLength(0);
    },
  );

  test('with an id that can not be one is 404, as everywhere', async () => {
    const answer = await bulk(
      ['42', 'hr-1', id.toUpperCase()].map((it) => ({ method: 'DELETE', path: `/Users/${it}` })),
    );
    expect(statuses(answer)).toEqual(['404', '404', '404']);
    expect(directory.commands).toHaveLength(0);
  });
});

describe('an operation', () => {
  test.each([
    ['no object', 'DELETE', 'invalidSyntax'],
    ['null', null, 'invalidSyntax'],
    ['no method', { path: `/Users/${id}` }, 'invalidValue'],
    ['GET', { method: 'GET', path: `/Users/${id}` }, 'invalidValue'],
    ['a method that is an object', { method: {}, path: `/Users/${id}` }, 'invalidValue'],
    ['POST without bulkId', { method: 'POST', path: '/Users', data: { userName: 'a' } }, 'invalidValue'],
    ['a bulkId that is a number', { method: 'POST', path: '/Users', bulkId: 1, data: {} }, 'invalidValue'],
    ['an empty bulkId', { method: 'POST', path: '/Users', bulkId: '', data: {} }, 'invalidValue'],
    ['a long bulkId', { method: 'POST', path: '/Users', bulkId: 'x'.repeat(500), data: {} }, 'invalidValue'],
    ['POST without data', { method: 'POST', path: '/Users', bulkId: 'a' }, 'invalidSyntax'],
    ['data that is a text', { method: 'PUT', path: `/Users/${id}`, data: '{}' }, 'invalidSyntax'],
    ['a version that is a number', { method: 'DELETE', path: `/Users/${id}`, version: 1 }, 'invalidValue'],
    [
      'a PATCH without its schema',
      { method: 'PATCH', path: `/Users/${id}`, data: { Operations: [] } },
      'invalidSyntax',
    ],
  ])('that is %s is refused by itself', async (_what, operation, scimType) => {
    const answer = await bulk([operation]);
    expect(answer.status).toBe(200);
    expect(answer.body.Operations).toMatchObject([{ status: '400', response: { scimType } }]);
    expect(directory.commands).toHaveLength(0);
  });
});

describe('a Bulk', () => {
  test.each([
    ['an array', [], 400, 'invalidSyntax'],
    ['without schemas', { Operations: [] }, 400, 'invalidSyntax'],
    ['of another message', { schemas: [patchOp], Operations: [{}] }, 400, 'invalidSyntax'],
    ['without operations', { schemas: [bulkRequest] }, 400, 'invalidSyntax'],
    ['of no operations', { schemas: [bulkRequest], Operations: [] }, 400, 'invalidSyntax'],
    [
      'with failOnErrors 0',
      { schemas: [bulkRequest], failOnErrors: 0, Operations: [{}] },
      400,
      'invalidValue',
    ],
    [
      'with failOnErrors "1"',
      { schemas: [bulkRequest], failOnErrors: '1', Operations: [{}] },
      400,
      'invalidValue',
    ],
    [
      'with a bulkId twice',
      { schemas: [bulkRequest], Operations: [post('a', user('x')), post('a', user('y'))] },
      400,
      'invalidValue',
    ],
    ['of too many operations', { schemas: [bulkRequest], Operations: Array(1001).fill({}) }, 413, undefined],
  ])('%s is refused as a whole', async (_what, body, status, scimType) => {
    const answer = await service.scim('POST', '/Bulk', { token, body });
    expect([answer.status, answer.body.scimType]).toEqual([status, scimType]);
    expect(directory.commands).toHaveLength(0);
  });

  test('beyond maxPayloadSize is 413, and so is one beyond the limits of the connector', async () => {
    const large = await bulk([post('a', user('x'.repeat(1_100_000)))]);
    expect(large.status).toBe(413);
    const { connector, token: own } = await service.connector({ name: 'Small' });
    await service.database.sql.query('UPDATE provisioning.connectors SET limits = $1 WHERE id = $2', [
      { bulkOperations: 2, bulkPayloadBytes: 2000 },
      connector.id,
    ]);
    const announced = await service.scim('GET', '/ServiceProviderConfig', { token: own });
    expect(announced.body.bulk).toMatchObject({ maxOperations: 2, maxPayloadSize: 2000 });
    const few = [post('a', user('a')), post('b', user('b'))];
    expect((await bulk(few, { token: own })).status).toBe(200);
    const many = await bulk([...few, post('c', user('c'))], { token: own });
    expect([many.status, many.body.detail]).toEqual([413, expect.stringContaining('maxOperations is 2')]);
    const wide = await bulk([post('a', user('x'.repeat(3000)))], { token: own });
    expect([wide.status, wide.body.detail]).toEqual([413, expect.stringContaining('maxPayloadSize is 2000')]);
    expect(directory.commands).toHaveLength(2);
  });

  test('needs scim:write', async () => {
    const reader = await service.authorization.token({ subject: 'reader', scopes: ['scim:read'] });
    expect((await bulk([post('a', user('a'))], { token: reader })).status).toBe(403);
    expect(directory.commands).toHaveLength(0);
  });

  test('stops at failOnErrors, and says nothing of what it did not come to', async () => {
    directory.state.respond = async ({ body }) =>
      body?.resource?.userName?.startsWith('bad') ? refused(400, 'invalidValue') : undefined;
    const operations = ['good', 'bad-1', 'fine', 'bad-2', 'never'].map((name) => post(name, user(name)));
    const two = await bulk(operations, { failOnErrors: 2 });
    expect(statuses(two)).toEqual(['201', '400', '201', '400']);
    expect(made()).toEqual(['good', 'bad-1', 'fine', 'bad-2']);
    const all = await bulk(operations, { failOnErrors: 3 });
    expect(statuses(all)).toEqual(['201', '400', '201', '400', '201']);
  });

  test('of 1000 creations does several at once and lets others through in between', async () => {
    let underWay = 0;
    let most = 0;
    let others = 0;
    directory.state.respond = async ({ method }) => {
      if (method === 'GET') {
        others += 1;
        return undefined;
      }
      underWay += 1;
      most = Math.max(most, underWay);
      await new Promise((resolve) => setImmediate(resolve));
      underWay -= 1;
      return undefined;
    };
    const operations = Array.from({ length: 1000 }, (_, i) => post(`u${i}`, user(`user-${i}`)));
    let over = false;
    const whole = bulk(operations).finally(() => {
      over = true;
    });
    while (!over) await service.scim('GET', `/Users/${id}`, { token });
    expect(new Set(statuses(await whole))).toEqual(new Set(['201']));
    expect(most).toBeGreaterThan(1);
    expect(most).toBeLessThanOrEqual(8);
    expect(others).toBeGreaterThan(10);
  }, 60_000);

  test('answers 503 for every operation when the directory is away, without asking for each', async () => {
    directory.state.respond = async () => ({ status: 503 });
    const operations = Array.from({ length: 200 }, (_, i) => post(`u${i}`, user(`user-${i}`)));
    const answer = await bulk(operations);
    expect(new Set(statuses(answer))).toEqual(new Set(['503']));
    expect(directory.commands.length).toBeLessThan(20);
    expect(JSON.stringify(answer.body)).not.toMatch(/directory/);
  });
});

describe('order', () => {
  test('creations take part in it when they have something to do with each other', async () => {
    directory.state.respond = async ({ body }) => {
      if (body?.resource?.displayName === 'first') await new Promise((resolve) => setTimeout(resolve, 30));
      return undefined;
    };
    await bulk([
      post('a', user('Same', { displayName: 'first' })),
      post('b', user('same', { displayName: 'second' })),
      post('c', user('other', { displayName: 'third' })),
    ]);
    const order = directory.commands.map(({ body }) => body.resource.displayName);
    expect(order.indexOf('first')).toBeLessThan(order.indexOf('second'));
    expect(order.indexOf('third')).toBeLessThan(order.indexOf('second'));
  });

  test('a userName that is given away can be taken', async () => {
    const finished: string[] = [];
    directory.state.respond = async ({ method, body }) => {
      if (method === 'DELETE') await new Promise((resolve) => setTimeout(resolve, 20));
      finished.push(`${method} ${body?.resource?.userName ?? ''}`.trim());
      return undefined;
    };
    await bulk([{ method: 'DELETE', path: `/Users/${id}` }, post('a', user('ada'))]);
    expect(finished).toEqual(['DELETE', 'POST ada']);
  });

  test('changes of one resource keep it, those of different ones do not wait', async () => {
    const finished: string[] = [];
    const other = uuidv7();
    directory.state.respond = async ({ body, path }) => {
      const value = body.operations[0].value;
      if (value === 'one') await new Promise((resolve) => setTimeout(resolve, 30));
      finished.push(`${path.endsWith(id) ? 'id' : 'other'} ${value}`);
      return undefined;
    };
    const set = (of: string, value: string) => patch(`/Users/${of}`, { op: 'replace', path: 'title', value });
    await bulk([set(id, 'one'), set(id, 'two'), set(other, 'three')]);
    expect(finished).toEqual(['other three', 'id one', 'id two']);
  });
});

describe('references', () => {
  const idOf = (answer: ScimResponse, bulkId: string) =>
    answer.body.Operations.find((o: { bulkId: string }) => o.bulkId === bulkId)
      .location.split('/')
      .at(-1);

  test('backwards, in values, paths and filters', async () => {
    const answer = await bulk([
      post('ada', user('ada')),
      post('staff', group('Staff', 'bulkId:ada')),
      patch('/Groups/bulkId:staff', { op: 'remove', path: 'members[value eq "bulkId:ada"]' }),
      patch(`/Users/${id}`, { op: 'add', path: `${enterprise}:manager`, value: 'bulkId:ada' }),
      { method: 'DELETE', path: '/Users/bulkId:ada' },
    ]);
    expect(statuses(answer)).toEqual(['201', '201', '200', '200', '204']);
    const [ada, staff] = [idOf(answer, 'ada'), idOf(answer, 'staff')];
    const [, grouped, ...rest] = directory.commands;
    expect(grouped?.body.resource.members).toEqual([{ value: ada }]);
    const removal = rest.find(({ path }) => path.endsWith(staff));
    expect(removal?.body.operations).toEqual([{ op: 'remove', path: `members[value eq "${ada}"]` }]);
    const managed = rest.find(({ path }) => path.endsWith(id));
    expect(JSON.stringify(managed?.body.operations)).toContain(ada);
    expect(directory.commands.at(-1)?.path.endsWith(ada)).toBe(true);
  });

  test('forwards: what is referred to is made first', async () => {
    const answer = await bulk([
      post('board', group('Board', 'bulkId:staff', 'bulkId:ada')),
      post('staff', group('Staff', 'bulkId:ada')),
      post('ada', user('ada', { [enterprise]: { manager: { value: 'bulkId:boss' } } })),
      post('boss', user('boss')),
    ]);
    expect(statuses(answer)).toEqual(['201', '201', '201', '201']);
    expect(made()).toEqual(['boss', 'ada', 'Staff', 'Board']);
    const [boss, ada, staff] = directory.commands.map(({ body }) => body.id);
    expect(directory.commands[1]?.body.resource[enterprise]).toEqual({ manager: { value: boss } });
    expect(directory.commands[3]?.body.resource.members).toEqual([{ value: staff }, { value: ada }]);
  });

  test('in a circle of managers: one is added when both exist', async () => {
    const managedBy = (bulkId: string) => ({
      [enterprise]: { employeeNumber: '7', manager: { value: `bulkId:${bulkId}` } },
    });
    const answer = await bulk(
      [post('ada', user('ada', managedBy('bob'))), post('bob', user('bob', managedBy('ada')))],
      { failOnErrors: 1 },
    );
    expect(answer.body.Operations).toMatchObject([
      { bulkId: 'ada', status: '201', version: 'W/"1"' },
      { bulkId: 'bob', status: '201', version: 'W/"1"' },
    ]);
    const [ada, bob] = [idOf(answer, 'ada'), idOf(answer, 'bob')];
    expect(
      directory.commands.map(({ method, body }) => [method, body.resource?.[enterprise] ?? body.operations]),
    ).toEqual([
      ['POST', { employeeNumber: '7' }],
      ['POST', { employeeNumber: '7', manager: { value: bob } }],
      ['PATCH', [{ op: 'add', path: `${enterprise}:manager`, value: { value: ada } }]],
    ]);
    expect(directory.commands[2]?.path).toBe(`/internal/v1/tenants/demo/Users/${bob}`);
  });

  test('of a user to itself, as its own manager', async () => {
    const answer = await bulk([
      post('ada', user('ada', { [enterprise]: { manager: { value: 'bulkId:ada' } } })),
    ]);
    expect(statuses(answer)).toEqual(['201']);
    expect(directory.commands[0]?.body.resource[enterprise]).toBeUndefined();
    expect(directory.commands[1]?.body.operations).toEqual([
      { op: 'add', path: `${enterprise}:manager`, value: { value: idOf(answer, 'ada') } },
    ]);
  });

  test('in a circle, where the second part fails, say that and where the resource is', async () => {
    const managedBy = (bulkId: string) => ({ [enterprise]: { manager: { value: `bulkId:${bulkId}` } } });
    directory.state.respond = async ({ body }) =>
      body.resource?.userName === 'ada' ? refused(409, 'uniqueness') : undefined;
    const answer = await bulk([
      post('ada', user('ada', managedBy('bob'))),
      post('bob', user('bob', managedBy('ada'))),
    ]);
    expect(answer.body.Operations).toMatchObject([
      { bulkId: 'ada', status: '409', response: { scimType: 'uniqueness' } },
      { bulkId: 'bob', status: '409', location: expect.stringContaining('/Users/') },
    ]);
    expect(answer.body.Operations[1].response.detail).toMatch(/created, but without .*"ada"/);
  });

  test('of groups in a circle are refused, each with the reason; the rest is done', async () => {
    const answer = await bulk([
      post('one', group('One', 'bulkId:two')),
      post('two', group('Two', 'bulkId:three')),
      post('three', group('Three', 'bulkId:one')),
      post('self', group('Self', 'bulkId:self')),
      post('outer', group('Outer', 'bulkId:one')),
      post('fine', group('Fine')),
    ]);
    expect(statuses(answer)).toEqual(['400', '400', '400', '400', '409', '201']);
    expect(answer.body.Operations[0].response).toMatchObject({
      scimType: 'invalidValue',
      detail: expect.stringMatching(/contain each other.*"one", "two", "three"/),
    });
    expect(answer.body.Operations[3].response.detail).toBe('A group can not be a member of itself.');
    expect(made()).toEqual(['Fine']);
  });

  test('to what failed are 409, to what nobody makes 400', async () => {
    directory.state.respond = async ({ body }) =>
      body?.resource?.userName === 'bad' ? refused(400, 'invalidValue') : undefined;
    const answer = await bulk([
      post('bad', user('bad')),
      post('worse', { schemas: [userSchema], userName: 7 as unknown as string }),
      post('staff', group('Staff', 'bulkId:bad')),
      patch('/Users/bulkId:bad', { op: 'add', path: 'title', value: 'x' }),
      post('lost', group('Lost', 'bulkId:nobody')),
      { method: 'DELETE', path: '/Users/bulkId:nobody' },
      { method: 'PUT', path: `/Users/${id}`, bulkId: 'put', data: user('x') },
      post('wrong', group('Wrong', 'bulkId:put')),
    ]);
    expect(statuses(answer).filter((_: string, i: number) => i !== 1)).toEqual([
      '400',
      '409',
      '409',
      '400',
      '400',
      '200',
      '400',
    ]);
    expect(answer.body.Operations[2].response.detail).toContain('"bad"');
  });

  test('are not what merely looks like one', async () => {
    await bulk([post('ada', user('ada', { displayName: 'bulkId:unknown' }))]);
    expect(directory.only().body.resource.displayName).toBe('bulkId:unknown');
  });

  test('in a chain of 1000, the last one first', async () => {
    const { token: own } = await service.connector({ name: 'Chain' });
    const operations = Array.from({ length: 1000 }, (_, i) =>
      post(
        `u${i}`,
        user(`user-${i}`, i < 999 ? { [enterprise]: { manager: { value: `bulkId:u${i + 1}` } } } : {}),
      ),
    );
    const answer = await bulk(operations, { token: own });
    expect(new Set(statuses(answer))).toEqual(new Set(['201']));
    expect(made()[0]).toBe('user-999');
    expect(made()[999]).toBe('user-0');
  }, 60_000);
});
