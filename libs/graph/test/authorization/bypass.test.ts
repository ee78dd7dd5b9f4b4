import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Issuer } from '@ostiary/access/testing';
import { buildGuardedSchema, SchemaRuleError } from '../../src/index.ts';
import { federation, type RunningSubgraph, serveSubgraph } from '../support/subgraph.ts';

function problemsOf(sdl: string): readonly string[] {
  try {
    buildGuardedSchema(federation + sdl, {}, { introspection: false });
    return [];
  } catch (error) {
    if (error instanceof SchemaRuleError) return error.problems;
    throw error;
  }
}

describe('rejected schemas', () => {
  test('A schema is rejected when a Query field of an abstract type leads to a type that inherits.', () => {
    expect(
      problemsOf(`
        type Query { node(id: ID!): Node @scopes(user: true) any: [Any!] @scopes(user: true) }
        interface Node { id: ID! }
        type Session implements Node @scopes(inherit: true) { id: ID! ipAddress: String }
        type Grant @scopes(inherit: true) { scope: String }
        union Any = Session | Grant`),
    ).toEqual([
      'Session.ipAddress inherits, but Query.node is a second way to it',
      'Session.ipAddress inherits, but Query.any is a second way to it',
      'Grant.scope inherits, but Query.any is a second way to it',
    ]);
  });

  test('A schema is accepted when the types have rules of their own, or when a mutation returns one of several types.', () => {
    expect(
      problemsOf(`
        type Query { node(id: ID!): Node @scopes(user: true) }
        type Mutation { change: Result @scopes(any: ["things:write"]) @confers(nothing: true) }
        interface Node { id: ID! }
        type Session implements Node @scopes(any: ["sessions:read"]) { id: ID! @scopes(inherit: true) ipAddress: String }
        type Done @scopes(inherit: true) { at: String }
        type Taken @scopes(inherit: true) { name: String }
        union Result = Done | Taken`),
    ).toEqual([]);
  });

  test('A schema is rejected when the only rule of an entity field is the inherit rule of its interface.', () => {
    expect(
      problemsOf(`
        type Query { a: User @scopes(user: true) }
        interface Named @scopes(inherit: true) { name: String }
        type User implements Named @key(fields: "id") { id: ID! @scopes(inherit: true) name: String }`),
    ).toEqual(['User.name inherits, but User is an entity that can be asked for directly']);
  });

  test('A schema is rejected when the fields of a subscription have no rule or inherit.', () => {
    expect(
      problemsOf(`
        type Query { a: Int @scopes(user: true) }
        type Subscription { b: Int c: Int @scopes(inherit: true) }`),
    ).toEqual([
      'Subscription.b has no rule',
      'Subscription.c is a root field: there is nothing to inherit from',
    ]);
  });

  test('A schema is rejected when an owner comes with the representation or is a part of a key.', () => {
    expect(
      problemsOf(`
        type Query { a: Int @scopes(user: true) }
        type Note @key(fields: "id") {
          id: ID! @scopes(inherit: true)
          ownerId: ID @external @scopes(any: ["notes:read"])
          text: String @requires(fields: "ownerId") @scopes(owner: "ownerId")
        }
        type Mail @key(fields: "id userId") @scopes(owner: "userId") { id: ID! userId: ID! text: String }`),
    ).toEqual([
      'Note.text belongs to "ownerId", which another subgraph\'s representation brings',
      'Mail.id belongs to "userId", which is only a part of a key',
      'Mail.userId belongs to "userId", which is only a part of a key',
      'Mail.text belongs to "userId", which is only a part of a key',
    ]);
  });

  test('A schema is accepted when a type that is only an input has no rule.', () => {
    expect(
      problemsOf(`
        type Query { a(by: By): Int @scopes(user: true) }
        input By { id: ID! order: Order }
        enum Order { UP }`),
    ).toEqual([]);
  });
});

const entities = 'query ($r: [_Any!]!) { _entities(representations: $r) { ... on Person { name } } }';

describe('representations', () => {
  let issuer: Issuer;
  let graph: RunningSubgraph;
  beforeAll(async () => {
    issuer = await new Issuer();
    graph = await serveSubgraph(issuer, {
      typeDefs: `${federation}
        type Query { a: Robot @scopes(user: true) }
        type Person @key(fields: "id") { id: ID! @scopes(inherit: true) name: String @scopes(any: ["people:read"]) }
        type Robot @key(fields: "id", resolvable: false) { id: ID! @scopes(inherit: true) }`,
      resolvers: {
        Person: {
          __resolveReference: ({ id }: { id: string }) => ({ id, name: `${typeof id} ${id.toUpperCase()}` }),
        },
      },
      loaders: () => ({}),
    });
  });
  afterAll(() => graph.close());

  test('A representation of a stub type of another subgraph is a client error, not a server failure.', async () => {
    const answer = await graph.ask('query ($r: [_Any!]!) { _entities(representations: $r) { __typename } }', {
      token: await issuer.token({ scopes: ['people:read'] }),
      variables: { r: [{ __typename: 'Robot', id: 'r1' }] },
    });
    expect(answer.body.errors?.[0]?.extensions.code).toBe('BAD_USER_INPUT');
  });

  test.each([
    ['a list', ['p1']],
    ['an object', { toString: 'p1' }],
    ['true', true],
    ['a fraction', 1.5],
  ])('A representation with %s as its key is a client error.', async (_name, id) => {
    const answer = await graph.ask(entities, {
      token: await issuer.token({ scopes: ['people:read'] }),
      variables: { r: [{ __typename: 'Person', id }] },
    });
    expect(answer.body.errors?.[0]?.extensions.code).toBe('BAD_USER_INPUT');
  });

  test('A representation with a number as its key is read as the corresponding text.', async () => {
    const answer = await graph.ask(entities, {
      token: await issuer.token({ scopes: ['people:read'] }),
      variables: { r: [{ __typename: 'Person', id: 7 }] },
    });
    expect(answer.body).toEqual({ data: { _entities: [{ name: 'string 7' }] } });
  });
});
