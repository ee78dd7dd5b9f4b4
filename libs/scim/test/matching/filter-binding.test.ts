import { describe, expect, test } from '@jest/globals';
import {
  bindFilter,
  bindSortBy,
  coreRegistry,
  ENTERPRISE_USER_SCHEMA,
  parseFilter,
  USER_SCHEMA,
} from '../../src/index.ts';

const registry = coreRegistry();
const scimType = (type: string) => expect.objectContaining({ scimType: type }) as unknown as Error;

describe('binding', () => {
  test.each([
    'unknown eq "x"',
    'employeeNumber eq "x"',
    'urn:ietf:params:scim:schemas:core:2.0:Group:displayName eq "x"',
    'urn:unknown:a eq "x"',
    `${ENTERPRISE_USER_SCHEMA} pr`,
    'name.unknown pr',
    'userName.value pr',
    'members.value pr',
    'emails[unknown eq "x"]',
    'emails[emails.type eq "x"]',
    'emails[urn:a:type eq "x"]',
    'emails[type eq "x"].unknown eq "y"',
    'userName[value eq "x"]',
    'password pr',
    'password eq "x"',
    'password sw "x"',
    'active gt true',
    'active co "t"',
    'active eq "true"',
    'active eq 1',
    'userName eq 1',
    'userName eq true',
    'userName gt null',
    'userName co null',
    'name eq "x"',
    'addresses eq "x"',
    'meta eq "x"',
    'meta.created co "2011"',
    'meta.created gt "yesterday"',
    'meta.created gt 2011',
    'x509Certificates.value gt "a"',
    'x509Certificates.value co "a"',
    'emails eq 1',
    'constructor pr',
    'toString pr',
    'hasOwnProperty.call pr',
  ])('The filter %s is rejected for users.', (filter) => {
    expect(() => bindFilter(parseFilter(filter), registry, 'User')).toThrow(scimType('invalidFilter'));
  });

  test('The parameter sortBy accepts single values only.', () => {
    expect(bindSortBy('EMAILS', registry, 'User').canonical).toBe('emails.value');
    expect(bindSortBy(`${USER_SCHEMA}:name.givenname`, registry, 'User').canonical).toBe('name.givenName');
    for (const sortBy of [
      'name',
      'password',
      'unknown',
      'emails[type pr]',
      'a b',
      ENTERPRISE_USER_SCHEMA,
      '__proto__',
    ]) {
      expect(() => bindSortBy(sortBy, registry, 'User')).toThrow(scimType('invalidPath'));
    }
  });
});
