import { describe, expect, test } from '@jest/globals';
import {
  ENTERPRISE_USER_SCHEMA,
  type JsonValue,
  Projection,
  project,
  type Resource,
  ScimError,
  USER_SCHEMA,
} from '../../src/index.ts';
import { registry } from '../support/arbitraries.ts';

function failure(run: () => unknown): string | undefined {
  try {
    run();
  } catch (error) {
    if (error instanceof ScimError) return error.scimType;
    throw error;
  }
  return 'no error';
}

describe('projection', () => {
  const always = { schemas: [USER_SCHEMA, ENTERPRISE_USER_SCHEMA], id: '1' };
  const resource: Resource = {
    ...always,
    userName: 'b',
    name: { givenName: 'B', familyName: 'J' },
    password: 'never',
    emails: [{ value: 'a', type: 'work' }, { value: 'b' }],
    groups: [{ value: 'g', display: 'G' }],
    unknown: 1,
    meta: { resourceType: 'User', version: 'W/"1"' },
    [ENTERPRISE_USER_SCHEMA]: { employeeNumber: '1', department: 'D' },
  };
  const { password: _password, unknown: _unknown, ...all } = resource;

  test.each<[string, Resource]>([
    ['userName', { ...always, userName: 'b' }],
    ['USERNAME, unknown,', { ...always, userName: 'b' }],
    ['unknown', always],
    [`${USER_SCHEMA}:userName`, { ...always, userName: 'b' }],
    ['name.givenName', { ...always, name: { givenName: 'B' } }],
    ['name,name.givenName', { ...always, name: { givenName: 'B', familyName: 'J' } }],
    ['emails.type', { ...always, emails: [{ type: 'work' }] }],
    ['emails.value,emails.type', { ...always, emails: resource.emails as JsonValue }],
    ['meta.version', { ...always, meta: { version: 'W/"1"' } }],
    ['password', always],
    [
      ENTERPRISE_USER_SCHEMA,
      { ...always, [ENTERPRISE_USER_SCHEMA]: { employeeNumber: '1', department: 'D' } },
    ],
    [`${ENTERPRISE_USER_SCHEMA}:department`, { ...always, [ENTERPRISE_USER_SCHEMA]: { department: 'D' } }],
    ['emails[type eq "work"], __proto__, constructor', always],
    ['', all],
  ])(
    'A projection with attributes=%s returns the selected attributes and those returned always.',
    (attributes, expected) => {
      expect(project(resource, { attributes }, registry, 'User')).toEqual(expected);
      expect(project(resource, { attributes: attributes.split(',') }, registry, 'User')).toEqual(expected);
    },
  );

  test('The parameter excludedAttributes omits attributes unless they are always returned.', () => {
    const without = (excludedAttributes: string) =>
      project(resource, { excludedAttributes }, registry, 'User');
    expect(without('id,schemas,emails,groups,meta,name')).toEqual({
      ...always,
      userName: 'b',
      [ENTERPRISE_USER_SCHEMA]: resource[ENTERPRISE_USER_SCHEMA],
    });
    expect(without('name.givenName,emails.value')).toEqual({
      ...all,
      name: { familyName: 'J' },
      emails: [{ type: 'work' }],
    });
    expect(without(ENTERPRISE_USER_SCHEMA)[ENTERPRISE_USER_SCHEMA]).toBeUndefined();
    expect(without('emails.value,emails.type').emails).toBeUndefined();
  });

  test('A projection reports in advance which attributes need not be loaded.', () => {
    const members = (parameters: ConstructorParameters<typeof Projection>[0]) =>
      new Projection(parameters, registry, 'Group').includes('members');
    expect(members({})).toBe(true);
    expect(members({ excludedAttributes: 'members' })).toBe(false);
    expect(members({ attributes: 'displayName' })).toBe(false);
    expect(members({ attributes: 'members.value' })).toBe(true);
    expect(members({ excludedAttributes: 'members.display' })).toBe(true);
  });

  test('An attribute returned on request is returned only when requested, and one returned never is not.', () => {
    const custom = registry.withExtension(
      {
        id: 'urn:example:x',
        name: 'X',
        attributes: [
          { name: 'onRequest', returned: 'request' },
          { name: 'never', returned: 'never' },
          { name: 'always', returned: 'always' },
        ],
      },
      { resourceType: 'User' },
    );
    const value = { schemas: [], 'urn:example:x': { onRequest: 1, never: 2, always: 3 } };
    const shown = (attributes?: string) => project(value, { attributes }, custom, 'User')['urn:example:x'];
    expect(shown()).toEqual({ always: 3 });
    expect(shown('urn:example:x:onRequest')).toEqual({ onRequest: 1, always: 3 });
    expect(shown('urn:example:x:never')).toEqual({ always: 3 });
  });

  test('The two projection parameters exclude each other.', () => {
    expect(
      failure(() => project(resource, { attributes: 'id', excludedAttributes: 'name' }, registry, 'User')),
    ).toBe('invalidValue');
    expect(failure(() => project(resource, { attributes: Array(501).fill('id') }, registry, 'User'))).toBe(
      'invalidValue',
    );
  });
});
