import { describe, expect, test } from '@jest/globals';
import { bulkClient, id, patch, post, statuses, user } from '../support/bulk-client.ts';

const client = bulkClient();
const { bulk } = client;

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
    `/Users/${id}/..`,
    `/Users/${id}/x`,
    `/Users/${id}//Groups`,
    `/Users\\${id}`,
    `/users/${id}`,
    `Users/${id}`,
    ` /Users/${id}`,
    '/Users/a b',
    '/Users/\u0001',
    '/Users/\uff0e\uff0e',
    `/Users/${'x'.repeat(500)}`,
    '/Users',
    '/Users/',
    '//',
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
  ])('The path %p is rejected for a single resource, with 400 for its operation.', async (path) => {
    const answer = await bulk([{ method: 'DELETE', path }, post('a', user('ada'))]);
    expect(statuses(answer)).toEqual(['400', '201']);
    expect(answer.body.Operations[0]).toMatchObject({
      method: 'DELETE',
      response: { scimType: 'invalidPath' },
    });
    expect(answer.body.Operations[0].location).toBeUndefined();
    expect(client.directory.only().method).toBe('POST');
  });

  test.each([`/Users/${id}`, `/Users/${id}/`, '/Users?x=1', '/Groups/.search', '/Users/.search', '/Me'])(
    'The path %p is rejected for a POST.',
    async (path) => {
      const answer = await bulk([{ method: 'POST', bulkId: 'a', path, data: user('ada') }]);
      expect(statuses(answer)).toEqual(['400']);
      expect(client.directory.commands).toHaveLength(0);
    },
  );

  test.each(['/Users', '/Users/', '//Users', '//Users//'])(
    'The path %p denotes the same endpoint as it does in an address.',
    async (path) => {
      const slash = path.endsWith('/') ? path : `${path}/`;
      const answer = await bulk([
        { method: 'POST', bulkId: 'a', path, data: user('ada') },
        patch(`${slash}bulkId:a/`, { op: 'add', path: 'title', value: 'x' }),
        { method: 'DELETE', path: `${slash}${id}//` },
      ]);
      expect(statuses(answer)).toEqual(['201', '200', '204']);
      expect(client.directory.commands.map(({ method }) => method)).toEqual(
        expect.arrayContaining(['POST', 'PATCH', 'DELETE']),
      );
    },
  );

  test('A path with an impossible id is answered with 404, as everywhere.', async () => {
    const answer = await bulk(
      ['42', 'hr-1', id.toUpperCase()].map((it) => ({ method: 'DELETE', path: `/Users/${it}` })),
    );
    expect(statuses(answer)).toEqual(['404', '404', '404']);
    expect(client.directory.commands).toHaveLength(0);
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
  ])('An operation that is %s is rejected separately.', async (_what, operation, scimType) => {
    const answer = await bulk([operation]);
    expect(answer.status).toBe(200);
    expect(answer.body.Operations).toMatchObject([{ status: '400', response: { scimType } }]);
    expect(client.directory.commands).toHaveLength(0);
  });
});
