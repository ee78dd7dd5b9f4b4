import { describe, expect, test } from '@jest/globals';
import { ENTERPRISE_USER_SCHEMA, type JsonValue, type Resource, USER_SCHEMA } from '../../src/index.ts';
import { barbara, changes, failure, type Operation, patch, testUrn } from '../support/barbara.ts';

const [work, home] = barbara.emails as [JsonValue, JsonValue];

describe('without a path', () => {
  test('An operation without a path sets, merges and appends the attributes of the value.', () => {
    expect(changes({ op: 'add', value: { nickName: 'Babs', emails: [{ value: 'x@example.com' }] } })).toEqual(
      {
        nickName: 'Babs',
        emails: [work, home, { value: 'x@example.com' }],
      },
    );
    expect(changes({ op: 'replace', value: { active: false } })).toEqual({ active: false });
    expect(changes({ op: 'replace', value: { name: { familyName: 'J' } } })).toEqual({
      name: { givenName: 'Barbara', familyName: 'J' },
    });
    expect(changes({ op: 'replace', value: { emails: [{ value: 'x@example.com' }] } })).toEqual({
      emails: [{ value: 'x@example.com' }],
    });
  });

  test('An operation without a path accepts dotted and URN-qualified keys, valuePaths and whole extensions.', () => {
    expect(
      changes({
        op: 'replace',
        value: {
          'name.givenName': 'B',
          [`${ENTERPRISE_USER_SCHEMA}:employeeNumber`]: '1',
          'emails[type eq "home"].value': 'new@example.com',
          [testUrn]: { level: 3 },
        },
      }),
    ).toEqual({
      schemas: [USER_SCHEMA, ENTERPRISE_USER_SCHEMA, testUrn],
      name: { givenName: 'B', familyName: 'Jensen' },
      [ENTERPRISE_USER_SCHEMA]: { employeeNumber: '1', manager: { value: '26118915', displayName: 'John' } },
      emails: [work, { value: 'new@example.com', type: 'home' }],
      [testUrn]: { level: 3 },
    });
  });

  test('Names are case-insensitive, unknown ones are ignored, and a name given twice is an error.', () => {
    expect(
      changes({ op: 'replace', value: { ACTIVE: false, unknown: 1, 'un.known': 2, 'urn:x:y': 3 } }),
    ).toEqual({
      active: false,
    });
    expect(failure({ op: 'replace', value: { active: false, Active: true } })).toBe('invalidSyntax');
    expect(failure({ op: 'replace', value: { 'emails[type eq': 'x' } })).toBe('invalidPath');
  });

  test('The value null leaves an attribute unassigned.', () => {
    expect(changes({ op: 'replace', value: { name: null, externalId: null } })).toEqual({
      name: null,
      externalId: null,
    });
    expect(changes({ op: 'add', value: { name: null } })).toEqual({});
  });
});

describe('with the path of an attribute', () => {
  test.each<[Operation, Resource]>([
    [{ op: 'add', path: 'nickName', value: 'Babs' }, { nickName: 'Babs' }],
    [{ op: 'replace', path: 'nickName', value: 'Babs' }, { nickName: 'Babs' }],
    [{ op: 'replace', path: 'USERNAME', value: 'b' }, { userName: 'b' }],
    [{ op: 'replace', path: `${USER_SCHEMA}:userName`, value: 'b' }, { userName: 'b' }],
    [{ op: 'remove', path: 'externalId' }, { externalId: null }],
    [{ op: 'remove', path: 'nickName' }, {}],
    [
      { op: 'add', path: 'name', value: { middleName: 'M' } },
      { name: { familyName: 'Jensen', givenName: 'Barbara', middleName: 'M' } },
    ],
    [
      { op: 'replace', path: 'name', value: { givenName: 'B' } },
      { name: { familyName: 'Jensen', givenName: 'B' } },
    ],
    [{ op: 'replace', path: 'name', value: { givenName: null } }, { name: { familyName: 'Jensen' } }],
    [{ op: 'remove', path: 'name' }, { name: null }],
    [
      { op: 'replace', path: 'name.givenName', value: 'B' },
      { name: { familyName: 'Jensen', givenName: 'B' } },
    ],
    [{ op: 'remove', path: 'name.givenName' }, { name: { familyName: 'Jensen' } }],
    [
      { op: 'add', path: 'emails', value: { value: 'x', type: 'other' } },
      { emails: [work, home, { value: 'x', type: 'other' }] },
    ],
    [
      { op: 'add', path: 'emails', value: [{ value: 'HOME@example.com' }] },
      { emails: [work, { value: 'HOME@example.com', type: 'home' }] },
    ],
    [{ op: 'add', path: 'emails', value: [{ value: 'home@example.com', type: 'home' }] }, {}],
    [
      { op: 'add', path: 'emails', value: [{ value: 'home@example.com', display: 'H' }] },
      { emails: [work, { value: 'home@example.com', display: 'H', type: 'home' }] },
    ],
    [{ op: 'add', path: 'emails', value: [] }, {}],
    [{ op: 'replace', path: 'emails', value: [] }, { emails: null }],
    [{ op: 'remove', path: 'emails' }, { emails: null }],
    [
      { op: 'remove', path: 'emails.type' },
      { emails: [{ value: 'work@example.com', primary: true }, { value: 'home@example.com' }] },
    ],
    [
      { op: 'replace', path: 'emails.display', value: 'd' },
      {
        emails: [
          { value: 'work@example.com', display: 'd', type: 'work', primary: true },
          { value: 'home@example.com', display: 'd', type: 'home' },
        ],
      },
    ],
    [
      { op: 'replace', path: `${ENTERPRISE_USER_SCHEMA}:employeeNumber`, value: '1' },
      {
        [ENTERPRISE_USER_SCHEMA]: {
          employeeNumber: '1',
          manager: { value: '26118915', displayName: 'John' },
        },
      },
    ],
    [
      { op: 'replace', path: `${ENTERPRISE_USER_SCHEMA}:manager.value`, value: '2' },
      {
        [ENTERPRISE_USER_SCHEMA]: { employeeNumber: '701984', manager: { value: '2', displayName: 'John' } },
      },
    ],
    [
      { op: 'add', path: ENTERPRISE_USER_SCHEMA, value: { employeeNumber: '1' } },
      {
        [ENTERPRISE_USER_SCHEMA]: {
          employeeNumber: '1',
          manager: { value: '26118915', displayName: 'John' },
        },
      },
    ],
    [
      { op: 'remove', path: ENTERPRISE_USER_SCHEMA },
      { schemas: [USER_SCHEMA], [ENTERPRISE_USER_SCHEMA]: null },
    ],
    [
      { op: 'add', path: `${testUrn}:tags`, value: ['a', 'b', 'a'] },
      { schemas: [USER_SCHEMA, ENTERPRISE_USER_SCHEMA, testUrn], [testUrn]: { tags: ['a', 'b'] } },
    ],
    [
      { op: 'add', path: `${testUrn}:tags`, value: 'a' },
      { schemas: [USER_SCHEMA, ENTERPRISE_USER_SCHEMA, testUrn], [testUrn]: { tags: ['a'] } },
    ],
    [{ op: 'add', path: 'schemas', value: [testUrn] }, {}],
    [
      { op: 'replace', path: `${testUrn}:since`, value: '2024-01-01T01:00:00+01:00' },
      {
        schemas: [USER_SCHEMA, ENTERPRISE_USER_SCHEMA, testUrn],
        [testUrn]: { since: '2024-01-01T00:00:00.000Z' },
      },
    ],
  ])('The operation %j with an attribute path gives the expected changes.', (operation, expected) => {
    expect(changes(operation)).toEqual(expected);
  });

  test('A simple multi-valued attribute is filtered by "value".', () => {
    const { resource } = patch([{ op: 'add', path: `${testUrn}:tags`, value: ['a', 'b', 'c'] }]);
    const after = patch([{ op: 'remove', path: `${testUrn}:tags[value eq "B"]` }], resource).resource;
    expect(after[testUrn]).toEqual({ tags: ['a', 'c'] });
    expect(
      patch([{ op: 'replace', path: `${testUrn}:tags[value eq "b"]`, value: 'x' }], resource).resource[
        testUrn
      ],
    ).toEqual({
      tags: ['a', 'x', 'c'],
    });
  });
});

describe('with a value filter', () => {
  test.each<[Operation, JsonValue]>([
    [
      { op: 'replace', path: 'emails[type eq "home"].value', value: 'x' },
      [work, { value: 'x', type: 'home' }],
    ],
    [{ op: 'replace', path: 'emails[type eq "home"]', value: { value: 'x' } }, [work, { value: 'x' }]],
    [
      { op: 'add', path: 'emails[type eq "home"]', value: { display: 'H' } },
      [work, { value: 'home@example.com', display: 'H', type: 'home' }],
    ],
    [
      { op: 'add', path: 'emails[type eq "other"].value', value: 'x' },
      [work, home, { value: 'x', type: 'other' }],
    ],
    [
      { op: 'add', path: 'emails[type eq "Work" and display eq "D"]', value: { value: 'x' } },
      [work, home, { value: 'x', display: 'D', type: 'work' }],
    ],
    [{ op: 'remove', path: 'emails[type eq "home"]' }, [work]],
    [{ op: 'remove', path: 'emails[type eq "home"].type' }, [work, { value: 'home@example.com' }]],
    [{ op: 'remove', path: 'emails[type eq "other"]' }, [work, home]],
    [{ op: 'remove', path: 'emails[not (type eq "work") or value sw "work"]' }, null],
    [{ op: 'remove', path: 'emails[primary eq false]' }, [work]],
    // One element has to match the whole filter.
    [{ op: 'remove', path: 'emails[type eq "work" and value sw "home"]' }, [work, home]],
  ])('The operation %j with a value filter gives the expected elements.', (operation, emails) => {
    expect(patch([operation]).resource.emails ?? null).toEqual(emails);
  });

  test('A replace needs a match, and an add needs a match or a filter that describes the new element.', () => {
    expect(failure({ op: 'replace', path: 'emails[type eq "other"].value', value: 'x' })).toBe('noTarget');
    expect(failure({ op: 'replace', path: 'emails[type eq "other"]', value: { value: 'x' } })).toBe(
      'noTarget',
    );
    expect(failure({ op: 'add', path: 'emails[type sw "oth"].value', value: 'x' })).toBe('noTarget');
    expect(failure({ op: 'add', path: 'emails[type eq "a" and type eq "b"].value', value: 'x' })).toBe(
      'noTarget',
    );
    expect(failure({ op: 'add', path: 'phoneNumbers.display', value: 'x' })).toBe('noTarget');
  });
});

describe('primary', () => {
  const primaries = (operation: Operation): JsonValue[] =>
    ((patch([operation]).resource.emails ?? []) as Resource[]).map((email) => email.primary ?? null);

  test('A value made primary by an operation takes the flag from the value that had it.', () => {
    expect(primaries({ op: 'add', path: 'emails', value: [{ value: 'x', primary: true }] })).toEqual([
      false,
      null,
      true,
    ]);
    expect(primaries({ op: 'replace', path: 'emails[type eq "home"].primary', value: true })).toEqual([
      false,
      true,
    ]);
    expect(
      primaries({ op: 'add', value: { emails: [{ value: 'home@example.com', primary: true }] } }),
    ).toEqual([false, true]);
    expect(
      primaries({
        op: 'add',
        path: 'emails',
        value: [{ value: 'work@example.com' }, { value: 'x', primary: true }],
      }),
    ).toEqual([false, null, true]);
    expect(
      primaries({ op: 'add', path: 'emails[type eq "other"]', value: { value: 'x', primary: true } }),
    ).toEqual([false, null, true]);
    expect(primaries({ op: 'replace', path: 'emails[type eq "work"].primary', value: false })).toEqual([
      false,
      null,
    ]);
  });

  test('Two primary values in one operation are an error.', () => {
    const two = [
      { value: 'a', primary: true },
      { value: 'b', primary: true },
    ];
    expect(failure({ op: 'add', path: 'emails', value: two })).toBe('invalidValue');
    expect(failure({ op: 'replace', path: 'emails', value: two })).toBe('invalidValue');
    expect(failure({ op: 'replace', path: 'emails.primary', value: true })).toBe('invalidValue');
    expect(failure({ op: 'replace', path: 'emails[value pr].primary', value: true })).toBe('invalidValue');
  });
});

describe('order and atomicity', () => {
  test('Operations see the results of earlier ones.', () => {
    expect(
      changes(
        { op: 'remove', path: 'emails' },
        { op: 'add', path: 'emails[type eq "work"].value', value: 'x' },
        { op: 'replace', path: 'emails[type eq "work"].display', value: 'X' },
      ),
    ).toEqual({ emails: [{ value: 'x', display: 'X', type: 'work' }] });
    // Required attributes only have to exist at the end.
    expect(changes({ op: 'remove', path: 'userName' }, { op: 'add', path: 'userName', value: 'b' })).toEqual({
      userName: 'b',
    });
  });

  test('A resource that ends as it began has not changed.', () => {
    expect(
      changes(
        { op: 'replace', path: 'active', value: false },
        { op: 'replace', path: 'active', value: true },
      ),
    ).toEqual({});
    expect(patch([{ op: 'replace', path: 'active', value: true }])).toEqual({
      resource: barbara,
      changed: false,
    });
  });
});

describe('blank values', () => {
  test('A blank value of an element removes the element.', () => {
    const [first] = barbara.emails as { type: string }[];
    const path = `emails[type eq "${first?.type}"].value`;
    expect(changes({ op: 'replace', path, value: '' })).toEqual({ emails: [home] });
    expect(changes({ op: 'remove', path })).toEqual({ emails: [home] });
  });

  test('An added element without a value is not stored and takes primary from no other.', () => {
    expect(changes({ op: 'add', path: 'emails', value: [{ type: 'other', primary: true }, {}] })).toEqual({});
    expect(changes({ op: 'add', path: 'emails', value: { value: ' ', type: 'other' } })).toEqual({});
  });

  test('An element may get its value from a later operation of the same PATCH.', () => {
    expect(
      changes(
        { op: 'add', path: 'phoneNumbers[type eq "fax"].display', value: 'Fax' },
        { op: 'add', path: 'phoneNumbers[type eq "fax"].value', value: '7' },
      ),
    ).toMatchObject({ phoneNumbers: expect.arrayContaining([{ value: '7', display: 'Fax', type: 'fax' }]) });
  });

  test('Adding a blank text changes nothing, and replacing with one unassigns the attribute.', () => {
    expect(changes({ op: 'add', path: 'name.givenName', value: '' })).toEqual({});
    expect(changes({ op: 'replace', path: 'name.givenName', value: ' ' })).toEqual({
      name: { familyName: (barbara.name as { familyName: string }).familyName },
    });
    expect(failure({ op: 'replace', path: 'userName', value: ' ' })).toBe('invalidValue');
  });
});
