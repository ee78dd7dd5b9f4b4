import { describe, expect, test } from '@jest/globals';
import {
  normaliseFilter,
  normaliseOperations,
  normaliseResource,
} from '../../src/compatibility/domain/normalise.ts';
import type { Operation } from '../../src/compatibility/domain/operation.ts';
import {
  type Profile,
  profileNames,
  type Quirks,
  quirksOf,
} from '../../src/compatibility/domain/profiles.ts';

const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
/** Includes pathKeys, because payloads of several flags have paths as keys. */
const none: Quirks = quirksOf('rfc', { pathKeys: true });
const only = (flag: keyof Quirks): Quirks => ({ ...none, [flag]: true });
const apply = (operation: Operation, quirks: Quirks) => normaliseOperations([operation], quirks);

describe('each flag rewrites its payload, and nothing is rewritten without it', () => {
  const fixtures: { flag: keyof Quirks; sent: Operation; meant: Operation[] }[] = [
    {
      flag: 'stringBooleans',
      sent: { op: 'replace', path: 'active', value: 'False' },
      meant: [{ op: 'replace', path: 'active', value: false }],
    },
    {
      flag: 'stringBooleans',
      sent: { op: 'replace', value: { active: 'true', emails: [{ value: 'a@b.c', primary: 'True' }] } },
      meant: [{ op: 'replace', value: { active: true, emails: [{ value: 'a@b.c', primary: true }] } }],
    },
    {
      flag: 'stringBooleans',
      sent: { op: 'replace', path: 'emails[type eq "work"].primary', value: 'False' },
      meant: [{ op: 'replace', path: 'emails[type eq "work"].primary', value: false }],
    },
    {
      flag: 'wrappedScalars',
      sent: { op: 'add', path: 'displayName', value: [{ $ref: null, value: 'Ada' }] },
      meant: [{ op: 'add', path: 'displayName', value: 'Ada' }],
    },
    {
      flag: 'readOnlyKeys',
      sent: { op: 'replace', value: { id: 'g1', displayName: 'Engineering' } },
      meant: [{ op: 'replace', value: { displayName: 'Engineering' } }],
    },
    {
      flag: 'bareManager',
      sent: { op: 'add', path: `${enterprise}:manager`, value: 'u7' },
      meant: [{ op: 'add', path: `${enterprise}:manager`, value: { value: 'u7' } }],
    },
    {
      flag: 'bareManager',
      sent: { op: 'replace', path: `${enterprise}:manager`, value: '' },
      meant: [{ op: 'remove', path: `${enterprise}:manager` }],
    },
    {
      flag: 'bareManager',
      sent: { op: 'replace', value: { [enterprise]: { manager: 'u7' } } },
      meant: [{ op: 'replace', value: { [enterprise]: { manager: { value: 'u7' } } } }],
    },
    {
      flag: 'quotedBooleans',
      sent: { op: 'replace', path: 'emails[primary eq "True"].value', value: 'a@b.c' },
      meant: [{ op: 'replace', path: 'emails[primary eq true].value', value: 'a@b.c' }],
    },
    {
      flag: 'bareManager',
      sent: { op: 'replace', value: { [`${enterprise}:manager`]: '' } },
      meant: [{ op: 'replace', value: { [`${enterprise}:manager`]: null } }],
    },
    {
      flag: 'quotedBooleans',
      sent: { op: 'add', value: { 'emails[primary eq "True"].value': 'a@b.c' } },
      meant: [{ op: 'add', value: { 'emails[primary eq true].value': 'a@b.c' } }],
    },
    {
      flag: 'replaceCreatesElement',
      sent: { op: 'replace', path: 'emails[type eq "work"].value', value: 'a@b.c' },
      meant: [{ op: 'add', path: 'emails[type eq "work"].value', value: 'a@b.c' }],
    },
  ];

  test.each(fixtures)(
    'The flag $flag rewrites $sent, and nothing is rewritten without it.',
    ({ flag, sent, meant }) => {
      expect(apply(sent, only(flag))).toEqual(meant);
      expect(apply(sent, none)).toEqual([sent]);
    },
  );
});

test('Keys that are paths are ignored without pathKeys, but whole extensions are not.', () => {
  const value = {
    displayName: 'Ada',
    'name.givenName': 'Ada',
    'emails[type eq "work"].value': 'a@b.c',
    [`${enterprise}:employeeNumber`]: '7',
    'urn:ietf:params:scim:schemas:core:2.0:User:title': 'Countess',
    [enterprise]: { department: 'Engines' },
    'urn:example:custom': { floor: 3 },
  };
  const { displayName, [enterprise]: extension, 'urn:example:custom': custom } = value;
  expect(apply({ op: 'replace', value }, quirksOf('rfc'))).toEqual([
    { op: 'replace', value: { displayName, [enterprise]: extension, 'urn:example:custom': custom } },
  ]);
  const { 'emails[type eq "work"].value': address, ...others } = value;
  expect(apply({ op: 'replace', value }, only('pathKeys'))).toEqual([
    { op: 'replace', value: others },
    { op: 'add', path: 'emails[type eq "work"].value', value: address },
  ]);
});

describe('removal by value', () => {
  const sent = { op: 'remove', path: 'members', value: [{ $ref: null, value: 'u1' }, { value: 'u2' }] };

  test('A removal by value names the elements in the path, as Entra ID and OneLogin intend.', () => {
    expect(apply(sent, only('removeByValue'))).toEqual([
      { op: 'remove', path: 'members[value eq "u1"]' },
      { op: 'remove', path: 'members[value eq "u2"]' },
    ]);
    expect(apply({ ...sent, value: ['u1'] }, only('removeByValue'))).toEqual([
      { op: 'remove', path: 'members[value eq "u1"]' },
    ]);
    expect(
      apply({ op: 'remove', path: 'emails', value: { type: 'work', value: 'a"b' } }, only('removeByValue')),
    ).toEqual([{ op: 'remove', path: 'emails[value eq "a\\"b" and type eq "work"]' }]);
  });

  test('A removal by an empty value removes nothing.', () => {
    expect(apply({ op: 'remove', path: 'members', value: [] }, only('removeByValue'))).toEqual([]);
  });

  test('A removal of all elements, without a value, stays unchanged.', () => {
    const all = { op: 'remove', path: 'members' };
    expect(apply(all, quirksOf('auto'))).toEqual([all]);
    expect(apply(sent, quirksOf('rfc'))).toEqual([sent]);
  });

  test('A removal by value requires a value in each element.', () => {
    expect(() => apply({ ...sent, value: [{ display: 'Ada' }] }, only('removeByValue'))).toThrow(
      expect.objectContaining({ scimType: 'invalidValue' }),
    );
  });
});

describe('resources', () => {
  test('The flag unknownSchemas removes unknown schemas from the list and keeps the content.', () => {
    const group = {
      schemas: [
        'urn:ietf:params:scim:schemas:core:2.0:Group',
        'http://schemas.microsoft.com/2006/11/ResourceManagement/ADSCIM/2.0/Group',
        'urn:example:custom',
      ],
      displayName: 'Engineering',
      'urn:example:custom': { floor: 3 },
    };
    expect(normaliseResource(group, 'Group', only('unknownSchemas'))).toEqual({
      ...group,
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:Group'],
    });
    expect(normaliseResource(group, 'Group', quirksOf('rfc'))).toEqual(group);
  });

  const drafts = ['urn:scim:schemas:core:1.0', 'urn:scim:schemas:core:2.0', 'URN:scim:schemas:core:2.0:User'];

  test.each(drafts)(
    'The draft URN %s becomes the core schema in the profiles onelogin and auto only.',
    (urn) => {
      const user = { schemas: [urn, enterprise], userName: 'ada' };
      const accepting = profileNames.filter((profile) => {
        const { schemas } = normaliseResource(user, 'User', quirksOf(profile));
        return (schemas as string[]).includes('urn:ietf:params:scim:schemas:core:2.0:User');
      });
      expect(accepting.sort()).toEqual(['auto', 'onelogin']);
    },
  );

  test('A draft URN of a user is not accepted for a group.', () => {
    const group = { schemas: ['urn:scim:schemas:core:2.0:User'], displayName: 'Engineering' };
    expect(normaliseResource(group, 'Group', quirksOf('onelogin'))).toEqual(group);
    expect(
      normaliseResource({ ...group, schemas: ['urn:scim:schemas:core:1.0'] }, 'Group', quirksOf('onelogin')),
    ).toEqual({ ...group, schemas: ['urn:ietf:params:scim:schemas:core:2.0:Group'] });
  });

  test('The flags stringBooleans and bareManager also apply to resources.', () => {
    const user = {
      userName: 'ada',
      active: 'False',
      emails: [{ value: 'a@b.c', primary: 'True' }],
      [enterprise]: { manager: '' },
    };
    expect(normaliseResource(user, 'User', quirksOf('entra'))).toEqual({
      userName: 'ada',
      active: false,
      emails: [{ value: 'a@b.c', primary: true }],
      [enterprise]: { manager: null },
    });
    expect(normaliseResource(user, 'User', quirksOf('rfc'))).toEqual(user);
  });
});

test('The flag quotedBooleans applies to filters, but not to their literals.', () => {
  const quirks = only('quotedBooleans');
  expect(normaliseFilter('active eq "False" and emails[primary eq "true"]', quirks)).toBe(
    'active eq false and emails[primary eq true]',
  );
  const literal = 'displayName eq "primary eq \\"true\\""';
  expect(normaliseFilter(literal, quirks)).toBe(literal);
  expect(normaliseFilter('active eq "False"', quirksOf('rfc'))).toBe('active eq "False"');
});

test('The flag bareManager applies to filters, but not to their literals.', () => {
  const full = `${enterprise}:manager.value`;
  const quirks = only('bareManager');
  expect(normaliseFilter('id eq "u1" and manager eq "u7"', quirks)).toBe(`id eq "u1" and ${full} eq "u7"`);
  expect(normaliseFilter('(MANAGER pr) or not(manager ne "u7")', quirks)).toBe(
    `(${full} pr) or not(${full} ne "u7")`,
  );
  for (const other of [
    'displayName eq "the manager eq "',
    'title eq "\\"manager eq "',
    `${enterprise}:manager eq "u7"`,
    `${enterprise}:manager.value eq "u7"`,
    'projectmanager eq "u7"',
  ]) {
    expect(normaliseFilter(other, quirks)).toBe(other);
  }
  expect(normaliseFilter('manager eq "u7"', quirksOf('rfc'))).toBe('manager eq "u7"');
});

describe('profiles', () => {
  const deactivations: Operation[] = [
    { op: 'replace', path: 'active', value: 'False' },
    { op: 'replace', value: { active: false } },
  ];

  test.each(profileNames.filter((name) => name !== 'rfc'))(
    'The profile %s accepts a deactivation.',
    (profile: Profile) => {
      const [entra, okta] = deactivations.map((operation) => apply(operation, quirksOf(profile)));
      expect(entra).toEqual([{ op: 'replace', path: 'active', value: false }]);
      expect(okta).toEqual([{ op: 'replace', value: { active: false } }]);
    },
  );

  test('The profile auto never changes the meaning of requests that the RFC defines.', () => {
    const replace = { op: 'replace', path: 'emails[type eq "work"].value', value: 'a@b.c' };
    expect(apply(replace, quirksOf('auto'))).toEqual([replace]);
    expect(apply({ op: 'replace', path: 'members', value: [] }, quirksOf('auto'))).toEqual([
      { op: 'replace', path: 'members', value: [] },
    ]);
    expect(apply({ op: 'replace', path: 'active', value: 'banana' }, quirksOf('auto'))).toEqual([
      { op: 'replace', path: 'active', value: 'banana' },
    ]);
  });

  test('Names such as __proto__ stay plain names and reach no prototype.', () => {
    const value = JSON.parse(
      '{"__proto__": {"active": "False"}, "constructor": {"prototype": {"polluted": true}}}',
    );
    for (const profile of profileNames) apply({ op: 'replace', value }, quirksOf(profile));
    normaliseResource(value, 'User', quirksOf('auto'));
    expect(({} as Record<string, unknown>).active).toBeUndefined();
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });
});
