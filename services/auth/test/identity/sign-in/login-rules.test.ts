import { describe, expect, test } from '@jest/globals';
import { userNameKey } from '@ostiary/scim';
import { PasswordHasher, PasswordQueueFull } from '../../../src/identity/sign-in/domain/password.ts';
import { defaultCost, passwordCost } from '../../../src/identity/sign-in/domain/password-cost.ts';
import { parseParameters } from '../../../src/platform/protocol/domain/parameters.ts';
import { acceptable } from '../../support/sign-in/acceptable.ts';

const cost = passwordCost(defaultCost);

describe('passwords', () => {
  const hasher = new PasswordHasher({ concurrency: 2, cost });

  test('Passwords are stored as argon2id PHC strings with a salt of their own.', async () => {
    const [one, two] = await Promise.all([
      hasher.hash(acceptable('secret')),
      hasher.hash(acceptable('secret')),
    ]);
    expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
    expect(one).not.toBe(two);
    expect(await hasher.verify('secret', one)).toBe(true);
    expect(await hasher.verify('Secret', one)).toBe(false);
  });

  test('Passwords are significant to their last byte, unlike with bcrypt.', async () => {
    const long = 'x'.repeat(100);
    const phc = await hasher.hash(acceptable(`${long}1`));
    expect(await hasher.verify(`${long}2`, phc)).toBe(false);
  });

  test('Passwords are equal in each Unicode composition that a keyboard produces.', async () => {
    const phc = await hasher.hash(acceptable('caf\u00e9'));
    expect(await hasher.verify('cafe\u0301', phc)).toBe(true);
  });

  test('Passwords never match a missing or damaged hash.', async () => {
    expect(await hasher.verify('secret', undefined)).toBe(false);
    expect(await hasher.verify('secret', '$argon2id$broken')).toBe(false);
  });

  test('Passwords wait to be hashed in a queue of limited length.', async () => {
    const narrow = new PasswordHasher({ concurrency: 1, maxWaiting: 2, cost });
    const results = await Promise.allSettled(Array.from({ length: 5 }, () => narrow.hash(acceptable('x'))));
    expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(3);
    for (const result of results) {
      if (result.status === 'rejected') expect(result.reason).toBeInstanceOf(PasswordQueueFull);
    }
    expect(narrow.waiting).toBe(0);
    expect(await narrow.hash(acceptable('x'))).toContain('$argon2id$');
  });
});

describe('user names', () => {
  test.each([
    ['without case', 'ALICE@Example.com', 'alice@example.com'],
    ['however an accent was typed', 'Rene\u0301', 'ren\u00e9'],
    ['whatever the width of their letters', '\uff21lice', 'alice'],
    ['also where composing depends on case', 'J\u030C', 'j\u030C'],
  ])('User names are compared %s.', (_how, one, other) => {
    expect(userNameKey(one)).toBe(userNameKey(other));
  });

  test('User names that differ remain different.', () => {
    expect(userNameKey('stra\u00dfe')).not.toBe(userNameKey('strasse'));
    expect(userNameKey('AL\u0130CE')).not.toBe(userNameKey('alice'));
  });
});

describe('parameters', () => {
  test('Parameters are decoded strictly, with every repetition kept and empty ones left out.', () => {
    expect(parseParameters('a=1&b=x+y%20z&a=2&c=&d')).toEqual(
      new Map([
        ['a', ['1', '2']],
        ['b', ['x y z']],
      ]),
    );
    expect(parseParameters('__proto__=1&constructor=2')).toEqual(
      new Map([
        ['__proto__', ['1']],
        ['constructor', ['2']],
      ]),
    );
  });

  test.each([
    'a=%',
    'a=%zz',
    'a=%ff',
    'a=%00',
    'a=%ed%a0%80',
    'a=é',
    'a=\n',
    Array(101).fill('a=1').join('&'),
  ])('Parameters are rejected as a whole if one is malformed: %j.', (text) => {
    expect(parseParameters(text)).toBeUndefined();
  });
});
