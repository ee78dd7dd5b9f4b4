import { describe, expect, test } from '@jest/globals';
import type { AttributeRule } from '../../src/index.ts';
import {
  applyPatch,
  checkAttributeRule,
  coreRegistry,
  parseOperations,
  validateResource,
} from '../../src/index.ts';

const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
const userUrn = 'urn:ietf:params:scim:schemas:core:2.0:User';
const registry = coreRegistry();

const withheldBy = (rule: AttributeRule, type = 'User'): string[] => {
  const seen = registry.restrictedTo(rule);
  return seen
    .attributes(type)
    .flatMap((attribute) => [
      ...(attribute.withheld ? [attribute.name] : []),
      ...(attribute.subAttributes ?? [])
        .filter((sub) => sub.withheld)
        .map((sub) => `${attribute.name}.${sub.name}`),
    ]);
};

describe('the registry of a caller with restricted attributes', () => {
  test('A rule of mode except withholds the named attributes, in any case and notation.', () => {
    expect(withheldBy({ mode: 'except', paths: ['TITLE', `${userUrn}:active`, 'name.familyName'] })).toEqual([
      'name.familyName',
      'title',
      'active',
    ]);
    expect(withheldBy({ mode: 'except', paths: ['title'] }, 'Group')).toEqual([]);
  });

  test('A rule of mode only withholds all other attributes, but neither externalId nor readOnly attributes.', () => {
    const withheld = withheldBy({ mode: 'only', paths: ['userName', 'name.givenName'] });
    expect(withheld).toEqual(
      expect.arrayContaining(['displayName', 'active', 'emails', 'password', 'name.familyName']),
    );
    for (const free of [
      'userName',
      'name',
      'name.givenName',
      'externalId',
      'schemas',
      'id',
      'meta',
      'groups',
    ]) {
      expect(withheld).not.toContain(free);
    }
  });

  test('A rule can name a schema as a whole.', () => {
    const without = registry.restrictedTo({ mode: 'except', paths: [enterprise] });
    expect(without.extensionAttribute('User', enterprise, 'department')?.withheld).toBe(true);
    const alone = registry.restrictedTo({ mode: 'only', paths: [enterprise] });
    expect(alone.extensionAttribute('User', enterprise, 'department')?.withheld).toBeUndefined();
    expect(alone.attribute('User', 'title')?.withheld).toBe(true);
  });

  test('The restricted registry is created once for each rule.', () => {
    const rule = { mode: 'only', paths: ['title'] } as const;
    expect(registry.restrictedTo({ ...rule })).toBe(registry.restrictedTo({ ...rule }));
    expect(registry.restrictedTo({ mode: 'except', paths: ['title'] })).not.toBe(registry.restrictedTo(rule));
  });

  test('An empty list of writable attributes permits no change at all.', () => {
    const none = registry.restrictedTo({ mode: 'only', paths: [] });
    const current = { schemas: [userUrn], userName: 'ada', title: 'Countess' };
    const body = { schemas: [userUrn], userName: 'bob', title: 'Duchess', nickName: 'B' };
    expect(validateResource(body, none, 'User', 'replace', { current })).toEqual(current);
    expect(() =>
      applyPatch(current, parseOperations([{ op: 'remove', path: 'title' }]), none, 'User'),
    ).toThrow(expect.objectContaining({ scimType: 'mutability' }));
    expect(() => validateResource(body, none, 'User', 'create')).toThrow(
      expect.objectContaining({ scimType: 'invalidValue' }),
    );
  });
});

test.each([
  'noSuchThing',
  'emails.value',
  'emails[type eq "work"]',
  'id',
  'meta',
  'groups',
  'externalId',
  'schemas',
  'name.',
  '',
  '__proto__',
  'constructor',
  `${enterprise}:nothing`,
  'urn:example:nothing',
])('The path %j is rejected in a rule.', (path) => {
  expect(() => checkAttributeRule({ mode: 'only', paths: [path] }, registry)).toThrow(
    expect.objectContaining({ scimType: 'invalidPath' }),
  );
});

test('The paths of a rule are attributes, parts of single-valued attributes and schemas.', () => {
  const paths = [
    'title',
    'members',
    'name.familyName',
    enterprise,
    `${enterprise}:manager`,
    userUrn,
    `${userUrn}:title`,
  ];
  expect(() => checkAttributeRule({ mode: 'only', paths }, registry)).not.toThrow();
});
