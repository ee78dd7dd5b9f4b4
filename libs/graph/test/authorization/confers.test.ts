import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Issuer } from '@ostiary/access/testing';
import {
  buildGuardedSchema,
  type Conferring,
  type GraphContext,
  SchemaRuleError,
  withinTheChange,
} from '../../src/index.ts';
import { federation, type RunningSubgraph, serveSubgraph } from '../support/subgraph.ts';

const mayWrite = '@scopes(any: ["clients:write"])';
const typeDefs = `${federation}
type Query { a: Int @scopes(user: true) }
type Mutation {
  end: Boolean ${mayWrite} @confers(nothing: true)
  endLately: Boolean ${mayWrite} @confers(nothing: true, recentSignIn: true)
  make(scopes: [String!]): Boolean ${mayWrite} @confers(rights: ["key"], recentSignIn: true)
  makeBoth(scopes: [String!]): Boolean ${mayWrite} @confers(rights: ["key", "admin"], recentSignIn: true)
  put: Boolean ${mayWrite} @confers(rights: ["later"], recentSignIn: true)
}`;

/** Policy of the tenants. */
const required = { secondFactor: false };
const conferring: Conferring<unknown> = {
  signInTerms: async () => ({ policy: { requireSecondFactorForAdministrators: required.secondFactor } }),
  rights: {
    key: ({ scopes }: { scopes?: string[] | null }) => scopes ?? undefined,
    admin: async (_args: object, { tenant }: GraphContext) => (tenant === 'demo' ? ['roles:write'] : []),
    later: withinTheChange,
  },
};

describe('rejected schemas', () => {
  const problemsOf = (mutations: string, rights: Conferring<unknown>['rights'] = {}): readonly string[] => {
    try {
      const sdl = `${federation} type Query { a: Int @scopes(user: true) } type Mutation { ${mutations} }`;
      buildGuardedSchema(sdl, {}, { introspection: false, conferring: { ...conferring, rights } });
      return [];
    } catch (error) {
      if (error instanceof SchemaRuleError) return error.problems;
      throw error;
    }
  };

  test('A schema is rejected when mutations do not declare their conferred rights, and the error names all of them.', () => {
    expect(
      problemsOf('a: Int @scopes(any: ["clients:write"]) b: Int @scopes(any: ["clients:write"])'),
    ).toEqual(['Mutation.a lacks @confers', 'Mutation.b lacks @confers']);
  });

  test('A schema is rejected when a mutation declares both nothing and rights, or neither.', () => {
    expect(
      problemsOf(
        `a: Int @scopes(any: ["clients:write"]) @confers
         b: Int @scopes(any: ["clients:write"]) @confers(nothing: true, rights: ["key"], recentSignIn: true)`,
        { key: withinTheChange },
      ),
    ).toEqual(['Mutation.a confers either nothing or rights', 'Mutation.b confers either nothing or rights']);
  });

  test('A schema is rejected when a mutation confers rights without a recent sign-in.', () => {
    expect(
      problemsOf('a: Int @scopes(any: ["clients:write"]) @confers(rights: ["key"])', {
        key: withinTheChange,
      }),
    ).toEqual(['Mutation.a confers rights, and so takes a recent sign-in']);
  });

  test('A schema is rejected when a conferred right has no rule, or a rule belongs to no mutation.', () => {
    expect(
      problemsOf('a: Int @scopes(any: ["clients:write"]) @confers(rights: ["key"], recentSignIn: true)', {
        other: withinTheChange,
      }),
    ).toEqual([
      'Mutation.a confers "key", for which there is no rule',
      '"other" has a rule, but no mutation confers it',
    ]);
  });
});

describe('before a mutation is executed', () => {
  const done: string[] = [];
  let issuer: Issuer;
  let graph: RunningSubgraph;
  beforeAll(async () => {
    issuer = new Issuer();
    const noting = (name: string) => () => done.push(name) > 0;
    graph = await serveSubgraph(issuer, {
      typeDefs,
      resolvers: {
        Mutation: Object.fromEntries(
          ['end', 'endLately', 'make', 'makeBoth', 'put'].map((name) => [name, noting(name)]),
        ),
      },
      loaders: () => ({}),
      conferring,
    });
  });
  afterAll(() => graph.close());
  beforeEach(() => {
    done.splice(0);
    required.secondFactor = false;
  });

  const now = () => Math.floor(Date.now() / 1000);
  const app = (...scopes: string[]) => issuer.token({ subject: 'app', scopes: ['clients:write', ...scopes] });
  const person = (ago: number | undefined, ...scopes: string[]) =>
    issuer.token({
      subject: 'alice',
      client: 'web',
      scopes: ['clients:write', ...scopes],
      ...(ago === undefined ? {} : { authTime: now() - ago }),
    });
  const outcome = async (mutation: string, token: string): Promise<unknown> => {
    const { body } = await graph.ask(`mutation { ${mutation} }`, { token });
    const error = body.errors?.[0];
    return error ? [error.extensions.code, error.extensions.scopes ?? error.extensions.maxAge] : 'done';
  };

  test('A caller must hold the conferred scopes at the time of the mutation.', async () => {
    expect(await outcome('make(scopes: ["users:read"])', app())).toEqual(['FORBIDDEN', ['users:read']]);
    expect(await outcome('make(scopes: ["users:read"])', app('users:read'))).toBe('done');
    expect(await outcome('makeBoth(scopes: ["users:read"])', app('users:read'))).toEqual([
      'FORBIDDEN',
      ['roles:write'],
    ]);
    expect(done).toEqual(['make']);
  });

  test('Scopes that concern only the user need not be held by the caller.', async () => {
    expect(await outcome('make(scopes: ["openid", "profile", ""])', app())).toBe('done');
  });

  test('A user must have signed in recently, even to confer a right without a scope.', async () => {
    expect(await outcome('make(scopes: [])', person(1000))).toEqual([
      'INSUFFICIENT_USER_AUTHENTICATION',
      900,
    ]);
    expect(await outcome('make(scopes: [])', person(undefined))).toEqual([
      'INSUFFICIENT_USER_AUTHENTICATION',
      900,
    ]);
    expect(await outcome('endLately', person(1000))).toEqual(['INSUFFICIENT_USER_AUTHENTICATION', 900]);
    expect(done).toEqual([]);
    expect(await outcome('make(scopes: [])', person(10))).toBe('done');
    expect(await outcome('endLately', person(10))).toBe('done');
  });

  test('No recent sign-in is required where nothing is conferred, or not with the given arguments.', async () => {
    expect(await outcome('end', person(1000))).toBe('done');
    expect(await outcome('make', person(1000))).toBe('done');
    expect(await outcome('put', person(1000))).toBe('done');
  });

  describe('where the tenant requires two factors of administrators', () => {
    beforeEach(() => {
      required.secondFactor = true;
    });
    const signedIn = (acr: string, ago: number, ...scopes: string[]) =>
      issuer.token({ subject: 'alice', client: 'web', scopes, acr, authTime: now() - ago });
    const challenge = {
      code: 'INSUFFICIENT_USER_AUTHENTICATION',
      acrValues: ['urn:ostiary:acr:2fa', 'phr'],
      maxAge: 900,
    };
    const answer = async (mutation: string, token: string): Promise<unknown> => {
      const { body } = await graph.ask(`mutation { ${mutation} }`, { token });
      return body.errors?.[0]?.extensions ?? 'done';
    };
    const steppedUp = ['endLately', 'make(scopes: [])', 'makeBoth(scopes: [])'];
    const [weak, strong] = ['urn:ostiary:acr:1fa', 'urn:ostiary:acr:2fa'] as const;

    test.each(steppedUp)(
      'The mutation %s is rejected after a one-factor sign-in, and the error names the acr values that suffice.',
      async (mutation) => {
        const scopes = ['clients:write', 'roles:write'];
        expect(await answer(mutation, signedIn(weak, 10, ...scopes))).toEqual(challenge);
        expect(done).toEqual([]);
        expect(await answer(mutation, signedIn(strong, 10, ...scopes))).toBe('done');
        expect(await answer(mutation, signedIn(strong, 1000, ...scopes))).toEqual(challenge);
      },
    );

    test.each([...steppedUp, 'put'])(
      'The mutation %s returns that challenge also to a user whose role brings no scope without a second factor.',
      async (mutation) => {
        expect(await answer(mutation, signedIn(weak, 10, 'openid'))).toEqual(challenge);
        const scopes = ['clients:write'];
        expect(await answer(mutation, signedIn(strong, 10, 'openid'))).toMatchObject({
          code: 'FORBIDDEN',
          scopes,
        });
        expect(await answer(mutation, issuer.token({ subject: 'app' }))).toMatchObject({
          code: 'FORBIDDEN',
          scopes,
        });
      },
    );

    test('Mutations without a recent sign-in and calls by clients are not affected by the required second factor.', async () => {
      expect(await answer('end', signedIn(weak, 1000, 'clients:write'))).toBe('done');
      expect(await answer('end', signedIn(weak, 10))).toMatchObject({ code: 'FORBIDDEN' });
      expect(await answer('endLately', app())).toBe('done');
    });
  });

  test('A caller without access to the mutation is rejected for that first.', async () => {
    const stranger = issuer.token({ subject: 'app', scopes: ['roles:write', 'users:read'] });
    expect(await outcome('make(scopes: ["users:write"])', stranger)).toEqual([
      'FORBIDDEN',
      ['clients:write'],
    ]);
    expect((await graph.ask('mutation { make }')).body.errors?.[0]?.extensions.code).toBe('UNAUTHENTICATED');
  });
});
