import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  ENTERPRISE_USER_SCHEMA,
  foldResource,
  GROUP_SCHEMA,
  type JsonObject,
  type JsonValue,
  type Resource,
  ScimError,
  USER_SCHEMA,
  validateResource,
} from '../../src/index.ts';
import { extensionSchema, registry, userBody } from '../support/arbitraries.ts';

function create(body: unknown, type = 'User'): Resource {
  return validateResource(body, registry, type, 'create');
}

function failure(run: () => unknown): string | undefined {
  try {
    run();
  } catch (error) {
    if (error instanceof ScimError) return error.scimType;
    throw error;
  }
  return 'no error';
}

const user = (members: JsonObject): JsonObject => ({
  schemas: [USER_SCHEMA],
  userName: 'bjensen',
  ...members,
});

describe('a body becomes a resource in normal form', () => {
  test('Names become canonical in schema order, and unknown and readOnly attributes are dropped.', () => {
    const body = {
      EMAILS: [{ Value: 'b@example.com', TYPE: 'Work', unknown: 1 }],
      username: 'bjensen',
      Schemas: [USER_SCHEMA.toUpperCase()],
      id: 'forged',
      meta: { version: 'forged' },
      groups: [],
      unknown: { a: 1 },
      'urn:unknown:1': {},
      externalId: 'x',
      [ENTERPRISE_USER_SCHEMA.toLowerCase()]: {
        EmployeeNumber: '1',
        manager: { value: 'm', displayName: 'dropped' },
      },
    };
    expect(JSON.stringify(create(body))).toBe(
      JSON.stringify({
        schemas: [USER_SCHEMA, ENTERPRISE_USER_SCHEMA],
        externalId: 'x',
        userName: 'bjensen',
        emails: [{ value: 'b@example.com', type: 'work' }],
        [ENTERPRISE_USER_SCHEMA]: { employeeNumber: '1', manager: { value: 'm' } },
      }),
    );
  });

  test('The values null, empty array and empty object count as no value.', () => {
    expect(
      create(
        user({ title: null, emails: [], name: {}, phoneNumbers: [{}, null], [ENTERPRISE_USER_SCHEMA]: {} }),
      ),
    ).toEqual(user({}));
  });

  test('Equal elements are kept once, and the password stays for the caller to remove.', () => {
    expect(create(user({ emails: [{ value: 'a' }, { value: 'a' }], password: 'secret' }))).toEqual(
      user({ emails: [{ value: 'a' }], password: 'secret' }),
    );
  });

  test('Values of type dateTime become UTC with milliseconds.', () => {
    const since = (value: string) =>
      create(user({ [extensionSchema.id]: { since: value } }))[extensionSchema.id];
    expect(since('2008-01-23T04:56:22Z')).toEqual({ since: '2008-01-23T04:56:22.000Z' });
    expect(since('2008-01-23T04:56:22.12345-02:30')).toEqual({ since: '2008-01-23T07:26:22.123Z' });
    for (const bad of [
      '2008-01-23',
      '2008-02-30T00:00:00Z',
      '2008-13-01T00:00:00Z',
      '2008-01-01T24:00:00Z',
      '0000-01-01T00:00:00Z',
      '0001-01-01T00:00:00+01:00',
      '9999-12-31T23:59:59-01:00',
      '2008-01-01T00:00:00+15:00',
      'now',
    ]) {
      expect([bad, failure(() => since(bad))]).toEqual([bad, 'invalidValue']);
    }
  });

  test.each<[string, JsonValue]>([
    ['invalidSyntax', null],
    ['invalidSyntax', []],
    ['invalidSyntax', 'x'],
    ['invalidSyntax', { userName: 'x' }],
    ['invalidSyntax', { schemas: USER_SCHEMA, userName: 'x' }],
    ['invalidSyntax', { schemas: [], userName: 'x' }],
    ['invalidSyntax', { schemas: [GROUP_SCHEMA], userName: 'x' }],
    ['invalidSyntax', { schemas: [USER_SCHEMA, 'urn:unknown'], userName: 'x' }],
    ['invalidSyntax', { schemas: [USER_SCHEMA, 7], userName: 'x' }],
    ['invalidSyntax', user({ USERNAME: 'y' })],
    ['invalidSyntax', user({ name: { givenName: 'a', GivenName: 'b' } })],
    ['invalidValue', { schemas: [USER_SCHEMA] }],
    ['invalidValue', user({ userName: '' })],
    ['invalidValue', user({ userName: null })],
    ['invalidValue', user({ userName: 7 })],
    ['invalidValue', user({ userName: 'x'.repeat(513) })],
    ['invalidValue', user({ externalId: 42 })],
    ['invalidValue', user({ title: ['x'] })],
    ['invalidValue', user({ title: 'a\u0000b' })],
    ['invalidValue', user({ title: '\ud800' })],
    ['invalidValue', user({ active: 'true' })],
    ['invalidValue', user({ active: 1 })],
    ['invalidValue', user({ name: 'Barbara' })],
    ['invalidValue', user({ emails: { value: 'a' } })],
    ['invalidValue', user({ emails: ['a'] })],
    [
      'invalidValue',
      user({
        emails: [
          { value: 'a', primary: true },
          { value: 'b', primary: true },
        ],
      }),
    ],
    ['invalidValue', user({ x509Certificates: [{ value: 'not base64!' }] })],
    ['invalidValue', user({ profileUrl: 'not a uri' })],
    ['invalidValue', user({ profileUrl: 'https://user:password@people.test/' })],
    ['invalidValue', user({ profileUrl: 'HTTPS:\\\\user@people.test/' })],
    ['invalidValue', user({ photos: [{ value: 'https://user:password@people.test/x.png' }] })],
    ['invalidValue', user({ [ENTERPRISE_USER_SCHEMA]: 'x' })],
    ['invalidValue', user({ [extensionSchema.id]: { level: 1.5 } })],
    ['invalidValue', user({ [extensionSchema.id]: { level: 2 ** 53 } })],
    ['invalidValue', user({ [extensionSchema.id]: { score: '1' } })],
    ['invalidValue', user({ [extensionSchema.id]: { tags: 'a' } })],
  ])('A body is rejected with %s: %j.', (scimType, body) => {
    expect(failure(() => create(body))).toBe(scimType);
  });

  test('An address with an @ outside of its authority is accepted.', () => {
    for (const profileUrl of [
      'https://people.test/@ann',
      'https://people.test?x=a@b',
      'mailto:ann@people.test',
    ]) {
      expect(create(user({ profileUrl })).profileUrl).toBe(profileUrl);
    }
  });

  test('A group needs a displayName, and each member needs a value.', () => {
    const group = (members: JsonObject): JsonObject => ({
      schemas: [GROUP_SCHEMA],
      displayName: 'G',
      ...members,
    });
    expect(create(group({ members: [{ value: 'u', display: 'U', type: 'user' }] }), 'Group')).toEqual(
      group({ members: [{ value: 'u', type: 'User' }] }),
    );
    expect(failure(() => create({ schemas: [GROUP_SCHEMA] }, 'Group'))).toBe('invalidValue');
    expect(failure(() => create(group({ members: [{ display: 'U' }] }), 'Group'))).toBe('invalidValue');
  });

  test('A required extension must be present, and immutable values are kept on replace.', () => {
    const strict = registry.withExtension(
      {
        id: 'urn:example:hr',
        name: 'Hr',
        attributes: [{ name: 'code', mutability: 'immutable', required: true }],
      },
      { resourceType: 'User', required: true },
    );
    const replace = (code: JsonObject, current: Resource) =>
      failure(() => validateResource(user(code), strict, 'User', 'replace', { current }));
    const current = user({ 'urn:example:hr': { code: 'a' } });
    expect(replace({}, current)).toBe('invalidValue');
    expect(replace({ 'urn:example:hr': {} }, current)).toBe('invalidValue');
    expect(replace({ 'urn:example:hr': { code: 'b' } }, current)).toBe('mutability');
    expect(replace({ 'urn:example:hr': { code: 'a' } }, current)).toBe('no error');
    expect(replace({ 'urn:example:hr': { code: 'b' } }, user({}))).toBe('no error');
  });

  test('The normal form of a resource is a fixed point.', () => {
    fc.assert(
      fc.property(userBody, (body) => {
        const resource = create(body);
        expect(JSON.stringify(create(resource))).toBe(JSON.stringify(resource));
      }),
    );
  });
});

test('Folding lower-cases values that are not caseExact.', () => {
  expect(
    foldResource(
      {
        id: 'A',
        userName: 'ÄB',
        emails: [{ value: 'A@B', primary: true }],
        [extensionSchema.id]: { tags: ['A'], codes: ['A'] },
      },
      registry,
      'User',
    ),
  ).toEqual({
    id: 'A',
    userName: 'äb',
    emails: [{ value: 'a@b', primary: true }],
    [extensionSchema.id]: { tags: ['a'], codes: ['A'] },
  });
});
