import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Issuer } from '@ostiary/access/testing';
import { federation, type GraphResponse, type RunningSubgraph, serveSubgraph } from '../support/subgraph.ts';

const typeDefs = `${federation}
type Query {
  any: Thing @scopes(any: ["things:read", "things:write"])
  user: Thing @scopes(user: true)
  anyOrUser: Thing @scopes(any: ["things:read"], user: true)
  node(kind: String!): Node @scopes(user: true, any: ["nodes:read"])
  found: [Found!] @scopes(any: ["nodes:read"])
}
type Mutation { change: Boolean @scopes(any: ["things:write"]) @confers(nothing: true) }
type Thing @scopes(inherit: true) { id: ID! open: String note: String @scopes(any: ["notes:read"]) mine: String @scopes(owner: "ownerId") }
interface Node @scopes(any: ["nodes:read"]) { id: ID! secret: String }
type Person implements Node @key(fields: "id") @scopes(any: ["people:read"], owner: "id") { id: ID! secret: String name: String! }
type Robot implements Node { id: ID! secret: String model: String @scopes(any: ["robots:read"]) }
union Found = Person | Robot
type Account @key(fields: "id") { id: ID! @scopes(inherit: true) balance: Int @scopes(any: ["accounts:read"], owner: "id") memberOf: String @scopes(any: ["accounts:read"], owner: "memberId") }
`;

let changes = 0;
const loaded: string[] = [];
const thing = { id: 't1', open: 'open', note: 'note', mine: 'mine', ownerId: 'alice' };
const people: Record<string, object> = {
  alice: { id: 'alice', secret: 's-alice', name: 'Alice' },
  bob: { id: 'bob', secret: 's-bob', name: 'Bob' },
};
const resolvers = {
  Query: {
    any: () => thing,
    user: () => thing,
    anyOrUser: () => thing,
    node: (_: unknown, args: { kind: string }) =>
      args.kind === 'robot'
        ? { __typename: 'Robot', id: 'r1', secret: 'oil', model: 'R2' }
        : { __typename: 'Person', ...people[args.kind] },
    found: () => [
      { __typename: 'Person', ...people.bob },
      { __typename: 'Robot', id: 'r1', secret: 'oil', model: 'R2' },
    ],
  },
  Mutation: { change: () => ++changes > 0 },
  Person: {
    __resolveReference: (reference: { id: string }) => {
      loaded.push(reference.id);
      return people[reference.id] ?? null;
    },
  },
  Account: {
    __resolveReference: (reference: { id: string }) => {
      loaded.push(reference.id);
      return reference.id === 'gone' ? null : { ...reference, balance: 5, memberOf: 'x' };
    },
  },
};

let issuer: Issuer;
let graph: RunningSubgraph;
beforeAll(async () => {
  issuer = new Issuer();
  graph = await serveSubgraph(issuer, { typeDefs, resolvers, loaders: () => ({}) });
});
afterAll(() => graph.close());

const codes = ({ body }: GraphResponse) =>
  (body.errors ?? []).map((error) => [error.path?.join('.'), error.extensions.code]);
const user = (subject: string, ...scopes: string[]) => issuer.token({ subject, client: 'web', scopes });
const client = (...scopes: string[]) => issuer.token({ subject: 'job', scopes });

describe('every rule for every kind of caller', () => {
  const outcomes: [
    field: string,
    caller: string,
    token: () => string | undefined,
    code: string | undefined,
  ][] = [
    ['any', 'no token', () => undefined, 'UNAUTHENTICATED'],
    ['any', 'a client without the scope', () => client('other'), 'FORBIDDEN'],
    ['any', 'a client with the first scope', () => client('things:read'), undefined],
    ['any', 'a client with the second scope', () => client('things:write'), undefined],
    ['any', 'a user without the scope', () => user('alice'), 'FORBIDDEN'],
    ['any', 'a user with the scope', () => user('alice', 'things:read'), undefined],
    ['user', 'no token', () => undefined, 'UNAUTHENTICATED'],
    ['user', 'a client with every scope', () => client('things:read', 'things:write'), 'FORBIDDEN'],
    ['user', 'a user', () => user('alice'), undefined],
    ['anyOrUser', 'no token', () => undefined, 'UNAUTHENTICATED'],
    ['anyOrUser', 'a client without the scope', () => client(), 'FORBIDDEN'],
    ['anyOrUser', 'a client with the scope', () => client('things:read'), undefined],
    ['anyOrUser', 'a user', () => user('alice'), undefined],
  ];
  test.each(outcomes)('The rule of the field %s holds for %s.', async (field, _caller, token, code) => {
    const answer = await graph.ask(`{ ${field} { id open } }`, { token: token() ?? '' });
    expect(codes(answer)).toEqual(code ? [[field, code]] : []);
    expect(answer.body.data).toEqual({ [field]: code ? null : { id: 't1', open: 'open' } });
    expect(answer.status).toBe(code === 'UNAUTHENTICATED' ? 401 : 200);
  });

  test('A field has its own rule beside a field with an inherited rule.', async () => {
    const answer = await graph.ask('{ any { open note } }', { token: client('things:read') });
    expect(codes(answer)).toEqual([['any.note', 'FORBIDDEN']]);
    expect(answer.body.data).toEqual({ any: { open: 'open', note: null } });
    expect(answer.body.errors?.[0]?.extensions).toEqual({ code: 'FORBIDDEN', scopes: ['notes:read'] });
  });

  test('An owner reads their own field; another user or a client of the same name does not.', async () => {
    const ask = async (token: string) => codes(await graph.ask('{ anyOrUser { mine } }', { token }));
    expect(await ask(user('alice'))).toEqual([]);
    expect(await ask(user('bob'))).toEqual([['anyOrUser.mine', 'FORBIDDEN']]);
    expect(await ask(issuer.token({ subject: 'alice', scopes: ['things:read'] }))).toEqual([
      ['anyOrUser.mine', 'FORBIDDEN'],
    ]);
  });

  test('A rejected mutation has no effect.', async () => {
    const before = changes;
    expect(codes(await graph.ask('mutation { change }', { token: client('things:read') }))).toEqual([
      ['change', 'FORBIDDEN'],
    ]);
    expect(codes(await graph.ask('mutation { change }'))).toEqual([['change', 'UNAUTHENTICATED']]);
    expect(changes).toBe(before);
    expect(codes(await graph.ask('mutation { change }', { token: client('things:write') }))).toEqual([]);
    expect(changes).toBe(before + 1);
  });

  test('Aliases and fragments do not bypass a rule.', async () => {
    const answer = await graph.ask(
      '{ any { id } x: any { y: note ...F } } fragment F on Thing { note ... { z: note } }',
      { token: client('things:read') },
    );
    expect(answer.body.data).toEqual({ any: { id: 't1' }, x: { y: null, note: null, z: null } });
  });
});

describe('interfaces and unions', () => {
  test('The rule of the interface and the rule of the type both apply.', async () => {
    const ask = async (kind: string, ...scopes: string[]) =>
      codes(await graph.ask(`{ node(kind: "${kind}") { secret } }`, { token: user('alice', ...scopes) }));
    expect(await ask('bob', 'nodes:read')).toEqual([['node.secret', 'FORBIDDEN']]);
    expect(await ask('bob', 'people:read')).toEqual([['node.secret', 'FORBIDDEN']]);
    expect(await ask('bob', 'people:read', 'nodes:read')).toEqual([]);
    expect(await ask('alice', 'nodes:read')).toEqual([]);
  });

  test('A type without its own rule has the rule of its interface, also when selected by the concrete type.', async () => {
    const ask = async (selection: string, ...scopes: string[]) =>
      codes(
        await graph.ask(`{ node(kind: "robot") { ${selection} } }`, {
          token: user('alice', ...scopes),
        }),
      );
    expect(await ask('... on Robot { secret }')).toEqual([['node.secret', 'FORBIDDEN']]);
    expect(await ask('... on Robot { secret model }', 'nodes:read')).toEqual([['node.model', 'FORBIDDEN']]);
  });

  test('Members of a union keep their rules.', async () => {
    const answer = await graph.ask('{ found { __typename ... on Person { name } ... on Robot { id } } }', {
      token: client('nodes:read'),
    });
    expect(codes(answer)).toEqual([['found.0.name', 'FORBIDDEN']]);
  });
});

describe('entities asked for directly', () => {
  const entities = (selection: string, representations: unknown, token?: string) =>
    graph.ask(`query ($r: [_Any!]!) { _entities(representations: $r) { ${selection} } }`, {
      variables: { r: representations },
      ...(token ? { token } : {}),
    });
  const account = (id: string, more: object = {}) => ({ __typename: 'Account', id, ...more });

  test('A request for entities without a token fails for each field, and nothing is loaded.', async () => {
    loaded.length = 0;
    const answer = await entities('... on Account { id balance }', [account('a')]);
    expect(codes(answer)).toEqual([['_entities.0.id', 'UNAUTHENTICATED']]);
    expect(answer.status).toBe(401);
    expect(loaded).toEqual([]);
  });

  test('A request without the scope returns the same for an id that exists and one that does not.', async () => {
    loaded.length = 0;
    const token = client('other');
    const here = await entities('... on Account { balance }', [account('a')], token);
    const gone = await entities('... on Account { balance }', [account('gone')], token);
    expect(here.body).toEqual(gone.body);
    expect(codes(here)).toEqual([['_entities.0.balance', 'FORBIDDEN']]);
    expect(loaded).toEqual([]);
  });

  test('An inherited key does not reveal whether an entity exists.', async () => {
    loaded.length = 0;
    const answer = await entities('... on Account { id }', [account('gone')], client('accounts:read'));
    expect(codes(answer)).toEqual([['_entities.0.id', 'FORBIDDEN']]);
    expect(loaded).toEqual([]);
  });

  test('An entity is readable by its owner and by a caller with the scope.', async () => {
    expect(codes(await entities('... on Account { id balance }', [account('alice')], user('alice')))).toEqual(
      [],
    );
    expect(codes(await entities('... on Account { balance }', [account('bob')], user('alice')))).toEqual([
      ['_entities.0.balance', 'FORBIDDEN'],
    ]);
    const both = await entities(
      '... on Account { id balance }',
      [account('a'), account('gone')],
      client('accounts:read'),
    );
    expect(both.body).toEqual({ data: { _entities: [{ id: 'a', balance: 5 }, null] } });
  });

  test('A representation cannot supply the property that makes its caller the owner.', async () => {
    const answer = await entities(
      '... on Account { memberOf }',
      [account('a', { memberId: 'alice' })],
      user('alice'),
    );
    expect(codes(answer)).toEqual([['_entities.0.memberOf', 'FORBIDDEN']]);
  });

  test('Fields selected through an interface fragment are loaded.', async () => {
    const token = client('people:read', 'nodes:read');
    const answer = await entities('... on Node { secret }', [{ __typename: 'Person', id: 'bob' }], token);
    expect(answer.body.data).toEqual({ _entities: [{ secret: 's-bob' }] });
  });

  test.each([
    ['null', [null]],
    ['a text', ['Account']],
    ['no type', [{ id: 'a' }]],
    ['a type that is no entity', [{ __typename: 'Thing', id: 'a' }]],
    ['an interface', [{ __typename: 'Node', id: 'bob' }]],
    ['a prototype name', [{ __typename: 'constructor' }]],
  ])('%s as a representation is a client error.', async (_name, representations) => {
    const answer = await entities('__typename', representations, client('accounts:read', 'people:read'));
    expect(answer.body.errors?.[0]?.extensions.code).toBe('BAD_USER_INPUT');
  });
});
