import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { uuidv7 } from '@ostiary/service';
import { between, page } from '../support/directory-pages.ts';
import { type RecordingDirectory, startRecordingDirectory } from '../support/recording-directory.ts';
import { type RunningService, type ScimResponse, startService } from '../support/service.ts';

const searchRequest = 'urn:ietf:params:scim:api:messages:2.0:SearchRequest';

let directory: RecordingDirectory;
let service: RunningService;
let twin: RunningService;
let token: string;
let now = Date.now();
const tokenKey = randomBytes(32);

beforeAll(async () => {
  directory = await startRecordingDirectory();
  const common = { directoryUrl: directory.url, tokenKey, clock: () => now, limits: { cursorSeconds: 60 } };
  service = await startService(common);
  const { authorization, prefix, databaseUrl: database } = service;
  twin = await startService({ ...common, authorization, prefix, database });
  token = (await service.connector({ name: 'HR' })).token;
});
afterAll(async () => {
  await twin?.close();
  await service?.close();
  await directory?.close();
});
beforeEach(() => {
  directory.clear();
  now = Date.now();
});

const list = (
  query: string,
  o: { at?: RunningService; token?: string; type?: string; tenant?: string } = {},
) =>
  (o.at ?? service).scim('GET', `/${o.type ?? 'Users'}?${query}`, {
    token: o.token ?? token,
    ...(o.tenant ? { tenant: o.tenant } : {}),
  });
const refusal = ({ status, body }: ScimResponse) => [status, body.scimType];

async function firstCursor(query: string, key: unknown = 'ada'): Promise<string> {
  directory.answers.push(page({ key, id: uuidv7() }, 'u1'));
  const { body } = await list(`${query}${query ? '&' : ''}cursor`);
  expect(body.nextCursor).toEqual(expect.any(String));
  directory.clear();
  return body.nextCursor;
}

test('Cursor pagination is announced.', async () => {
  const { body } = await service.scim('GET', '/ServiceProviderConfig', { token });
  expect(body.pagination).toEqual({
    cursor: true,
    index: true,
    defaultPaginationMethod: 'cursor',
    defaultPageSize: 100,
    maxPageSize: 1000,
    cursorTimeout: 60,
  });
});

describe('a walk', () => {
  test('A walk goes from page to page, through any process, until there is no next cursor.', async () => {
    const positions = ['b', 'd'].map((key) => ({ key, id: uuidv7() }));
    directory.answers.push(page(positions[0], 'a', 'b'), page(positions[1], 'c', 'd'), page(undefined, 'e'));
    const query = 'sortBy=userName&filter=active%20eq%20true&count=2';
    const first = await list(`${query}&cursor=`);
    expect(Object.keys(first.body).sort()).toEqual([
      'Resources',
      'itemsPerPage',
      'nextCursor',
      'schemas',
      'totalResults',
    ]);
    expect(first.body.nextCursor).toMatch(/^[A-Za-z0-9._~-]+$/);
    const second = await list(`${query}&cursor=${first.body.nextCursor}`, { at: twin });
    const third = await list(`${query}&cursor=${second.body.nextCursor}`);
    expect(third.body.nextCursor).toBeUndefined();
    const ids = [first, second, third].flatMap(({ body }) => body.Resources.map((r: { id: string }) => r.id));
    expect(ids).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect(
      directory.commands.map(({ body }) => [body.paging, body.count, body.startIndex, body.after]),
    ).toEqual([
      ['cursor', 2, undefined, undefined],
      ['cursor', 2, undefined, positions[0]],
      ['cursor', 2, undefined, positions[1]],
    ]);
  });

  test('A walk can be made by POST, with the cursor in the body.', async () => {
    const after = { id: uuidv7() };
    directory.answers.push(page(after, 'a'), page(undefined, 'b'));
    const search = (cursor: string) =>
      service.scim('POST', '/Groups/.search', {
        token,
        body: { schemas: [searchRequest], cursor, count: 1 },
      });
    const first = await search('');
    const second = await search(first.body.nextCursor);
    expect(second.body.Resources).toHaveLength(1);
    expect(directory.commands[1]?.body).toMatchObject({ paging: 'cursor', after });
  });

  test('A walk has no total where the directory cannot determine it.', async () => {
    directory.answers.push({
      status: 200,
      body: { Resources: [{ id: 'a', meta: {} }], next: { id: uuidv7() } },
    });
    const { body } = await list('cursor');
    expect(body.totalResults).toBeUndefined();
    directory.answers.push({ status: 200, body: { Resources: [{ id: 'a', meta: {} }] } });
    expect((await list('cursor')).body).toMatchObject({ totalResults: 1, itemsPerPage: 1 });
  });

  test('A walk begun without paging parameters can continue by cursor or by index.', async () => {
    directory.answers.push(page({ id: uuidv7() }, 'a'));
    const { body } = await list('count=1');
    expect(body).toMatchObject({
      totalResults: 3,
      startIndex: 1,
      itemsPerPage: 1,
      nextCursor: expect.any(String),
    });
    directory.answers.push(page(undefined, 'b'), page(undefined, 'b'));
    expect((await list(`count=1&cursor=${body.nextCursor}`)).body.startIndex).toBeUndefined();
    const indexed = await list('count=1&startIndex=2');
    expect(indexed.body).toMatchObject({ startIndex: 2 });
    expect(indexed.body.nextCursor).toBeUndefined();
  });

  test('A walk with a count of zero only counts.', async () => {
    directory.answers.push(page({ id: uuidv7() }));
    const { body } = await list('cursor&count=0');
    expect(body).toMatchObject({ totalResults: 3, itemsPerPage: 0, Resources: [] });
    expect(body.nextCursor).toBeUndefined();
  });
});

describe('a cursor', () => {
  test('A cursor reveals nothing of the position it stands for.', async () => {
    const cursor = await firstCursor('sortBy=userName', 'very-secret-name');
    expect(Buffer.from(cursor, 'base64url').toString('latin1')).not.toContain('secret');
  });

  test('A cursor that is modified at any place is rejected as invalidCursor.', async () => {
    const cursor = await firstCursor('');
    const bytes = Buffer.from(cursor, 'base64url');
    for (let i = 0; i < bytes.length; i += 5) {
      const forged = Buffer.from(bytes);
      forged[i] = (forged[i] as number) ^ 1;
      expect(refusal(await list(`cursor=${forged.toString('base64url')}`))).toEqual([400, 'invalidCursor']);
    }
    for (const forged of [
      cursor.slice(0, -4),
      `${cursor}AAAA`,
      `${cursor}=`,
      `${cursor.slice(0, -1)}${cursor.endsWith('A') ? 'B' : 'A'}x`,
      'x',
      '0',
      '%00',
      '__proto__',
      'x'.repeat(5000),
      'eyJpZCI6IjEifQ',
      "';DROP%20TABLE%20users;--",
    ]) {
      expect(refusal(await list(`cursor=${forged}`))).toEqual([400, 'invalidCursor']);
    }
    expect(directory.commands).toHaveLength(0);
  });

  test('A cursor is bound to filter, order, type, endpoint, caller and tenant.', async () => {
    const query = 'filter=active%20eq%20true&sortBy=userName';
    const cursor = await firstCursor(query);
    const other = await service.connector({ name: 'Other' });
    const rival = await service.connector({ name: 'Rival', tenant: 'rival' });
    const answers = [
      await list(`filter=active%20eq%20false&sortBy=userName&cursor=${cursor}`),
      await list(`sortBy=userName&cursor=${cursor}`),
      await list(`filter=active%20eq%20true&cursor=${cursor}`),
      await list(`${query}&sortOrder=descending&cursor=${cursor}`),
      await list(`${query}&cursor=${cursor}`, { type: 'Groups' }),
      await list(`${query}&cursor=${cursor}`, { token: other.token }),
      await list(`${query}&cursor=${cursor}`, { token: rival.token, tenant: 'rival' }),
      await service.scim('POST', '/.search', {
        token,
        body: { schemas: [searchRequest], filter: 'active eq true', sortBy: 'userName', cursor },
      }),
    ];
    expect(answers.map(refusal)).toEqual(answers.map(() => [400, 'invalidCursor']));
    expect(directory.commands).toHaveLength(0);
    expect((await list(`${query}&cursor=${cursor}&attributes=userName`)).status).toBe(200);
  });

  test('A cursor of one OAuth client is rejected for another client.', async () => {
    const [one, two] = await Promise.all(
      ['c1', 'c2'].map((subject) => service.authorization.token({ subject, scopes: ['scim:read'] })),
    );
    directory.answers.push(page({ id: uuidv7() }, 'a'));
    const { body } = await list('cursor', { token: one as string });
    expect(refusal(await list(`cursor=${body.nextCursor}`, { token: two as string }))).toEqual([
      400,
      'invalidCursor',
    ]);
    expect((await list(`cursor=${body.nextCursor}`, { token: one as string })).status).toBe(200);
  });

  test('A cursor expires, and the error states that it has expired.', async () => {
    const cursor = await firstCursor('');
    now += 59_000;
    expect((await list(`cursor=${cursor}`)).status).toBe(200);
    now += 3_000;
    const late = await list(`cursor=${cursor}`);
    expect(refusal(late)).toEqual([400, 'expiredCursor']);
    expect(late.body.detail).toContain('60 seconds');
  });

  test('A cursor of a service with another key is rejected.', async () => {
    const cursor = await firstCursor('');
    const stranger = await startService({
      directoryUrl: directory.url,
      authorization: service.authorization,
      prefix: service.prefix,
    });
    try {
      const { token: theirs } = await stranger.connector();
      expect(refusal(await list(`cursor=${cursor}`, { at: stranger, token: theirs }))).toEqual([
        400,
        'invalidCursor',
      ]);
    } finally {
      await stranger.close();
    }
  });

  test('A cursor requires the count it was made with; a different or malformed count is rejected as invalidCount.', async () => {
    const cursor = await firstCursor('count=2');
    for (const query of ['count=3', 'count=0', 'x=1', 'count=two', 'count=1.5', 'count=']) {
      expect(refusal(await list(`${query}&cursor=${cursor}`))).toEqual([400, 'invalidCount']);
    }
    expect(refusal(await list('count=ten&cursor='))).toEqual([400, 'invalidCount']);
    expect((await list(`count=2&cursor=${cursor}`)).status).toBe(200);
  });

  test('A cursor cannot be combined with startIndex.', async () => {
    expect(refusal(await list('cursor&startIndex=1'))).toEqual([400, 'invalidValue']);
    expect(refusal(await list('cursor=a&cursor=b'))).toEqual([400, 'invalidValue']);
  });

  test.each([7, null, {}, ['a'], true])('A cursor in a body must be a string and not %p.', async (cursor) => {
    const answer = await service.scim('POST', '/Users/.search', {
      token,
      body: { schemas: [searchRequest], cursor },
    });
    expect(answer.status).toBe(cursor === null ? 200 : 400);
  });
});

test('A page size above the limit of the connector is reduced to that limit.', async () => {
  const { connector, token: own } = await service.connector({ name: 'Small pages' });
  await service.database.sql.query('UPDATE provisioning.connectors SET limits = $1 WHERE id = $2', [
    { pageSize: 7 },
    connector.id,
  ]);
  await list('cursor&count=500', { token: own });
  expect(directory.only().body.count).toBe(7);
});

describe('previousCursor', () => {
  const at = (key: string) => ({ key, id: uuidv7() });
  const query = 'sortBy=userName&count=2';

  test('A previousCursor leads back from page to page, through any process, until there is none.', async () => {
    const [b, c, d] = [at('b'), at('c'), at('d')];
    directory.answers.push(
      page(b, 'a', 'b'),
      between(c, d, 'c', 'd'),
      between(undefined, b, 'a', 'b'),
      between(c, d, 'c', 'd'),
    );
    const first = await list(`${query}&cursor=`);
    expect(first.body).not.toHaveProperty('previousCursor');
    const second = await list(`${query}&cursor=${first.body.nextCursor}`);
    const back = await list(`${query}&cursor=${second.body.previousCursor}`, { at: twin });
    expect(back.body).not.toHaveProperty('previousCursor');
    await list(`${query}&cursor=${back.body.nextCursor}`);
    expect(directory.commands.map(({ body }) => [body.after, body.backward])).toEqual([
      [undefined, undefined],
      [b, undefined],
      [c, true],
      [b, undefined],
    ]);
  });

  test('previousCursor and nextCursor lead back from the empty pages beyond either end.', async () => {
    const b = at('b');
    directory.answers.push(page(b, 'a', 'b'), page(undefined), between(b, undefined, 'a', 'b'));
    const first = await list(`${query}&cursor=`);
    const beyond = await list(`${query}&cursor=${first.body.nextCursor}`);
    expect(beyond.body).toMatchObject({ Resources: [], previousCursor: expect.any(String) });
    expect(beyond.body).not.toHaveProperty('nextCursor');
    const end = await list(`${query}&cursor=${beyond.body.previousCursor}`);
    expect(end.body).not.toHaveProperty('nextCursor');
    directory.answers.push(page(undefined), page(b, 'a', 'b'));
    const before = await list(`${query}&cursor=${end.body.previousCursor}`);
    expect(before.body).toMatchObject({ Resources: [], nextCursor: expect.any(String) });
    expect(before.body).not.toHaveProperty('previousCursor');
    expect((await list(`${query}&cursor=${before.body.nextCursor}`)).body.Resources).toHaveLength(2);
    expect(directory.commands.map(({ body }) => [body.after, body.backward])).toEqual([
      [undefined, undefined],
      [b, undefined],
      [undefined, true],
      [b, true],
      [undefined, undefined],
    ]);
  });

  test('A previousCursor is bound to its query, expires, and hides its position, like any cursor.', async () => {
    const b = at('somebody');
    directory.answers.push(page(b, 'a', 'b'), between(b, undefined, 'c'));
    const first = await list(`${query}&cursor=`);
    const { body } = await list(`${query}&cursor=${first.body.nextCursor}`);
    const cursor = body.previousCursor as string;
    expect(Buffer.from(cursor, 'base64url').toString('latin1')).not.toContain('somebody');
    expect(refusal(await list(`sortBy=displayName&count=2&cursor=${cursor}`))).toEqual([
      400,
      'invalidCursor',
    ]);
    expect(refusal(await list(`${query}&cursor=${cursor}`, { type: 'Groups' }))).toEqual([
      400,
      'invalidCursor',
    ]);
    expect(refusal(await list(`sortBy=userName&count=3&cursor=${cursor}`))).toEqual([400, 'invalidCount']);
    const { token: theirs } = await service.connector({ tenant: 'rival' });
    expect(refusal(await list(`${query}&cursor=${cursor}`, { token: theirs, tenant: 'rival' }))).toEqual([
      400,
      'invalidCursor',
    ]);
    now += 62_000;
    expect(refusal(await list(`${query}&cursor=${cursor}`))).toEqual([400, 'expiredCursor']);
  });
});

describe('Clients without support for cursors', () => {
  const unnotified = (next: object | undefined, ...ids: string[]) => {
    const { status, body } = page(next, ...ids);
    const { totalResults: _, ...rest } = body;
    return { status, body: rest };
  };
  const empty = () => unnotified({ id: uuidv7() });

  test('A client without cursors never gets an empty result while a user may still match.', async () => {
    directory.answers.push(empty(), empty(), empty(), unnotified(undefined, 'u9'));
    const found = await list('filter=title co "x"');
    expect(found.status).toBe(200);
    expect(found.body).toMatchObject({ totalResults: 1, startIndex: 1, Resources: [{ id: 'u9' }] });
    expect(found.body.nextCursor).toBeUndefined();
  });

  test('A client without cursors gets tooMany when the search would take too long.', async () => {
    directory.answers.push(...Array.from({ length: 40 }, empty));
    expect(refusal(await list('filter=title co "x"'))).toEqual([400, 'tooMany']);
  });

  test('A client without cursors that requests only the total gets it, or the reason why not.', async () => {
    const schemas = ['urn:ietf:params:scim:api:messages:2.0:Error'];
    const refused = {
      status: 400,
      body: { schemas, status: '400', scimType: 'tooMany', detail: 'Too many to count.' },
    };
    for (const path of ['/Users', '/.search']) {
      const ask = (more: object) => {
        const query = { filter: 'title co "x"', count: 0, ...more };
        return path === '/Users'
          ? list(new URLSearchParams(query as unknown as Record<string, string>).toString())
          : service.scim('POST', path, { token, body: { schemas: [searchRequest], ...query } });
      };
      directory.clear();
      directory.answers.push(...Array.from({ length: 2 }, () => refused));
      expect([path, ...refusal(await ask({}))]).toEqual([path, 400, 'tooMany']);
      expect(directory.commands[0]?.body).toMatchObject({ paging: 'index', count: 0 });
      directory.clear();
      await ask({ cursor: '' });
      expect(directory.commands[0]?.body).toMatchObject({ paging: 'cursor' });
    }
  });

  test('A client with cursors gets the empty page.', async () => {
    directory.answers.push(empty());
    const { status, body } = await list('filter=title co "x"&cursor');
    expect([status, body.Resources, typeof body.nextCursor]).toEqual([200, [], 'string']);
  });
});
