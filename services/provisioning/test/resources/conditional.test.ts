import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { uuidv7 } from '@ostiary/service';
import { type RecordingDirectory, startRecordingDirectory } from '../support/recording-directory.ts';
import { type RunningService, startService } from '../support/service.ts';

const userSchema = 'urn:ietf:params:scim:schemas:core:2.0:User';
const patchOp = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';

let directory: RecordingDirectory;
let service: RunningService;
let token: string;
const id = uuidv7();

beforeAll(async () => {
  directory = await startRecordingDirectory();
  service = await startService({ directoryUrl: directory.url });
  token = (await service.connector({ name: 'HR' })).token;
});
afterAll(async () => {
  await service?.close();
  await directory?.close();
});
beforeEach(() => directory.clear());

const put = { schemas: [userSchema], userName: 'ada' };
const patch = { schemas: [patchOp], Operations: [{ op: 'add', path: 'title', value: 'x' }] };
const changes = [
  ['PUT', put],
  ['PATCH', patch],
  ['DELETE', undefined],
] as const;
const send = (method: string, headers: Record<string, string>, body?: unknown) =>
  service.scim(method, `/Users/${id}`, { token, headers, ...(body === undefined ? {} : { body }) });

describe('If-Match', () => {
  test.each(['W/"2"', '"2"', 'W/"0", W/"3"', 'nonsense', '""'])(
    'If-Match: %s on a read of another version is answered with 412.',
    async (tag) => {
      expect((await send('GET', { 'if-match': tag })).status).toBe(412);
      expect((await send('HEAD', { 'if-match': tag })).status).toBe(412);
    },
  );

  test.each(['W/"1"', '"1"', '*', 'W/"0", W/"1"'])(
    'If-Match: %s on a read of the current version is answered with 200.',
    async (tag) => {
      expect((await send('GET', { 'if-match': tag })).status).toBe(200);
    },
  );

  test.each([
    ['W/"3"', ['W/"3"']],
    ['"3"', ['"3"']],
    ['*', ['*']],
    ['W/"3", "a,b" ,W/"5"', ['W/"3"', '"a,b"', 'W/"5"']],
    ['nonsense', []],
  ])(
    'If-Match: %s is passed with every change to the directory, where the version is known.',
    async (header, tags) => {
      for (const [method, body] of changes) {
        directory.clear();
        await send(method, { 'if-match': header }, body);
        expect(directory.only().body.ifMatch).toEqual(tags);
      }
    },
  );
});

describe('If-None-Match', () => {
  test.each(['W/"1"', '"1"', '*', 'W/"7", "1"'])(
    'If-None-Match: %s on a read gives 304 with ETag, also for HEAD.',
    async (tag) => {
      for (const method of ['GET', 'HEAD']) {
        const answer = await send(method, { 'if-none-match': tag });
        expect([answer.status, answer.headers.get('etag'), answer.body]).toEqual([304, 'W/"1"', undefined]);
      }
    },
  );

  test.each(changes)(
    'If-None-Match on %s of the named version is answered with 412, and nothing is changed.',
    async (method, body) => {
      for (const tag of ['*', 'W/"1"', '"0", "1"']) {
        directory.clear();
        expect((await send(method, { 'if-none-match': tag }, body)).status).toBe(412);
        expect(directory.commands.map((command) => command.method)).toEqual(['GET']);
      }
    },
  );

  test.each(changes)(
    'If-None-Match on %s of another version applies until the change is committed.',
    async (method, body) => {
      await send(method, { 'if-none-match': 'W/"7"' }, body);
      expect(directory.commands[1]).toMatchObject({ method, body: { ifMatch: ['W/"1"'] } });
    },
  );

  test('If-None-Match together with If-Match requires both conditions.', async () => {
    expect((await send('PUT', { 'if-none-match': 'W/"7"', 'if-match': 'W/"2"' }, put)).status).toBe(412);
    expect((await send('PUT', { 'if-none-match': 'W/"7"', 'if-match': 'W/"1"' }, put)).status).toBe(200);
  });

  test('If-None-Match on a change of a resource that does not exist is answered with 404.', async () => {
    const answer = await service.scim('DELETE', '/Users/42', { token, headers: { 'if-none-match': '*' } });
    expect(answer.status).toBe(404);
  });
});

describe('Accept', () => {
  const scim = 'application/scim+json; charset=utf-8';
  const json = 'application/json; charset=utf-8';
  test.each([
    [undefined, scim],
    ['*/*', scim],
    ['application/*', scim],
    ['application/scim+json', scim],
    ['application/json', json],
    ['APPLICATION/JSON', json],
    ['application/json; charset=utf-8', json],
    ['application/json, application/scim+json', scim],
    ['application/json;q=0.9, application/scim+json;q=0.8', json],
    ['application/json;q=0.5, application/scim+json', scim],
    ['application/json, */*', scim],
    ['application/json, */*;q=0.1', json],
    ['application/scim+json;q=0, */*', json],
    ['application/scim+json;q=0, application/json;q=0.001', json],
    ['application/json;q=0', scim],
    ['text/html', scim],
    ['', scim],
    [';;;,,,q=', scim],
    ['application/json;q=abc', json],
  ])('Accept: %p is answered with %s.', async (accept, expected) => {
    const headers: Record<string, string> = accept === undefined ? {} : { accept };
    expect((await send('GET', headers)).headers.get('content-type')).toBe(expected);
    const failed = await service.scim('GET', '/Users/42', { token, headers });
    expect([failed.status, failed.headers.get('content-type')]).toEqual([404, expected]);
  });
});

describe('Content-Type', () => {
  test.each([
    'text/plain',
    'text/html',
    'application/xml',
    'application/jsonx',
    'multipart/form-data; boundary=x',
    'application/x-www-form-urlencoded',
    'application/json; charset=iso-8859-1',
    'nonsense',
  ])(
    'Content-Type: %s is rejected with 415 on every write, with the types to send instead.',
    async (type) => {
      for (const [method, path, body] of [
        ['POST', '/Users', put],
        ['PUT', `/Users/${id}`, put],
        ['PATCH', `/Users/${id}`, patch],
        ['POST', '/Users/.search', {}],
        ['POST', '/.search', {}],
        ['POST', '/Bulk', {}],
      ] as const) {
        const answer = await service.scim(method, path, { token, headers: { 'content-type': type }, body });
        expect([answer.status, answer.body.detail]).toEqual([415, expect.stringMatching(/scim\+json|UTF-8/)]);
      }
      expect(directory.commands).toHaveLength(0);
    },
  );
});

describe('attributes and excludedAttributes', () => {
  test('The parameters attributes and excludedAttributes shape the answer of every operation.', async () => {
    for (const [method, path, body] of [
      ['POST', '/Users', put],
      ['PUT', `/Users/${id}`, put],
      ['PATCH', `/Users/${id}`, patch],
      ['GET', `/Users/${id}`, undefined],
      ['GET', '/Users', undefined],
    ] as const) {
      directory.clear();
      await service.scim(method, `${path}?attributes=userName`, { token, ...(body ? { body } : {}) });
      const { query, body: sent } = directory.only();
      expect(query.attributes?.split(',') ?? sent.attributes).toEqual(['userName', 'meta']);
      directory.clear();
      await service.scim(method, `${path}?excludedAttributes=emails,meta`, {
        token,
        ...(body ? { body } : {}),
      });
      const excluded = directory.only();
      expect(excluded.query.excludedAttributes?.split(',') ?? excluded.body.excludedAttributes).toEqual([
        'emails',
      ]);
    }
  });

  test.each([
    'attributes=userName&excludedAttributes=emails',
    'attributes=a%20b',
    'excludedAttributes=__proto__.x.y',
  ])('The query %s is rejected before anything is written.', async (query) => {
    for (const [method, path, body] of [
      ['POST', '/Users', put],
      ['PUT', `/Users/${id}`, put],
      ['PATCH', `/Users/${id}`, patch],
      ['GET', `/Users/${id}`, undefined],
    ] as const) {
      const answer = await service.scim(method, `${path}?${query}`, { token, ...(body ? { body } : {}) });
      expect([answer.status, answer.body.scimType]).toEqual([400, 'invalidValue']);
    }
    expect(directory.commands).toHaveLength(0);
  });
});
