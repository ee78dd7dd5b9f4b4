import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createIssuer, type Issuer, publicOrigin } from '@ostiary/access/testing';
import { ServiceUnavailable } from '@ostiary/service';
import { GraphQLError } from 'graphql';
import { batchMany, batchOne, conflict, type GraphContext } from '../src/index.ts';
import { federation, type RunningSubgraph, serveSubgraph } from './subgraph.ts';

/** Milliseconds of CPU this process has used: what an attack costs, on a busy machine too. */
const cpuMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

class NameTaken extends Error {}

const typeDefs = `${federation}
scalar DateTime
type Query @scopes(user: true, any: ["all"]) {
  tenant: String
  fails: String
  leaks: String
  down: String
  taken: String
  invalid: Int
  echo(at: DateTime!): DateTime
  pets: [Pet!]
  several(ids: [ID!]!): [Pet]
  growth(days: Int = 30): [Pet!]
  bounded: [Pet!] @listSize(assumedSize: 50)
  page(first: Int, after: String, last: Int): PetConnection
}
type PetConnection @scopes(inherit: true) { edges: [PetEdge!]! totalCount: Int }
type PetEdge @scopes(inherit: true) { node: Pet }
type Keeper @key(fields: "id") @scopes(user: true, any: ["all"]) { id: ID! @scopes(inherit: true) name: String }
type Pet @scopes(inherit: true) { id: ID! owner: Owner friends: [Owner!]! page(first: Int, last: Int): PetConnection
  litter(first: Int = 100): [Pet!] }
type Owner @scopes(inherit: true) { id: ID! pet: Pet }
`;

let batches: (readonly string[])[] = [];
const loaders = ({ tenant }: { tenant: string }) => ({
  owners: batchOne(
    async (keys) => {
      batches.push([tenant, ...keys]);
      return keys.filter((key) => key !== 'o2').map((id) => ({ id }));
    },
    (row) => row.id,
  ),
  friends: batchMany(
    async (keys) =>
      keys.flatMap((pet) =>
        pet === '1'
          ? [
              { pet, id: 'a' },
              { pet, id: 'b' },
            ]
          : [],
      ),
    (row) => row.pet,
  ),
});
type Context = GraphContext<ReturnType<typeof loaders>>;

const resolvers = {
  Query: {
    tenant: (_: unknown, __: unknown, context: Context) => context.tenant,
    fails: () => {
      throw new Error('connect ECONNREFUSED 10.0.0.3:5432 for user postgres');
    },
    leaks: () => {
      throw new GraphQLError('inside', {
        extensions: { code: 'CONFLICT', url: 'http://10.0.0.3', stacktrace: ['x'] },
      });
    },
    down: () => {
      throw new ServiceUnavailable('directory');
    },
    taken: () => {
      throw new NameTaken('secret detail');
    },
    invalid: () => 'not a number',
    echo: (_: unknown, args: { at: Date }) => args.at,
    pets: () => [{ id: '1' }, { id: '2' }],
    several: () => [],
    growth: () => [],
    bounded: () => [],
    page: () => ({ edges: [], totalCount: 0 }),
  },
  Keeper: {
    __resolveReference: ({ id }: { id: string }, context: Context) => context.loaders.owners.load(id),
    name: () => 'Kim',
  },
  Pet: {
    owner: (pet: { id: string }, _: unknown, context: Context) => context.loaders.owners.load(`o${pet.id}`),
    friends: (pet: { id: string }, _: unknown, context: Context) => context.loaders.friends.load(pet.id),
  },
};

let issuer: Issuer;
let graph: RunningSubgraph;
let token: string;
const log: string[] = [];
beforeAll(async () => {
  issuer = createIssuer();
  token = issuer.token({ subject: 'job', scopes: ['all'] });
  graph = await serveSubgraph(
    issuer,
    {
      typeDefs,
      resolvers,
      loaders,
      errors: (cause) => (cause instanceof NameTaken ? conflict('The name is taken.') : undefined),
    },
    { write: (line) => void log.push(line) },
  );
});
afterAll(() => graph.close());

describe('tokens', () => {
  test.each([
    ['expired', () => issuer.token({ scopes: ['all'], expiresIn: -60 })],
    ['for another audience', () => issuer.token({ scopes: ['all'], audience: 'https://elsewhere.test' })],
    ['of the platform issuer', () => issuer.token({ tenant: 'platform', scopes: ['all'] })],
    ['made up', async () => 'abc.def.ghi'],
    ['cut short', async () => issuer.token({ scopes: ['all'] }).slice(0, -3)],
  ])('one that is %s gives 401 with a challenge, before anything is executed', async (_name, make) => {
    const answer = await graph.ask('{ __typename }', { token: await make() });
    expect(answer.status).toBe(401);
    expect(answer.headers.get('www-authenticate')).toMatch(
      /^Bearer realm="https:\/\/id\.test", error="invalid_token"/,
    );
    expect(answer.body.errors?.map((error) => error.extensions.code)).toEqual(['UNAUTHENTICATED']);
    expect(answer.body).not.toHaveProperty('data');
  });

  test('a revoked one is refused from the next request on', async () => {
    const leaving = issuer.token({ subject: 'eve', client: 'web', jti: 'leaving' });
    expect((await graph.ask('{ tenant }', { token: leaving })).status).toBe(200);
    issuer.revocations.apply([
      { seq: '1', tenant: 'demo', kind: 'subject', key: 'eve', expiresAt: Date.now() / 1000 + 600 },
    ]);
    expect((await graph.ask('{ tenant }', { token: leaving })).status).toBe(401);
  });

  test('none at all: 401 without an error code, with the GraphQL answer as body', async () => {
    const answer = await graph.ask('{ __typename tenant }');
    expect(answer.status).toBe(401);
    expect(answer.headers.get('www-authenticate')).toBe(
      'Bearer realm="https://id.test", resource_metadata="https://id.test/.well-known/oauth-protected-resource/graphql"',
    );
    expect(answer.body.data).toEqual({ __typename: 'Query', tenant: null });
  });

  test('one in the query string is a bad request', async () => {
    const response = await fetch(`${graph.url}/graphql?access_token=${token}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"query":"{ __typename }"}',
    });
    expect(response.status).toBe(400);
    expect(response.headers.get('www-authenticate')).toContain('invalid_request');
  });

  test('the tenant is the one of the token', async () => {
    const rival = issuer.token({ tenant: 'rival', scopes: ['all'] });
    expect((await graph.ask('{ tenant }', { token: rival })).body.data).toEqual({ tenant: 'rival' });
  });
});

describe('errors', () => {
  test('an unexpected one is told as an id only, and logged with its cause', async () => {
    log.length = 0;
    const answer = await graph.ask('{ fails }', { token, headers: { 'x-request-id': 'request-0001' } });
    expect(answer.body.errors).toEqual([
      {
        message: 'Something went wrong on our side.',
        locations: [{ line: 1, column: 3 }],
        path: ['fails'],
        extensions: { code: 'INTERNAL_SERVER_ERROR', requestId: 'request-0001' },
      },
    ]);
    expect(log.some((line) => line.includes('ECONNREFUSED') && line.includes('request-0001'))).toBe(true);
  });

  test('a dependency that is down is SERVICE_UNAVAILABLE, without its name', async () => {
    const answer = await graph.ask('{ down tenant }', { token });
    expect(answer.body.errors?.[0]?.extensions).toEqual({ code: 'SERVICE_UNAVAILABLE' });
    expect(answer.body.data).toEqual({ down: null, tenant: 'demo' });
    expect(JSON.stringify(answer.body)).not.toContain('directory');
  });

  test('a mapped domain error has the code it was given', async () => {
    log.length = 0;
    const answer = await graph.ask('{ taken }', { token });
    // Or clients could fill the log with what looks like failures of ours.
    expect(log.join('')).not.toMatch(/"error"|secret detail/);
    expect(answer.body.errors?.[0]).toMatchObject({
      message: 'The name is taken.',
      extensions: { code: 'CONFLICT' },
    });
  });

  test('only known extensions are shown', async () => {
    const answer = await graph.ask('{ leaks }', { token });
    expect(answer.body.errors?.[0]?.extensions).toEqual({ code: 'CONFLICT' });
  });

  test('a resolver that returns the wrong type is a failure of ours', async () => {
    const answer = await graph.ask('{ invalid }', { token });
    expect(answer.body.errors?.[0]?.extensions.code).toBe('INTERNAL_SERVER_ERROR');
    expect(JSON.stringify(answer.body)).not.toContain('not a number');
  });

  test('wrong variables and documents are the client’s', async () => {
    const codeOf = async (query: string, variables?: object) =>
      (await graph.ask(query, { token, ...(variables ? { variables } : {}) })).body.errors?.[0]?.extensions
        .code;
    expect(await codeOf('query ($at: DateTime!) { echo(at: $at) }', { at: 'yesterday' })).toBe(
      'BAD_USER_INPUT',
    );
    expect(await codeOf('{ echo(at: "2026-02-31T00:00:00Z") }')).toBe('GRAPHQL_VALIDATION_FAILED');
    expect(await codeOf('{ tenant')).toBe('GRAPHQL_PARSE_FAILED');
    expect(await codeOf('{ tenent }')).toBe('GRAPHQL_VALIDATION_FAILED');
  });

  test('a misspelt field suggests nothing while introspection is off', async () => {
    const answer = await graph.ask('{ tenent __schema { types { name } } }', { token });
    expect(JSON.stringify(answer.body)).not.toMatch(/Did you mean|"types":/);
  });
});

test('the subgraph’s own schema is told to services of the platform, to others only where introspection is on', async () => {
  const query = '{ _service { sdl } }';
  const service = issuer.token({ tenant: 'platform', subject: 'ops', audience: `${publicOrigin}/graphql` });
  for (const asking of [
    undefined,
    token,
    issuer.token({ subject: 'alice', client: 'web', scopes: ['all'] }),
  ]) {
    const answer = await graph.ask(query, asking === undefined ? {} : { token: asking });
    expect(answer.body.data?._service ?? null).toBeNull();
    expect(JSON.stringify(answer.body)).not.toContain('Keeper');
    expect(answer.body.errors?.[0]?.extensions.code).toMatch(/^(FORBIDDEN|UNAUTHENTICATED)$/);
  }
  const told = { _service: { sdl: expect.stringContaining('type Keeper') } };
  expect((await graph.ask(query, { token: service })).body.data).toEqual(told);
  const open = await serveSubgraph(issuer, { typeDefs, resolvers, loaders, introspection: true });
  expect((await open.ask(query)).body.data).toEqual(told);
  await open.close();
});

describe('the transport', () => {
  const post = async (body: string, type = 'application/json') => {
    const response = await fetch(`${graph.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': type, authorization: `Bearer ${token}` },
      body,
    });
    return {
      status: response.status,
      body: (await response.json()) as { errors?: { extensions: { code: string } }[] },
    };
  };

  test.each([
    ['no JSON', '{"query":', 'application/json', 400],
    ['a number', '1', 'application/json', 400],
    ['a batch', '[{"query":"{ tenant }"}]', 'application/json', 400],
    [
      'a form, which browsers send without asking first',
      'query={tenant}',
      'application/x-www-form-urlencoded',
      415,
    ],
    ['plain text', '{"query":"{ tenant }"}', 'text/plain', 400],
    ['an unknown media type', '<a/>', 'application/xml', 415],
    [
      'more than a mebibyte',
      JSON.stringify({ query: '{ tenant }', x: 'x'.repeat(1_100_000) }),
      'application/json',
      413,
    ],
  ])('%s is refused in the shape of a GraphQL error', async (_name, body, type, status) => {
    const answer = await post(body, type);
    expect(answer.status).toBe(status);
    expect(answer.body.errors?.[0]?.extensions.code).toMatch(/^BAD_REQUEST$/);
  });

  test('a request with an impossible Host header is answered', async () => {
    const answer = await graph.app.inject({
      method: 'POST',
      url: '/graphql',
      headers: { host: '[', 'content-type': 'application/json', authorization: `Bearer ${token}` },
      payload: { query: '{ tenant }' },
    });
    expect(answer.json()).toEqual({ data: { tenant: 'demo' } });
  });

  test('an instant goes in with any offset and comes out in UTC', async () => {
    const answer = await graph.ask('{ echo(at: "2026-01-31T08:00:00.5+02:00") }', { token });
    expect(answer.body.data).toEqual({ echo: '2026-01-31T06:00:00.500Z' });
  });

  test('operations are measured by type and outcome, errors by code', async () => {
    const metrics = await graph.kit.metrics.metrics();
    expect(metrics).toMatch(
      /graphql_operation_duration_seconds_count\{.*type="query",outcome="partial"\} \d/,
    );
    expect(metrics).toMatch(/graphql_errors_total\{code="SERVICE_UNAVAILABLE".*\} \d/);
  });
});

test('loaders make one call for a list, bound to the tenant, and are new for each request', async () => {
  batches = [];
  const query = '{ pets { owner { id } friends { id } } }';
  const answer = await graph.ask(query, { token });
  expect(answer.body.data).toEqual({
    pets: [
      { owner: { id: 'o1' }, friends: [{ id: 'a' }, { id: 'b' }] },
      { owner: null, friends: [] },
    ],
  });
  await graph.ask(query, { token });
  expect(batches).toEqual([
    ['demo', 'o1', 'o2'],
    ['demo', 'o1', 'o2'],
  ]);
});

describe('limits', () => {
  const codeOf = async (query: string) => (await graph.ask(query, { token })).body.errors?.[0]?.message;

  test('depth', async () => {
    const nest = (levels: number): string => (levels === 0 ? 'id' : `owner { pet { ${nest(levels - 1)} } }`);
    expect(await codeOf(`{ pets { ${nest(7)} } }`)).toBeUndefined();
    expect(await codeOf(`{ pets { ${nest(9)} } }`)).toMatch(/too many levels/);
  });

  test('aliases, also of __typename and through fragments', async () => {
    const many = Array.from({ length: 201 }, (_, index) => `a${index}: __typename`).join(' ');
    expect(await codeOf(`{ ${many} }`)).toMatch(/too many aliases/);
    const spread = Array.from({ length: 30 }, () => '...F').join(' ');
    const ten = Array.from({ length: 10 }, (_, index) => `a${index}: tenant`).join(' ');
    expect(await codeOf(`{ ${spread} } fragment F on Query { ${ten} }`)).toMatch(/too many/);
  });

  test('no field pretends to be what an object is', async () => {
    for (const query of [
      '{ __typename: tenant }',
      '{ pets { ...F } } fragment F on Pet { ... { __typename: id } }',
    ])
      expect(await codeOf(query)).toBe('No other field can be called "__typename".');
    expect(await codeOf('{ __typename: __typename pets { a: __typename } }')).toBeUndefined();
  });

  test('directives and tokens', async () => {
    expect(await codeOf(`{ tenant ${'@include(if: true) '.repeat(60)} }`)).toBeDefined();
    expect(await codeOf(`{ ${'tenant '.repeat(25_000)} }`)).toMatch(/more tha[nt] 20000 tokens/);
  });

  test('fragments that spread each other twice are measured in no time', async () => {
    const chain = Array.from(
      { length: 60 },
      (_, index) => `fragment F${index} on Query { ...F${index + 1} ...F${index + 1} }`,
    ).join('\n');
    const startedAt = cpuMs();
    expect(await codeOf(`{ ...F0 } ${chain} fragment F60 on Query { tenant }`)).toBeDefined();
    expect(await codeOf(`{ ...F0 } ${chain} fragment F60 on Query { ...F0 }`)).toBeDefined();
    expect(cpuMs() - startedAt).toBeLessThan(2_000);
  });

  describe('cost', () => {
    const nested = (levels: number, first: string): string =>
      levels === 0 ? 'id' : `page(first: ${first}) { edges { node { ${nested(levels - 1, first)} } } }`;
    const refused = async (query: string, variables = {}) => {
      const { status, body } = await graph.ask(query, { token, variables });
      const tooMuch = body.errors?.[0]?.message.startsWith('The operation asks for too much') ?? false;
      expect(status).toBe(tooMuch ? 400 : 200);
      expect(body.errors?.[0]?.extensions.code).toBe(tooMuch ? 'GRAPHQL_VALIDATION_FAILED' : undefined);
      return tooMuch;
    };

    test('pages within pages multiply, whether their size is written, a variable, its default or ours', async () => {
      expect(await refused(`{ ${nested(2, '100')} }`)).toBe(false);
      expect(await refused(`{ ${nested(3, '100')} }`)).toBe(true);
      const variable = `query ($n: Int) { ${nested(3, '$n')} }`;
      expect(await refused(variable, { n: 10 })).toBe(false);
      expect(await refused(variable, { n: 100 })).toBe(true);
      expect(await refused(`query ($n: Int = 100) { ${nested(3, '$n')} }`)).toBe(true);
      expect(await refused(`{ ${nested(4, 'null')} }`)).toBe(true);
    });

    test('a list has as many as its argument or the schema says', async () => {
      const litters = (argument: string) =>
        `{ ${nested(1, '100').replace(' id ', ` litter${argument} { litter${argument} { id } } `)} }`;
      expect(await refused(litters('(first: 20)'))).toBe(false);
      expect(await refused(litters('(first: 100)'))).toBe(true);
      expect(await refused(litters(''))).toBe(true);
    });

    test('a page from the end costs what one from the start does', async () => {
      const backward = (last: string) => nested(3, 'null').replaceAll('first: null', last);
      expect(await refused(`{ ${backward('last: 10')} }`)).toBe(false);
      expect(await refused(`{ ${backward('last: 100')} }`)).toBe(true);
      expect(await refused(`query ($n: Int = 100) { ${backward('first: 1, last: $n')} }`)).toBe(true);
    });

    test('fragments and aliases count each time they are used', async () => {
      const onConnection = 'fragment C on PetConnection { edges { node { id } } }';
      const fragments = `fragment P on Pet { page(first: 100) { ...C } } ${onConnection}`;
      expect(await refused(`{ page(first: 100) { edges { node { ...P } } } } ${fragments}`)).toBe(false);
      const aliases = Array.from({ length: 8 }, (_, index) => `a${index}: page(first: 100) { ...C }`).join(
        ' ',
      );
      expect(await refused(`{ page(first: 100) { edges { node { ${aliases} } } } } ${onConnection}`)).toBe(
        true,
      );
    });

    test('what is asked of each reference counts for each', async () => {
      const query = `query ($r: [_Any!]!) { _entities(representations: $r) { ... on Keeper { ${'a: name '.repeat(20)} } } }`;
      const representations = (count: number) =>
        Array.from({ length: count }, () => ({ __typename: 'Keeper', id: '1' }));
      expect(await refused(query, { r: representations(10) })).toBe(false);
      expect(await refused(query, { r: representations(15_000) })).toBe(true);
    });

    test('a list has as many entries as the ids or the number it is asked for with', async () => {
      const members = 'page(first: 100) { edges { node { id name: id } } }';
      const several = (ids: string) => `{ several(ids: ${ids}) { ${members} } }`;
      const ids = (count: number) => Array.from({ length: count }, (_, index) => `${index}`);
      expect(await refused(several(JSON.stringify(ids(10))))).toBe(false);
      expect(await refused(several(JSON.stringify(ids(700))))).toBe(true);
      expect(
        await refused(`query ($one: ID!) { several(ids: [${'$one '.repeat(700)}]) { ${members} } }`, {
          one: 'x',
        }),
      ).toBe(true);
      for (const given of ['"x"', '[]']) expect(await refused(several(given))).toBe(false);
      const variable = `query ($ids: [ID!]!) { several(ids: $ids) { ${members} } }`;
      expect(await refused(variable, { ids: ids(10) })).toBe(false);
      expect(await refused(variable, { ids: ids(700) })).toBe(true);

      const growth = (days: string) =>
        `query${days.includes('$') ? ' ($days: Int)' : ''} { growth${days} { page(first: 100) { edges { node { ${'a: id '.repeat(19)} } } } } }`;
      for (const days of ['', '(days: null)', '(days: $days)', '(days: 30)', '(days: 1)']) {
        expect(await refused(growth(days))).toBe(false);
      }
      expect(await refused(growth('(days: 400)'))).toBe(true);
      expect(await refused(growth('(days: $days)'), { days: 400 })).toBe(true);
      // A number that the field will refuse makes nothing cheaper.
      expect(await refused(`{ ${nested(2, '100')} growth(days: -1000000) { id } }`)).toBe(false);
      expect(await refused(`{ ${nested(3, '100')} growth(days: -1000000) { ${members} } }`)).toBe(true);
    });

    test('a list without any has as many as its schema says', async () => {
      const bounded = (size: number) =>
        `{ bounded { page(first: ${size}) { edges { node { ${'a: id '.repeat(40)} } } } } }`;
      expect(await refused(bounded(60))).toBe(false);
      expect(await refused(bounded(100))).toBe(true);
    });

    test('what the schema says about itself is not in the sum', async () => {
      expect(await refused(`{ __typename ${nested(2, '100')} }`)).toBe(false);
    });
  });
});

test.each([{}, { id: null }, { name: 'x' }])(
  'a reference without its key, %j, is the client’s mistake',
  async (rest) => {
    const { body } = await graph.ask(
      'query ($r: [_Any!]!) { _entities(representations: $r) { ... on Keeper { name } } }',
      { token, variables: { r: [{ __typename: 'Keeper', ...rest }] } },
    );
    expect(body.errors?.[0]?.extensions).toEqual({ code: 'BAD_USER_INPUT', argument: 'representations' });
  },
);
