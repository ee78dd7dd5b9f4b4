import { describe, expect, test } from '@jest/globals';
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

const groupSchema = 'urn:ietf:params:scim:schemas:core:2.0:Group';

describe('read', () => {
  test('A read returns 200 with ETag, and 304 for a version that the client already has.', async () => {
    const answer = await service.scim('GET', `/Users/${id}`, { token });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('etag')).toBe('W/"1"');
    expect(answer.headers.get('location')).toBe(`${base}/Users/${id}`);
    expect(directory.only()).toMatchObject({ method: 'GET', query: { source: connectorId } });
    for (const tag of ['W/"1"', '"1"', 'W/"0", W/"1"', '*']) {
      const again = await service.scim('GET', `/Users/${id}`, { token, headers: { 'if-none-match': tag } });
      expect(again.status).toBe(304);
      expect(again.body).toBeUndefined();
    }
    const changed = await service.scim('GET', `/Users/${id}`, {
      token,
      headers: { 'if-none-match': 'W/"2"' },
    });
    expect(changed.status).toBe(200);
  });

  test('HEAD behaves like GET without the body.', async () => {
    const answer = await service.scim('HEAD', `/Users/${id}`, { token });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('etag')).toBe('W/"1"');
    expect(answer.body).toBeUndefined();
  });

  test('An impossible id is treated as an id that does not exist.', async () => {
    for (const wrong of ['42', 'hr-1', id.toUpperCase(), '%00', '..%2f..%2ftenants', 'x'.repeat(250)]) {
      expectError(await service.scim('GET', `/Users/${wrong}`, { token }), 404);
    }
    expect(directory.commands).toHaveLength(0);
  });

  test('A group read without members is requested from the directory without them.', async () => {
    await service.scim('GET', `/Groups/${id}?excludedAttributes=members`, { token });
    expect(directory.only().query).toMatchObject({ excludedAttributes: 'members' });
  });

  test('Members and groups are returned with their addresses.', async () => {
    directory.answers.push({
      status: 200,
      body: {
        schemas: [groupSchema],
        id,
        members: [
          { value: 'u1', type: 'User' },
          { value: 'g1', type: 'Group' },
        ],
        meta: {},
      },
    });
    const answer = await service.scim('GET', `/Groups/${id}`, { token });
    expect(answer.body.members).toEqual([
      { value: 'u1', type: 'User', $ref: `${base}/Users/u1` },
      { value: 'g1', type: 'Group', $ref: `${base}/Groups/g1` },
    ]);
  });

  test('A request with both "attributes" and "excludedAttributes" is rejected.', async () => {
    const answer = await service.scim('GET', `/Users/${id}?attributes=userName&excludedAttributes=emails`, {
      token,
    });
    expectError(answer, 400, 'invalidValue');
  });

  test('The type application/json is returned to clients that accept only that.', async () => {
    const type = async (accept: string) =>
      (await service.scim('GET', `/Users/${id}`, { token, headers: { accept } })).headers.get('content-type');
    expect(await type('application/json')).toBe('application/json; charset=utf-8');
    expect(await type('application/json, application/scim+json')).toBe(
      'application/scim+json; charset=utf-8',
    );
    expect(await type('application/json, */*')).toBe('application/scim+json; charset=utf-8');
    expect(await type('text/html')).toBe('application/scim+json; charset=utf-8');
  });
});

describe('list and search', () => {
  test('A list request forwards the query and returns a ListResponse.', async () => {
    directory.answers.push({
      status: 200,
      body: {
        totalResults: 7,
        startIndex: 3,
        itemsPerPage: 1,
        Resources: [{ id, userName: 'ada', meta: { version: 'W/"1"' } }],
      },
    });
    const query =
      'filter=userName%20eq%20%22ada%22&startIndex=3&count=1&sortBy=userName&sortOrder=descending';
    const answer = await service.scim('GET', `/Users?${query}`, { token });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
      totalResults: 7,
      startIndex: 3,
      itemsPerPage: 1,
      Resources: [{ id, userName: 'ada', meta: { version: 'W/"1"', location: `${base}/Users/${id}` } }],
    });
    expect(directory.only()).toMatchObject({
      method: 'POST',
      path: '/internal/v1/tenants/demo/Users/search',
      body: {
        filter: 'userName eq "ada"',
        startIndex: 3,
        count: 1,
        sortBy: 'userName',
        sortOrder: 'descending',
        source: connectorId,
      },
    });
  });

  test.each([
    ['', { paging: 'cursor', count: 100 }],
    ['startIndex=1', { paging: 'index', startIndex: 1, count: 100 }],
    ['startIndex=0&count=-5', { startIndex: 1, count: 0 }],
    ['startIndex=-3&count=0', { startIndex: 1, count: 0 }],
    ['count=99999999999999999999999', { paging: 'cursor', count: 1000 }],
    ['startIndex=99999999999999999999999', { startIndex: 2 ** 31 - 1, count: 100 }],
  ])('The query "%s" has the meaning that the RFC specifies.', async (query, expected) => {
    const answer = await service.scim('GET', `/Users?${query}`, { token });
    expect(answer.status).toBe(200);
    expect(directory.only().body).toMatchObject(expected);
  });

  test.each([
    'count=ten',
    'startIndex=1.5',
    'count=1e3',
    'sortBy=userName&sortOrder=sideways',
    'filter=a&filter=b',
    'attributes=a%20b',
    'attributes=userName%27%3B--',
  ])('The query "%s" is rejected.', async (query) => {
    expectError(await service.scim('GET', `/Users?${query}`, { token }), 400, 'invalidValue');
    expect(directory.commands).toHaveLength(0);
  });

  test('A search by POST takes a SearchRequest.', async () => {
    const body = { schemas: [searchRequest], filter: 'active eq "True"', attributes: ['userName'], count: 5 };
    const answer = await service.scim('POST', '/Users/.search', { token, body });
    expect(answer.status).toBe(200);
    expect(directory.only().body).toMatchObject({
      filter: 'active eq true',
      attributes: ['userName', 'meta'],
      count: 5,
    });
    expectError(
      await service.scim('POST', '/Groups/.search', { token, body: { filter: 'x' } }),
      400,
      'invalidSyntax',
    );
  });

  test('A search at the root covers users and then groups.', async () => {
    directory.answers.push(
      { status: 200, body: { totalResults: 3, Resources: [{ id: 'u3', meta: {} }] } },
      { status: 200, body: { totalResults: 5, Resources: [{ id: 'g1', meta: {} }] } },
    );
    const body = { schemas: [searchRequest], startIndex: 3, count: 2 };
    const answer = await service.scim('POST', '/.search', { token, body });
    expect(answer.body).toMatchObject({ totalResults: 8, startIndex: 3, itemsPerPage: 2 });
    expect(
      answer.body.Resources.map((resource: { meta: { location: string } }) => resource.meta.location),
    ).toEqual([`${base}/Users/u3`, `${base}/Groups/g1`]);
    expect(
      directory.commands.map(({ path, body: { startIndex, count } }) => [path, startIndex, count]),
    ).toEqual([
      ['/internal/v1/tenants/demo/Users/search', 3, 2],
      ['/internal/v1/tenants/demo/Groups/search', 1, 1],
    ]);
  });

  test('At the root, a filter that fits one type finds only that type, and one that fits none is an error.', async () => {
    const refusal = {
      status: 400,
      body: {
        schemas: [errorSchema],
        status: '400',
        scimType: 'invalidFilter',
        detail: 'No such attribute.',
      },
    };
    const body = { schemas: [searchRequest], filter: 'userName eq "ada"' };
    directory.answers.push(
      { status: 200, body: { totalResults: 1, Resources: [{ id: 'u1', meta: {} }] } },
      refusal,
    );
    expect((await service.scim('POST', '/.search', { token, body })).body).toMatchObject({ totalResults: 1 });
    directory.answers.push(refusal, refusal);
    expectError(await service.scim('POST', '/.search', { token, body }), 400, 'invalidFilter');
  });
});

describe('Missing resources and methods', () => {
  test('A resource that does not exist is answered with 404 as a SCIM error.', async () => {
    for (const path of ['/Nothing', '/Users/a/b', '/users']) {
      expectError(await service.scim('GET', path, { token }), 404);
    }
  });

  test('A method that the address does not support is answered with 405 and Allow.', async () => {
    const answer = await service.scim('PUT', '/Users', { token, body: {} });
    expectError(answer, 405);
    expect(answer.headers.get('allow')).toBe('GET, HEAD, POST');
    const one = await service.scim('POST', `/Users/${id}`, { token, body: {} });
    expect(one.headers.get('allow')).toBe('DELETE, GET, HEAD, PATCH, PUT');
    expect((await service.scim('GET', '/Users/.search', { token })).headers.get('allow')).toBe('POST');
    expect((await service.scim('DELETE', '/ServiceProviderConfig', { token })).headers.get('allow')).toBe(
      'GET, HEAD',
    );
    expect(directory.commands).toHaveLength(0);
  });
});

describe('Unavailable services', () => {
  test('While the directory is unavailable, the response is 503 with Retry-After and no internal detail.', async () => {
    for (const answer of [
      { status: 503 },
      { status: 401, body: { error: 'invalid_token' } },
      { status: 500, body: 'x' },
    ]) {
      directory.clear();
      // Twice: after a rejected service token, a new one is requested and the request repeated.
      directory.answers.push(answer, answer);
      const response = await service.scim('GET', '/Users', { token });
      expectError(response, 503);
      expect(response.headers.get('retry-after')).toBe('1');
      expect(JSON.stringify(response.body)).not.toMatch(/directory|invalid_token/);
    }
  });
});
