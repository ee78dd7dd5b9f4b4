import { composeServices } from '@apollo/composition';
import { describe, expect, test } from '@jest/globals';
import { parse } from 'graphql';
import { buildGuardedSchema, SchemaRuleError, withScopesDirective } from '../../src/index.ts';
import { federation } from '../support/subgraph.ts';

function problemsOf(sdl: string, resolvers = {}): readonly string[] {
  try {
    buildGuardedSchema(federation + sdl, resolvers, { introspection: false });
    return [];
  } catch (error) {
    if (error instanceof SchemaRuleError) return error.problems;
    throw error;
  }
}

describe('rejected schemas', () => {
  test('A schema is rejected when fields have no rule, and the error names all of them.', () => {
    expect(
      problemsOf(`
        type Query { a: Int b: Box @scopes(user: true) }
        type Mutation { c: Int }
        type Box { d: Int @scopes(inherit: true) e: Int }
        extend type Box { f: Int }`),
    ).toEqual(['Query.a has no rule', 'Mutation.c has no rule', 'Box.e has no rule', 'Box.f has no rule']);
  });

  test('A schema is rejected when a rule can never be satisfied, or inherits and has conditions of its own.', () => {
    expect(
      problemsOf(`type Query {
        a: Int @scopes
        b: Int @scopes(any: [])
        c: Box @scopes(user: true)
      }
      type Box { d: Int @scopes(inherit: true, user: true) }`),
    ).toEqual([
      'Query.a has a rule that no token satisfies',
      'Query.b has a rule that no token satisfies',
      'Box.d inherits and has conditions of its own',
    ]);
  });

  test('A schema is rejected when a mutation is open to any token of a user, because clients need a self-service scope.', () => {
    expect(
      problemsOf(`type Query { a: Int @scopes(user: true) }
      type Mutation {
        b: Int @scopes(user: true)
        c: Int @scopes(any: ["things:write"], user: true)
        d: Int @scopes(self: ["self:everything"])
        e: Int @scopes(any: ["things:write"], self: ["self:sessions"])
      }`),
    ).toEqual([
      'Mutation.b changes something for any user’s token: it must name scopes of self-service',
      'Mutation.c changes something for any user’s token: it must name scopes of self-service',
      'Mutation.d: self:everything is no scope of self-service',
    ]);
  });

  test('A schema is rejected when a root field inherits, because it has no parent.', () => {
    expect(problemsOf('type Query { a: Int @scopes(inherit: true) }')).toEqual([
      'Query.a is a root field: there is nothing to inherit from',
    ]);
  });

  test('A schema is rejected when a field of an entity inherits, unless it is its key.', () => {
    expect(
      problemsOf(`type Query { a: User @scopes(user: true) }
      type User @key(fields: "id org { id }") @scopes(inherit: true) { id: ID! org: Org name: String }
      type Org @scopes(inherit: true) { id: ID! }`),
    ).toEqual(['User.name inherits, but User is an entity that can be asked for directly']);
  });

  test('A schema is rejected when an interface is an entity.', () => {
    expect(
      problemsOf(`type Query { a: Node @scopes(user: true) }
      interface Node @key(fields: "id") { id: ID! }
      type User implements Node @key(fields: "id") @scopes(user: true) { id: ID! }`),
    ).toEqual(['Node is an interface with a @key']);
  });

  test('A schema is rejected when a resolver belongs to no field.', () => {
    const sdl = 'type Query { a: Int @scopes(user: true) }';
    expect(problemsOf(sdl, { Query: { b: () => 1 }, Usr: {} })).toEqual([
      'Query.b has a resolver but is not a field',
      'Usr has resolvers but is not in the schema',
    ]);
  });
});

test('A schema is accepted when a rule on an extension of a type covers its fields.', () => {
  expect(
    problemsOf(`type Query { a: User @scopes(user: true) }
    extend type User @key(fields: "id") @scopes(any: ["users:read"]) { id: ID! name: String }`),
  ).toEqual([]);
});

test('The directive @scopes survives composition.', () => {
  const people = `${federation}
    type Query { users: [User!] @scopes(any: ["users:read"]) }
    type User @key(fields: "id") @scopes(any: ["users:read"], owner: "id") { id: ID! name: String }`;
  const sessions = `${federation}
    type User @key(fields: "id") { id: ID! @scopes(inherit: true) sessions: [Session!] @scopes(any: ["sessions:read"], owner: "id") }
    type Session @scopes(inherit: true) { id: ID! }`;
  const { supergraphSdl, errors } = composeServices([
    { name: 'people', typeDefs: parse(withScopesDirective(people)) },
    { name: 'sessions', typeDefs: parse(withScopesDirective(sessions)) },
  ]);
  expect(errors).toBeUndefined();
  expect(supergraphSdl).toContain('@link(url: "https://ostiary.dev/specs/access/v1.0", import: ["@scopes"])');
  expect(supergraphSdl).toMatch(/sessions: \[Session!\].*@scopes\(any: \["sessions:read"\], owner: "id"\)/);
});
