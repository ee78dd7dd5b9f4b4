import { describe, expect, test } from '@jest/globals';
import { takePassword, takePasswordFromOperations } from '../../src/resources/domain/password.ts';

const secret = 'correct horse battery staple';
const core = 'urn:ietf:params:scim:schemas:core:2.0:User';

describe('Passwords in resources', () => {
  test.each([
    { userName: 'ada', password: secret },
    { userName: 'ada', PassWord: secret },
    { userName: 'ada', [`${core}:password`]: secret },
    { userName: 'ada', [core.toLowerCase()]: { password: secret } },
  ])('The password is removed from the resource %j.', (resource) => {
    const { rest, password } = takePassword(resource);
    expect(password).toBe(secret);
    expect(JSON.stringify(rest)).not.toContain(secret);
    expect(rest.userName).toBe('ada');
  });

  test('A null value is not treated as a password.', () => {
    expect(takePassword({ userName: 'ada', password: null })).toEqual({
      rest: { userName: 'ada' },
      password: undefined,
    });
  });

  test.each([[''], [7], [{}], [['x']], ['x'.repeat(1025)]])('The password %j is rejected.', (password) => {
    expect(() => takePassword({ password })).toThrow(expect.objectContaining({ scimType: 'invalidValue' }));
  });
});

describe('Passwords in operations', () => {
  test.each([
    { op: 'replace', path: 'password', value: secret },
    { op: 'add', path: ' Password ', value: secret },
    { op: 'replace', path: `${core}:password`, value: secret },
    { op: 'replace', value: { password: secret } },
    { op: 'replace', value: { [`${core}:password`]: secret } },
    { op: 'replace', value: { [core]: { password: secret } } },
    { op: 'replace', path: core, value: { password: secret } },
  ])('The password is removed from the operation %j.', (operation) => {
    const other = { op: 'replace', path: 'displayName', value: 'Ada' };
    const { rest, password } = takePasswordFromOperations([operation, other]);
    expect(password).toBe(secret);
    expect(JSON.stringify(rest)).not.toContain(secret);
    expect(rest).toContainEqual(other);
  });

  test('The last password counts, and the attributes beside it remain.', () => {
    const { rest, password } = takePasswordFromOperations([
      { op: 'replace', path: 'password', value: 'first' },
      { op: 'replace', value: { password: 'second', active: true } },
    ]);
    expect(password).toBe('second');
    expect(rest).toEqual([{ op: 'replace', value: { active: true } }]);
  });

  test('A password cannot be removed, and no part of it can be addressed.', () => {
    expect(() => takePasswordFromOperations([{ op: 'remove', path: 'password' }])).toThrow(
      expect.objectContaining({ scimType: 'mutability' }),
    );
    for (const path of ['password.value', 'password[value eq "x"]']) {
      expect(() => takePasswordFromOperations([{ op: 'replace', path, value: secret }])).toThrow(
        expect.objectContaining({ scimType: 'invalidPath' }),
      );
    }
  });
});
