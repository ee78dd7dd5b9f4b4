import { describe, expect, test } from '@jest/globals';
import {
  type ClaimMapping,
  changesIssuedClaims,
  checkClaimMappings,
  InvalidClaimMappings,
  scopesToMap,
} from '../../../src/clients/claims/domain/claim-mapping.ts';
import { compile } from '../../../src/clients/claims/domain/expression.ts';
import { evaluateMappings, type MappedClaims } from '../../../src/clients/claims/domain/mapped-claims.ts';
import { isReservedClaim } from '../../../src/clients/claims/domain/reserved-claims.ts';
import { attributesToRequest, userValue } from '../../../src/clients/claims/domain/user-attributes.ts';

const mapping = (expression: string, name = 'x', required = false): ClaimMapping => ({
  name,
  expression,
  required,
});

const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
const document = {
  userName: 'ada',
  displayName: 'Ada L.',
  name: { givenName: 'Ada', familyName: 'Lovelace' },
  title: 'x'.repeat(1_025),
  emails: [{ value: 'a@home.example' }, { value: 'a@work.example', primary: true }, { value: ' ' }],
  [enterprise]: { department: 'Research' },
  'urn:example:hr:2.0:User': { badge: 7, sites: ['Vienna'], __proto__: { x: 1 } },
};

function mapped(mappings: readonly ClaimMapping[], groups: readonly string[] = []): MappedClaims {
  const analyses = mappings.map(({ expression }) => compile(expression, 'api').analysis);
  const read = {
    user: new Set(analyses.flatMap(({ user }) => [...user])),
    extensions: new Set(analyses.flatMap(({ extensions }) => [...extensions])),
  };
  return evaluateMappings(mappings, ({ expression }) => compile(expression, 'api'), {
    tooManyGroups: false,
    variables: {
      user: userValue(document, read),
      groups,
      groupIds: groups.map((_group, at) => `id${at}`),
      roles: ['reader'],
      client: { id: 'app', name: 'The app' },
      api: { identifier: 'https://orders.example/v1' },
    },
  });
}

/** Returns the value of an expression, or the reason for a missing one. */
function resultOf(expression: string, groups?: readonly string[]): unknown {
  checkClaimMappings([mapping(expression)], 'api');
  const { claims, problems } = mapped([mapping(expression)], groups);
  return problems[0]?.failure ?? claims.x;
}

const check = (expression: string, holder: 'api' | 'client' = 'api') =>
  checkClaimMappings([mapping(expression)], holder);

describe('values', () => {
  test.each<[expression: string, value: unknown]>([
    ['"constant"', 'constant'],
    [
      '{"tier": "gold", "level": 3, "share": 0.5, "on": true, "none": null}',
      { tier: 'gold', level: 3, share: 0.5, on: true, none: null },
    ],
    ['user.userName + "@" + user.department', 'ada@Research'],
    ['user.name.givenName', 'Ada'],
    ['user.email', 'a@work.example'],
    ['user.emails.filter(e, e.endsWith("home.example"))', ['a@home.example']],
    ['user.attributes["urn:example:hr:2.0:User:badge"]', 7],
    ['user.attributes["URN:example:hr:2.0:user:sites"]', ['Vienna']],
    ['"urn:example:hr:2.0:User:desk" in user.attributes ? "desk" : "none"', 'none'],
    ['groups.filter(g, g.startsWith("app-")).map(g, g.substring(4))', ['a', 'b']],
    ['"admins" in groups ? "admin" : "user"', 'admin'],
    ['groupIds.size()', 3],
    ['roles', ['reader']],
    ['client.id + " " + api.identifier', 'app https://orders.example/v1'],
    ['has(user.nickName) ? user.nickName : user.displayName', 'Ada L.'],
    ['"nobody" in groups ? dyn("x") : null', 'no_value'],
    ['user.nickName', 'no_value'],
    ['user.title', 'no_value'],
    ['user.emails[5]', 'no_value'],
    ['user.attributes["urn:example:hr:2.0:User:desk"]', 'no_value'],
    ['user.attributes["urn:example:hr:2.0:User:constructor"]', 'no_value'],
    ['1 / 0', 'failed'],
    ['9223372036854775807', 'unsupported_value'],
    ['double("inf")', 'unsupported_value'],
  ])('The value of %s is %j.', (expression, value) => {
    expect(resultOf(expression, ['app-a', 'app-b', 'admins'])).toEqual(value);
  });

  test('An attribute is requested from the directory only if this service does not store it.', () => {
    const requested = (expression: string) => attributesToRequest(compile(expression, 'api').analysis);
    expect(requested('user.userName + user.email + user.name.familyName')).toEqual([]);
    expect(requested('"constant"')).toEqual([]);
    expect(requested('user.userName + user.name.middleName')).toEqual(['userName', 'name']);
    expect(requested('user.department')).toEqual([`${enterprise}:department`]);
    expect(requested('groups')).toEqual(['groups']);
  });

  test('A claim of more than 4,096 bytes, and a claim beyond 8,192 in all, is omitted.', () => {
    const texts = Array.from({ length: 30 }, () => 'g'.repeat(100));
    const all = ['a', 'b', 'c'].map((name) => mapping('groups', name));
    expect(mapped(all, texts)).toMatchObject({
      claims: { a: texts, b: texts },
      problems: [{ name: 'c', failure: 'too_large' }],
    });
    expect(resultOf('groups', [...texts, ...texts])).toBe('too_large');
    expect(resultOf('groups', ['漢'.repeat(1_000)])).toHaveLength(1);
    expect(resultOf('groups', ['漢'.repeat(1_000), '漢'.repeat(1_000)])).toBe('too_large');
    expect(resultOf('groups.map(g, -0.0000001234567890123)', texts)).toHaveLength(30);
    const numbers = Array.from({ length: 300 }, () => 'g');
    expect(resultOf('groups.map(g, -0.0000001234567890123)', numbers)).toBe('too_large');
    const { claims } = mapped(
      Array.from({ length: 32 }, (_, n) => mapping('groups', `claim${n}`)),
      ['漢'.repeat(81)],
    );
    expect(Buffer.byteLength(JSON.stringify(claims))).toBeLessThanOrEqual(8_192);
    expect(Object.keys(claims)).toHaveLength(31);
  });
});

describe('rejected mappings', () => {
  test.each([
    ...['sub', 'aud', 'scope', 'roles', 'groups', 'client_id', 'cnf', 'act', 'email', 'email_verified'],
    ...['preferred_username', 'acr', 'nonce', 'client_epoch', 'grant_id', 'ACR', '__proto__', 'ostiary_x'],
  ])('A mapping cannot set the claim %s.', (name) => {
    expect(isReservedClaim(name)).toBe(true);
    expect(() => checkClaimMappings([mapping('"x"', name)], 'api')).toThrow(
      `claims must not set ${name}, which a standard or this server defines.`,
    );
  });

  test.each<[what: string, given: unknown, message: string]>([
    ['a value that is no list', {}, 'claims must be a list.'],
    [
      '33 entries',
      Array.from({ length: 33 }, (_, n) => mapping('1', `c${n}`)),
      'claims must have at most 32 entries.',
    ],
    ['a name twice', [mapping('1'), mapping('2')], 'claims must not contain a name twice.'],
    ['null', [null], 'claims must have names of 1 to 128'],
    ['an empty name', [mapping('1', '')], 'claims must have names of 1 to 128'],
    ['a name with a space', [mapping('1', 'a b')], 'claims must have names of 1 to 128'],
    [
      'an expression of 1,001 characters',
      [mapping(`"${'x'.repeat(999)}"`)],
      'claims must have expressions of 1 to 1000',
    ],
    ['an empty expression', [mapping(' ')], 'claims must have expressions of 1 to 1000'],
    ['a lone surrogate', [mapping('"\ud800"')], 'claims must have expressions of 1 to 1000'],
    [
      'a required that is no boolean',
      [{ ...mapping('1'), required: 'yes' }],
      'claims must have true or false as required.',
    ],
  ])('Mappings with %s are rejected.', (_what, given, message) => {
    expect(() => checkClaimMappings(given, 'api')).toThrow(message);
  });

  test.each<[expression: string, message: string]>([
    ['user.', 'invalid expression of x'],
    ['user', 'user must be followed by an attribute'],
    ['user.name', 'user.name is unknown'],
    ['user.password', 'user.password is unknown'],
    ['user.__proto__', 'user.__proto__ is unknown'],
    ['user["userName"]', 'user must be followed by an attribute'],
    ['user.constructor', 'user.constructor is unknown'],
    ['groups.constructor', 'List index must be int'],
    ['{"a": 1}.constructor.constructor', 'invalid'],
    ['{"__proto__": groups}', 'names of members must be texts'],
    ['{user.userName: 1}', 'names of members must be texts'],
    ['client', 'client must be followed by a member'],
    ['client.secret', 'No such key: secret'],
    ['globalThis', 'globalThis is unknown'],
    ['google', 'google is unknown'],
    ['user.attributes', 'user.attributes must be followed by'],
    ['user.attributes.badge', 'unknown'],
    ['user.attributes[user.userName]', 'user.attributes requires the URN'],
    ['user.attributes["urn:x:User:a,password"]', 'user.attributes requires the URN'],
    ['"a".matches("(a+)+$")', 'matches() is not supported'],
    ['timestamp("2024-01-01T00:00:00Z")', 'timestamp() is not supported'],
    ['cel.bind(a, groups, a + a)', 'bind() is not supported'],
    ['type(1)', 'type() is not supported'],
    ['b"abc"', 'bytes and unsigned integers are not supported'],
    ['1u', 'bytes and unsigned integers are not supported'],
    ['groups.map(user, user)', 'must not use user'],
    ['groups.map(g, groups.map(g, g))', 'must not use g'],
    ['"a" + 1', 'no such overload'],
    ['unknown(1)', 'unknown() is not supported'],
  ])('The expression %s is rejected.', (expression, message) => {
    expect(() => check(expression)).toThrow(message);
  });

  test('Roles and the API are variables of APIs only.', () => {
    expect(() => check('roles', 'client')).toThrow(
      'roles is unknown; the variables are user, groups, groupIds, client.',
    );
    expect(() => check('api.identifier', 'client')).toThrow('api is unknown');
  });
});

describe('hostile expressions', () => {
  test.each([
    ['each element with each', 'groups.map(g, groups.map(h, g + h))'],
    ['all elements for each', 'groups.map(g, groups)'],
    ['a search for each element in all', 'groups.filter(g, g in groupIds)'],
    ['growing texts', `groups.map(g, ${Array(60).fill('g').join(' + ')})`],
    ['texts in parts for each element', 'groups.map(g, g.split(""))'],
    ['comparison of all for each', 'groups.filter(g, groups == groupIds)'],
    [
      'a search of one large text in another',
      `["${'a'.repeat(800)}"]${'.map(a, a + a + a + a)'.repeat(6)}.exists(s, s.contains("ab" + s.substring(1600000)))`,
    ],
    [
      'a large text in parts by another',
      `["${'a'.repeat(800)}"]${'.map(a, a + a + a + a)'.repeat(3)}.exists(s, s.split("b" + s) == [])`,
    ],
    [
      'loops in loops over an extension attribute',
      `[user.attributes["urn:example:hr:2.0:User:cards"][0]].map(e, e.map(a, e.map(b, e.map(c, e.map(d, e.map(f, 1))))))`,
    ],
    ['a list of lists', `[${Array(50).fill('groups').join(', ')}].map(g, g + g)`],
  ])('An expression that costs more than its limit is rejected: %s.', (_what, expression) => {
    expect(() => check(expression)).toThrow(/is too expensive|can have more than 16384 characters/);
  });

  test.each([
    ['parentheses', `${'('.repeat(400)}1${')'.repeat(400)}`],
    ['negations', `${'!'.repeat(900)}true`],
    ['lists', `${'['.repeat(400)}${']'.repeat(400)}`],
    ['conditions', `${'true ? 1 : '.repeat(80)}1`],
    ['additions', `1${' + 1'.repeat(240)}`],
  ])('A deep or long expression is rejected: %s.', (_what, expression) => {
    expect(() => check(expression)).toThrow(InvalidClaimMappings);
  });

  test('The sum of the costs of all expressions has a limit.', () => {
    const costly = 'groups.filter(g, g.startsWith("a") || g.endsWith("b") || g.startsWith("c"))';
    const all = (count: number) =>
      checkClaimMappings(
        Array.from({ length: count }, (_, n) => mapping(costly, `c${n}`)),
        'api',
      );
    expect(all(5)).toHaveLength(5);
    expect(() => all(32)).toThrow('their total cost is too high');
  });

  test('A large result is rejected before its JSON text is made.', () => {
    const groups = Array.from({ length: 1_000 }, () => 'g'.repeat(1_000));
    expect(resultOf('groups', groups)).toBe('too_large');
    expect(resultOf('groups.map(g, g + g)', groups)).toBe('too_large');
    expect(resultOf('groups.join(",")', groups)).toBe('too_large');
  });

  test('Prototypes of objects stay unchanged.', () => {
    resultOf('user.attributes["urn:example:hr:2.0:User:badge"]');
    expect(({} as Record<string, unknown>).x).toBeUndefined();
  });
});

test('A mapping requires the scopes to read its attributes, and an unreadable one all.', () => {
  const scopes = (...expressions: string[]) =>
    scopesToMap(
      expressions.map((one) => mapping(one)),
      'api',
    );
  expect(scopes('"constant"', 'roles', 'client.id')).toEqual([]);
  expect(scopes('user.userName')).toEqual(['users:read']);
  expect(scopes('"urn:x:a:b" in user.attributes')).toEqual(['users:read']);
  expect(scopes('groups', '1')).toEqual(['groups:read']);
  expect(scopes('user.')).toEqual(['users:read', 'groups:read']);
});

test('Mappings beyond the maximum number are not compiled to determine the required scopes.', () => {
  const many = [...Array.from({ length: 32 }, () => mapping('1')), mapping('user.userName')];
  expect(scopesToMap(many, 'api')).toEqual([]);
});

test('Issued claims change with a removed mapping and with another expression.', () => {
  const before = [mapping('1', 'a')];
  expect(changesIssuedClaims(before, [mapping('1', 'a', true), mapping('2', 'b')])).toBe(false);
  expect(changesIssuedClaims(before, [mapping('2', 'a')])).toBe(true);
  expect(changesIssuedClaims(before, [])).toBe(true);
  expect(changesIssuedClaims([], before)).toBe(false);
});
