import { describe, expect, test } from '@jest/globals';
import { Issuer } from '@ostiary/access/testing';
import { buildSchema } from 'graphql';
import { invalidInput, notFoundProblem, notUnique, type Problem, payloadOf } from '../../src/index.ts';
import { argumentPath } from '../../src/types/problem-paths.ts';
import { federation, serveSubgraph } from '../support/subgraph.ts';

const schema = buildSchema(`
  scalar JSON
  type Query { none: Int }
  type Mutation { register(input: RegisterInput!): Int end(id: ID!, reason: String): Int }
  input RegisterInput { id: ID name: String redirectUris: [String!] emails: [EmailInput!]! limits: LimitsInput extensions: JSON scimRoles: [String] }
  input EmailInput { value: String! }
  input LimitsInput { perMinute: Int }
`);
const argsOf = (name: string) => schema.getMutationType()?.getFields()[name]?.args ?? [];

describe('the path of a problem', () => {
  test.each([
    [['input'], ['input']],
    [
      ['input', 'name'],
      ['input', 'name'],
    ],
    [
      ['input', 'redirect_uris'],
      ['input', 'redirectUris'],
    ],
    [
      ['input', 'redirect_uris', '0'],
      ['input', 'redirectUris', '0'],
    ],
    [
      ['input', 'emails', 'value'],
      ['input', 'emails', 'value'],
    ],
    [
      ['input', 'emails', '1', 'value', 'x'],
      ['input', 'emails', '1', 'value'],
    ],
    [
      ['input', 'limits', 'per_minute'],
      ['input', 'limits', 'perMinute'],
    ],
    [
      ['input', 'limits', 'perHour'],
      ['input', 'limits'],
    ],
    [['input', 'client_secret'], ['input']],
    [['input', 'constructor'], ['input']],
    [
      ['input', 'extensions', 'urn:a:2.0:User', 'x_y'],
      ['input', 'extensions', 'urn:a:2.0:User', 'x_y'],
    ],
  ])('The path %j names arguments of the schema: %j.', (path, named) => {
    expect(argumentPath(argsOf('register'), path)).toEqual(named);
  });

  test('The path of a problem of a field without input begins with the argument.', () => {
    expect(argumentPath(argsOf('end'), ['input', 'id'])).toEqual(['id']);
    expect(argumentPath(argsOf('end'), ['input', 'version'])).toEqual([]);
  });

  test('The path of a problem with an attribute of an extension leads into the extensions.', () => {
    const urn = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
    expect(notUnique('It is taken.', `${urn}:manager.value`).path).toEqual([
      'input',
      'extensions',
      urn,
      'manager',
      'value',
    ]);
  });

  test('Every payload of a subgraph has paths that name arguments, for problems of the domain as well.', async () => {
    const issuer = new Issuer();
    const problems: Problem[] = [];
    const made = async () => ({ done: null, problems: [...problems] });
    const graph = await serveSubgraph(issuer, {
      typeDefs: `${federation}
        type Query { none: Int @scopes(any: ["all"]) }
        type Mutation {
          register(input: RegisterInput!): Payload @scopes(any: ["all"]) @confers(nothing: true)
          end(id: ID!): Payload @scopes(any: ["all"]) @confers(nothing: true)
        }
        input RegisterInput { redirectUris: [String!] }
        type Payload @scopes(inherit: true) { done: Boolean problems: [Problem!]! }`,
      resolvers: {
        Mutation: {
          register: made,
          end: () =>
            payloadOf(
              async () => Promise.reject(new Error('gone')),
              () => notFoundProblem('It is gone.'),
            ),
        },
      },
      loaders: () => ({}),
    });
    problems.push(
      invalidInput('redirect_uris must be given.', 'redirect_uris'),
      notFoundProblem('It is gone.', 'owner'),
    );
    const answer = await graph.ask(
      'mutation { register(input: {}) { problems { path } } end(id: "1") { problems { path } } }',
      { token: issuer.token({ subject: 'job', scopes: ['all'] }) },
    );
    expect(answer.body).toEqual({
      data: {
        register: { problems: [{ path: ['input', 'redirectUris'] }, { path: ['input'] }] },
        end: { problems: [{ path: ['id'] }] },
      },
    });
    await graph.close();
  });
});
