import { describe, expect, test } from '@jest/globals';
import {
  bindFilter,
  coreRegistry,
  etagMatches,
  LIST_RESPONSE,
  listResponse,
  parseFilter,
  parseIfMatch,
  parseSearchQuery,
  parseSearchRequest,
  SCIM_ERROR,
  ScimError,
  SEARCH_REQUEST,
  weakEtag,
} from '../../src/index.ts';

const registry = coreRegistry();
const scimType = (type: string) => expect.objectContaining({ scimType: type }) as unknown as Error;

describe('errors', () => {
  test('Errors are written as Error messages and read back from them.', () => {
    const error = ScimError.uniqueness('userName is taken.');
    expect(JSON.parse(JSON.stringify(error))).toEqual({
      schemas: [SCIM_ERROR],
      status: '409',
      scimType: 'uniqueness',
      detail: 'userName is taken.',
    });
    expect(ScimError.fromJSON(error.toJSON())).toEqual(error);
    expect(ScimError.notFound().toJSON()).toEqual({
      schemas: [SCIM_ERROR],
      status: '404',
      detail: 'The resource was not found.',
    });
    for (const body of [
      null,
      {},
      { schemas: [SCIM_ERROR], status: '200' },
      { schemas: [SCIM_ERROR], status: 'x' },
    ]) {
      expect(ScimError.fromJSON(body)).toBeUndefined();
    }
    expect(
      ScimError.fromJSON({ schemas: [SCIM_ERROR], status: '400', scimType: '__proto__' })?.scimType,
    ).toBeUndefined();
  });

  test('Every error keyword has its status (RFC 7644 §3.12 table 9, RFC 9865).', () => {
    const keywords = [
      'invalidFilter',
      'tooMany',
      'uniqueness',
      'mutability',
      'invalidSyntax',
      'invalidPath',
      'noTarget',
      'invalidValue',
      'invalidVers',
      'sensitive',
      'invalidCursor',
      'expiredCursor',
      'invalidCount',
    ] as const;
    const statuses = keywords.map((keyword) => {
      const error = ScimError[keyword]('x');
      expect(error.scimType).toBe(keyword);
      expect(error.statusCode).toBe(error.status);
      return error.status;
    });
    expect(statuses).toEqual([400, 400, 409, 400, 400, 400, 400, 400, 400, 403, 400, 400, 400]);
  });

  test('Error details quote only a part of the client input.', () => {
    const filter = `${'x'.repeat(500)} pr`;
    try {
      bindFilter(parseFilter(filter), registry, 'User');
    } catch (error) {
      expect((error as ScimError).detail.length).toBeLessThan(150);
    }
    expect.assertions(1);
  });
});

describe('entity tags', () => {
  test('Entity tags are weak and are compared as such.', () => {
    expect(weakEtag(7)).toBe('W/"7"');
    const matches = (header: string | string[], current?: string) =>
      etagMatches(parseIfMatch(header) ?? [], current);
    expect(matches('W/"7"', 'W/"7"')).toBe(true);
    expect(matches('"7"', 'W/"7"')).toBe(true);
    expect(matches('W/"6", W/"7"', 'W/"7"')).toBe(true);
    expect(matches(['W/"6"', 'W/"7"'], 'W/"7"')).toBe(true);
    expect(matches('*', 'W/"7"')).toBe(true);
    expect(matches('*', undefined)).toBe(false);
    expect(matches('W/"77"', 'W/"7"')).toBe(false);
    expect(matches('7', 'W/"7"')).toBe(false);
    expect(matches('', 'W/"7"')).toBe(false);
    expect(matches('"a,b"', 'W/"a,b"')).toBe(true);
    expect(parseIfMatch(undefined)).toBeUndefined();
  });
});

describe('queries', () => {
  test('A query is read from a URL.', () => {
    expect(
      parseSearchQuery({
        filter: 'a pr',
        sortBy: 'userName',
        sortOrder: 'Descending',
        startIndex: '0',
        count: '-5',
        attributes: 'a, b,',
        other: 'x',
      }),
    ).toEqual({
      filter: 'a pr',
      sortBy: 'userName',
      sortOrder: 'descending',
      startIndex: 1,
      count: 0,
      attributes: ['a', 'b'],
    });
    expect(parseSearchQuery({ count: '9'.repeat(300), cursor: '' })).toEqual({
      count: Number.MAX_SAFE_INTEGER,
      cursor: '',
    });
    expect(parseSearchQuery({})).toEqual({});
    for (const query of [
      { count: 'x' },
      { count: '1.5' },
      { count: '' },
      { startIndex: '1e3' },
      { filter: ['a', 'b'] },
      { sortOrder: 'up' },
      { attributes: 'a', excludedAttributes: 'b' },
    ]) {
      expect(() => parseSearchQuery(query)).toThrow(scimType('invalidValue'));
    }
  });

  test('A query is read from a SearchRequest.', () => {
    expect(
      parseSearchRequest({
        schemas: [SEARCH_REQUEST],
        Filter: 'a pr',
        startIndex: 3,
        count: 10,
        excludedAttributes: ['members'],
      }),
    ).toEqual({
      filter: 'a pr',
      startIndex: 3,
      count: 10,
      excludedAttributes: ['members'],
    });
    for (const body of [null, {}, { schemas: [] }, { schemas: SEARCH_REQUEST }]) {
      expect(() => parseSearchRequest(body)).toThrow(scimType('invalidSyntax'));
    }
    for (const member of [
      { filter: 1 },
      { count: 1.5 },
      { count: true },
      { attributes: [1] },
      { attributes: {} },
    ]) {
      expect(() => parseSearchRequest({ schemas: [SEARCH_REQUEST], ...member })).toThrow(
        scimType('invalidValue'),
      );
    }
  });
});

test('A query is answered with a list response.', () => {
  expect(listResponse({ resources: [], totalResults: 0, startIndex: 1 })).toEqual({
    schemas: [LIST_RESPONSE],
    totalResults: 0,
    startIndex: 1,
    itemsPerPage: 0,
    Resources: [],
  });
  expect(listResponse({ resources: [{ id: '1' }], totalResults: 9, nextCursor: 'c' })).toMatchObject({
    itemsPerPage: 1,
    nextCursor: 'c',
  });
});
