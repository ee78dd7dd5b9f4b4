import { loadFromURL } from '@gql.tada/internal';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Issuer } from '@ostiary/access/testing';
import {
  execute,
  type GraphQLSchema,
  getIntrospectionQuery,
  getNamedType,
  type IntrospectionOptions,
  introspectionTypes,
  isCompositeType,
  isObjectType,
  parse,
  printSchema,
} from 'graphql';
import { ask, type RunningGateway, Services } from '../support/system.ts';

let services: Services;
let gateway: RunningGateway;
let token: string;
let schema: GraphQLSchema;

beforeAll(async () => {
  const issuer = new Issuer();
  services = await Services.start(issuer);
  token = issuer.token({ subject: 'job', scopes: ['users:read'] });
  gateway = await services.gateway({
    introspection: true,
    onGraph: (graph) =>
      graph.onSchema((served) => {
        schema = served;
      }),
  });
});
afterAll(() => services.stop());

/** Returns the result of the gateway, and that of graphql-js for the same schema. */
async function both(query: string, variables: Record<string, unknown> = {}) {
  const answer = await ask(gateway.url, query, { token, variables });
  const { data } = await execute({ schema, document: parse(query), variableValues: variables });
  return { answer, data: JSON.parse(JSON.stringify(data)) as unknown };
}

const options = [
  'descriptions',
  'specifiedByUrl',
  'directiveIsRepeatable',
  'schemaDescription',
  'inputValueDeprecation',
  'oneOf',
] as const satisfies readonly (keyof IntrospectionOptions)[];

describe('introspection', () => {
  test('The introspection query of graphql-js has the same result as with graphql-js, for every combination of its options.', async () => {
    for (let bits = 0; bits < 2 ** options.length; bits += 1) {
      const chosen = Object.fromEntries(options.map((name, index) => [name, (bits & (1 << index)) !== 0]));
      const { answer, data } = await both(getIntrospectionQuery(chosen));
      expect([chosen, answer.status, answer.body]).toEqual([chosen, 200, { data }]);
    }
  });

  const fields = introspectionTypes.filter(isObjectType).flatMap((type) =>
    Object.values(type.getFields()).map((field) => {
      const below = isCompositeType(getNamedType(field.type)) ? '{ __typename }' : '';
      return [type.name, `${field.name} ${below}`] as const;
    }),
  );
  /** A query path to an object of each type. */
  const places: Readonly<Record<string, (selection: string) => string>> = {
    __Schema: (selection) => `{ __schema { ${selection} } }`,
    __Directive: (selection) => `{ __schema { directives { ${selection} } } }`,
    __Type: (selection) => `{ __schema { types { ${selection} } } }`,
    __Field: (selection) => `{ __schema { types { fields { ${selection} } } } }`,
    __InputValue: (selection) => `{ __schema { types { fields { args { ${selection} } } } } }`,
    __EnumValue: (selection) => `{ __schema { types { enumValues { ${selection} } } } }`,
  };

  test.each(fields)('The introspection field %s is resolved: %s.', async (type, selection) => {
    const query = places[type]?.(selection);
    if (query === undefined) throw new Error(`There is no query for ${type}.`);
    const { answer, data } = await both(query);
    expect([answer.status, answer.body]).toEqual([200, { data }]);
  });

  test('Introspection together with fields of the services is executed in one operation.', async () => {
    const query = `
      query Other { me { id } }
      query Both($name: String!, $full: Boolean!, $first: Int) {
        __typename
        ...Root @include(if: $full)
        ... on Query { again: users(first: $first) { ...Person } type: __type(name: $name) { isOneOf } }
        gone: __schema @skip(if: true) { description }
      }
      fragment Root on Query { users(first: 1) { ...Person } __schema { queryType { ...Type } } }
      fragment Person on User { __typename name }
      fragment Type on __Type { name isOneOf }`;
    // The second call uses the cached plan.
    for (const full of [true, false, true]) {
      const response = await fetch(`${gateway.url}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
        body: JSON.stringify({
          query,
          operationName: 'Both',
          variables: { name: 'User', full, first: 2 },
        }),
      });
      const alice = { __typename: 'User', name: 'Alice' };
      expect(await response.json()).toEqual({
        data: {
          __typename: 'Query',
          ...(full && { users: [alice], __schema: { queryType: { name: 'Query', isOneOf: null } } }),
          again: [alice, { __typename: 'User', name: 'Bob' }],
          type: { isOneOf: null },
        },
      });
    }
  });

  test('Introspection together with fields that the caller may not read keeps their errors.', async () => {
    const query = '{ clients { id } __type(name: "User") { name } }';
    const { body } = await ask(gateway.url, query, { token });
    expect(body.data).toEqual({ clients: null, __type: { name: 'User' } });
    expect(body.errors?.map(({ path, extensions }) => [path, extensions.code])).toEqual([
      [['clients'], 'FORBIDDEN'],
    ]);
  });

  test('gql.tada loads the complete schema.', async () => {
    const loader = loadFromURL({
      url: `${gateway.url}/graphql`,
      headers: { authorization: `Bearer ${token}` },
    });
    const loaded = await loader.loadSchema();
    expect(loaded && printSchema(loaded)).toBe(printSchema(schema));
    expect(JSON.stringify(await loader.loadIntrospection())).toContain('"isOneOf"');
  });

  test('Disabled introspection is rejected in every part of an operation.', async () => {
    const closed = await services.gateway();
    for (const query of [
      '{ __type(name: "User") { isOneOf } }',
      '{ me { id } ...F } fragment F on Query { __schema { description } }',
    ]) {
      const answer = await ask(closed.url, query, { token });
      expect(answer.body.data).toBeUndefined();
      expect(answer.body.errors?.[0]?.extensions.code).toBe('GRAPHQL_VALIDATION_FAILED');
    }
  });
});
