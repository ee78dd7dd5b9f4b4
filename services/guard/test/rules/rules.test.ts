import { describe, expect, test } from '@jest/globals';
import { findRule, parseRules, RulesError } from '../../src/rules/index.ts';

const rulesOf = (...rules: object[]) => {
  const [host] = parseRules(
    JSON.stringify({ hosts: [{ host: 'orders.example', audience: 'https://orders.example', rules }] }),
  );
  if (host === undefined) throw new Error('there is no host');
  return host;
};

/** Returns the scopes of the found rule, `public`, or the reason why there is none. */
function found(rules: object[], method: string, path: string): unknown {
  const rule = findRule(rulesOf(...rules), method, path);
  if (typeof rule === 'string') return rule;
  return rule.isPublic ? 'public' : rule.scopes.join(' ');
}

const rules = [
  { path: '/health', public: true },
  { path: '/admin/**', scopes: ['admin'] },
  { path: '/users/*/photo', methods: ['GET'], public: true },
  { path: '/users/**', methods: ['GET', 'POST'], scopes: ['users'] },
];

describe('the rule of a request', () => {
  test.each([
    ['GET', '/health', 'public'],
    ['GET', '/health/', 'public'],
    ['GET', '/health/x', 'none'],
    ['DELETE', '/admin', 'admin'],
    ['DELETE', '/admin/', 'admin'],
    ['GET', '/admin/users/7', 'admin'],
    ['GET', '/%61dmin/users', 'admin'],
    ['GET', '/administration', 'none'],
    ['GET', '/users/7/photo', 'public'],
    ['HEAD', '/users/7/photo', 'public'],
    ['POST', '/users/7/photo', 'users'],
    ['GET', '/users/7/8/photo', 'users'],
    ['DELETE', '/users/7', 'none'],
    ['GET', '/', 'none'],
  ])('For %s %s the first rule that applies is %s.', (method, path, expected) => {
    expect(found(rules, method, path)).toBe(expected);
  });

  test.each([
    ['GET', '/ADMIN/users'],
    ['GET', '/Health'],
    ['GET', '/adm%C4%B1n/users'],
    ['GET', '/%EF%BD%81dmin/users'],
    ['GET', '/users/7/PHOTO'],
    ['get', '/health'],
    ['GET', '/health/../admin'],
    ['G3T', '/health'],
  ])('For %s %s a server could apply another rule, so it is ambiguous.', (method, path) => {
    expect(found(rules, method, path)).toBe('ambiguous');
  });

  test('Different case in a part of the path that no rule distinguishes is not ambiguous.', () => {
    expect(found(rules, 'GET', '/admin/Users/ABC')).toBe('admin');
  });

  test('If every applicable rule is for all paths, a path may contain encoded slashes.', () => {
    const every = [
      { path: '/**', methods: ['GET'], scopes: ['read'] },
      { path: '/**', scopes: ['write'] },
    ];
    expect(found(every, 'GET', '/packages/@a%2fb/../c')).toBe('read');
    expect(found(every, 'PUT', '/packages/@a%2fb')).toBe('write');
  });
});

/** Returns the problems of a rules file. */
function problemsOf(content: unknown): readonly string[] {
  try {
    parseRules(typeof content === 'string' ? content : JSON.stringify(content));
    return [];
  } catch (error) {
    if (error instanceof RulesError) return error.problems;
    throw error;
  }
}

describe('a rules file', () => {
  const host = { host: 'a.example', audience: 'urn:a', rules: [{ path: '/**' }] };
  const withHost = (changes: object) => ({ hosts: [{ ...host, ...changes }] });
  const withRule = (rule: object) => withHost({ rules: [{ path: '/**', ...rule }] });

  test('The origin of a host is https by default.', () => {
    const [read, other] = parseRules(
      JSON.stringify({ hosts: [host, { ...host, host: 'b.example:8443', origin: 'http://b.example:8443' }] }),
    );
    expect([read?.origin, other?.origin]).toEqual(['https://a.example', 'http://b.example:8443']);
  });

  test.each<[string, unknown, string]>([
    ['no JSON', '{', 'The rules file is not valid JSON.'],
    ['a list', [], 'The rules file must be an object with hosts.'],
    ['no hosts', {}, 'hosts must be a list with at least one entry.'],
    ['an unknown member', { hosts: [host], host: 1 }, 'The rules file.host is unknown; known are hosts.'],
    [
      'a host in upper case',
      withHost({ host: 'A.example' }),
      'hosts[0].host must be a host in lower case, such as orders.example.com.',
    ],
    [
      'a host with a path',
      withHost({ host: 'a.example/x' }),
      'hosts[0].host must be a host in lower case, such as orders.example.com.',
    ],
    [
      'sign-ins at two ports of a host',
      {
        hosts: [
          { ...host, signIn: {} },
          { ...host, host: 'a.example:8443', signIn: {} },
        ],
      },
      'hosts[1].signIn must not be at the same name as that of another entry, because browsers send cookies to all ports of a host.',
    ],
    ['a host twice', { hosts: [host, host] }, 'hosts[1].host must differ from the host of each other entry.'],
    [
      'an origin with a path',
      withHost({ origin: 'https://a.example/' }),
      'hosts[0].origin must be an origin such as https://orders.example.com.',
    ],
    ['no audience', withHost({ audience: '' }), 'hosts[0].audience must be a resource identifier.'],
    ['no rules', withHost({ rules: [] }), 'hosts[0].rules must be a list with at least one entry.'],
    [
      'a misspelt condition',
      withRule({ scope: ['a'] }),
      'hosts[0].rules[0].scope is unknown; known are path, methods, public, scopes, roles, groups, acr, maxAge.',
    ],
    [
      'a scope that is no list',
      withRule({ scopes: 'a' }),
      'hosts[0].rules[0].scopes must be scopes, as a list with at least one entry.',
    ],
    [
      'an empty list of classes',
      withRule({ acr: [] }),
      'hosts[0].rules[0].acr must be classes of the sign-in, as a list with at least one entry.',
    ],
    [
      'a method in lower case',
      withRule({ methods: ['get'] }),
      'hosts[0].rules[0].methods must be methods in upper case, as a list with at least one entry.',
    ],
    ['public as a text', withRule({ public: 'yes' }), 'hosts[0].rules[0].public must be true or false.'],
    [
      'an empty list of roles',
      withRule({ roles: [] }),
      'hosts[0].rules[0].roles must be names of roles, as a list with at least one entry.',
    ],
    [
      'a group without a name',
      withRule({ groups: [' '] }),
      'hosts[0].rules[0].groups must be names of groups, as a list with at least one entry.',
    ],
    [
      'a public path with scopes',
      withRule({ public: true, scopes: ['a'] }),
      'hosts[0].rules[0] must not have scopes, roles, groups, acr, maxAge, because it is public.',
    ],
    [
      'an age as a text',
      withRule({ maxAge: '5' }),
      'hosts[0].rules[0].maxAge must be a whole number of seconds.',
    ],
    ...['orders', '/a/**/b', '/a*', '/a/../b', '/a?b', '/%2a', ''].map((path): [string, unknown, string] => [
      `the pattern "${path}"`,
      withRule({ path }),
      'hosts[0].rules[0].path must be a path such as /orders, /orders/* (one segment) or /orders/** (the path and all below it).',
    ]),
  ])('A file with %s is rejected.', (_name, content, problem) => {
    expect(problemsOf(content)[0]).toBe(problem);
  });

  test('A sign-in has default scopes and times.', () => {
    const [read] = parseRules(JSON.stringify(withHost({ signIn: { scopes: ['a', 'openid'] } })));
    expect(read?.signIn).toEqual({ scopes: ['openid', 'a'], lifetimeSeconds: 43_200, idleSeconds: 14_400 });
  });

  test.each<[string, object, string]>([
    ['another origin', { origin: 'https://b.example', signIn: {} }, 'requires https://a.example as origin'],
    ['no encryption', { origin: 'http://a.example', signIn: {} }, 'requires https://a.example as origin'],
    ['offline access', { signIn: { scopes: ['offline_access'] } }, '.scopes must not contain offline_access'],
    ['no lifetime', { signIn: { lifetimeSeconds: 0 } }, '.lifetimeSeconds must be a whole number of seconds'],
    [
      'an idle time as a text',
      { signIn: { idleSeconds: '5' } },
      '.idleSeconds must be a whole number of seconds',
    ],
    [
      'a path after the sign-out',
      { signIn: { postLogoutRedirectUri: '/bye' } },
      '.postLogoutRedirectUri must be a URL',
    ],
    ['an unknown member', { signIn: { scope: 'a' } }, '.scope is unknown'],
    ['a sign-in that is no object', { signIn: true }, 'must be an object'],
  ])('A sign-in with %s is rejected.', (_name, changes, problem) => {
    expect(problemsOf(withHost(changes))[0]).toContain(problem);
  });

  test('All problems of a file are reported together.', () => {
    expect(problemsOf(withHost({ host: '', audience: 7, rules: 'none' }))).toHaveLength(3);
  });
});
