import { describe, expect, test } from '@jest/globals';
import { uuidv7 } from '@ostiary/service';
import { readLog } from '../../src/provisioning-log/log.data.ts';
import {
  base,
  bulkClient,
  bulkRequest,
  bulkResponse,
  errorSchema,
  id,
  patch,
  patchOp,
  post,
  refused,
  statuses,
  user,
} from '../support/bulk-client.ts';

const client = bulkClient();
const { bulk, made } = client;

test('Bulk is announced with its limits.', async () => {
  const { body } = await client.service.scim('GET', '/ServiceProviderConfig', { token: client.token });
  expect(body.bulk).toEqual({ supported: true, maxOperations: 1000, maxPayloadSize: 1_000_000 });
});

describe('operations', () => {
  test('Operations of all methods return status, location, version and bulkId, and resources only on request.', async () => {
    const operations = [
      post('ada', user('ada')),
      { method: 'put', path: `/Users/${id}`, data: user('bob'), version: 'W/"3"' },
      patch(`/Groups/${id}`, { op: 'Add', path: 'members', value: [{ value: uuidv7() }] }),
      { method: 'DELETE', path: `/Groups/${id}`, version: 'W/"1", W/"2"' },
    ];
    const answer = await bulk(operations);
    expect(answer.status).toBe(200);
    const created = client.directory.commands.find(({ method }) => method === 'POST')?.body.id;
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
    expect(client.directory.commands.find(({ method }) => method === 'PUT')?.body.ifMatch).toEqual(['W/"3"']);
    const removal = client.directory.commands.find(({ method }) => method === 'DELETE');
    expect(removal?.body.ifMatch).toEqual(['W/"1"', 'W/"2"']);
    for (const { method, body } of client.directory.commands) {
      if (method !== 'DELETE') expect(body.attributes).toEqual(['id', 'meta']);
    }

    const whole = await bulk([post('ada', user('ada'))], { headers: { prefer: 'return=representation' } });
    expect(whole.body.Operations[0].response).toMatchObject({ userName: 'ada', meta: { version: 'W/"1"' } });
    const named = await bulk([post('ada', user('ada'))], { query: '?attributes=userName' });
    expect(named.body.Operations[0].response).toMatchObject({ userName: 'ada' });
    expect(named.body.Operations[0].response.meta).toBeUndefined();
  });

  test('A failed operation returns its error, and the other operations are still carried out.', async () => {
    client.directory.state.respond = async ({ body }) =>
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

  test('Operations are read with the profile of the caller, like all requests.', async () => {
    const { token: entra } = await client.service.connector({ name: 'Entra', profile: 'entra' });
    const answer = await bulk([patch(`/Users/${id}`, { op: 'Replace', path: 'active', value: 'False' })], {
      token: entra,
    });
    expect(statuses(answer)).toEqual(['200']);
    expect(client.directory.only().body.operations).toEqual([
      { op: 'replace', path: 'active', value: false },
    ]);
  });

  test('Operations with passwords stage them, and no copy of a password remains anywhere.', async () => {
    const secret = 'bulkId:not a reference';
    const headers = { 'idempotency-key': uuidv7() };
    const answer = await bulk([post('a', user('ada', { password: secret }))], { headers });
    expect(statuses(answer)).toEqual(['201']);
    expect(client.service.authorization.staged).toMatchObject([{ password: secret, activated: true }]);
    expect(JSON.stringify([client.directory.commands, answer.body])).not.toContain(secret);
    const { rows } = await client.service.database.sql.query(
      'SELECT outcome::text FROM provisioning.bulk_outcomes',
    );
    expect(JSON.stringify(rows)).not.toContain(secret);
  });

  test('Each operation writes one entry to the log.', async () => {
    const { connector, token: own } = await client.service.connector({ name: 'Logged' });
    client.directory.state.respond = async ({ method }) =>
      method === 'PUT' ? refused(412, undefined) : undefined;
    await bulk([post('a', user('ada')), { method: 'PUT', path: `/Users/${id}`, data: user('bob') }], {
      token: own,
    });
    await client.service.app.logWriter.flush();
    const log = await readLog(
      client.service.database.sql,
      'demo',
      { source: connector.id },
      { limit: 10, direction: 'forward' },
    );
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
  ])(
    'A Bulk request that is not valid (%s) is rejected as a whole.',
    async (_what, body, status, scimType) => {
      const answer = await client.service.scim('POST', '/Bulk', { token: client.token, body });
      expect([answer.status, answer.body.scimType]).toEqual([status, scimType]);
      expect(client.directory.commands).toHaveLength(0);
    },
  );

  test('A Bulk beyond maxPayloadSize or beyond the limits of the connector is rejected with 413.', async () => {
    const large = await bulk([post('a', user('x'.repeat(1_100_000)))]);
    expect(large.status).toBe(413);
    const { connector, token: own } = await client.service.connector({ name: 'Small' });
    await client.service.database.sql.query('UPDATE provisioning.connectors SET limits = $1 WHERE id = $2', [
      { bulkOperations: 2, bulkPayloadBytes: 2000 },
      connector.id,
    ]);
    const announced = await client.service.scim('GET', '/ServiceProviderConfig', { token: own });
    expect(announced.body.bulk).toMatchObject({ maxOperations: 2, maxPayloadSize: 2000 });
    const few = [post('a', user('a')), post('b', user('b'))];
    expect((await bulk(few, { token: own })).status).toBe(200);
    const many = await bulk([...few, post('c', user('c'))], { token: own });
    expect([many.status, many.body.detail]).toEqual([413, expect.stringContaining('maxOperations is 2')]);
    const wide = await bulk([post('a', user('x'.repeat(3000)))], { token: own });
    expect([wide.status, wide.body.detail]).toEqual([413, expect.stringContaining('maxPayloadSize is 2000')]);
    expect(client.directory.commands).toHaveLength(2);
  });

  test('A Bulk requires the scope scim:write.', async () => {
    const reader = await client.service.authorization.token({ subject: 'reader', scopes: ['scim:read'] });
    expect((await bulk([post('a', user('a'))], { token: reader })).status).toBe(403);
    expect(client.directory.commands).toHaveLength(0);
  });

  test('A Bulk stops at failOnErrors and reports nothing about the operations that it did not reach.', async () => {
    client.directory.state.respond = async ({ body }) =>
      body?.resource?.userName?.startsWith('bad') ? refused(400, 'invalidValue') : undefined;
    const operations = ['good', 'bad-1', 'fine', 'bad-2', 'never'].map((name) => post(name, user(name)));
    const two = await bulk(operations, { failOnErrors: 2 });
    expect(statuses(two)).toEqual(['201', '400', '201', '400']);
    expect(made()).toEqual(['good', 'bad-1', 'fine', 'bad-2']);
    const all = await bulk(operations, { failOnErrors: 3 });
    expect(statuses(all)).toEqual(['201', '400', '201', '400', '201']);
  });

  test('A Bulk of 1000 creations runs several concurrently and lets other requests through in between.', async () => {
    let underWay = 0;
    let most = 0;
    let others = 0;
    client.directory.state.respond = async ({ method }) => {
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
    while (!over) await client.service.scim('GET', `/Users/${id}`, { token: client.token });
    expect(new Set(statuses(await whole))).toEqual(new Set(['201']));
    expect(most).toBeGreaterThan(1);
    expect(most).toBeLessThanOrEqual(8);
    expect(others).toBeGreaterThan(10);
  });

  test('A Bulk returns 503 for every operation while the directory is unavailable, without calling it for each.', async () => {
    client.directory.state.respond = async () => ({ status: 503 });
    const operations = Array.from({ length: 200 }, (_, i) => post(`u${i}`, user(`user-${i}`)));
    const answer = await bulk(operations);
    expect(new Set(statuses(answer))).toEqual(new Set(['503']));
    expect(client.directory.commands.length).toBeLessThan(20);
    expect(JSON.stringify(answer.body)).not.toMatch(/directory/);
  });
});
