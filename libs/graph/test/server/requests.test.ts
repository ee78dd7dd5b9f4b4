import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Issuer, publicOrigin } from '@ostiary/access/testing';
import { batches, petLoaders, petResolvers, petTypes, servePets } from '../support/pets.ts';
import { type RunningSubgraph, serveSubgraph } from '../support/subgraph.ts';

let issuer: Issuer;
let graph: RunningSubgraph;
let token: string;
const log: string[] = [];
beforeAll(async () => {
  issuer = new Issuer();
  token = issuer.token({ subject: 'job', scopes: ['all'] });
  graph = await servePets(issuer, log);
});
afterAll(() => graph.close());

describe('authentication', () => {
  test.each([
    ['expired', () => issuer.token({ scopes: ['all'], expiresIn: -60 })],
    ['for another audience', () => issuer.token({ scopes: ['all'], audience: 'https://elsewhere.test' })],
    ['of the platform issuer', () => issuer.token({ tenant: 'platform', scopes: ['all'] })],
    ['made up', async () => 'abc.def.ghi'],
    ['cut short', async () => issuer.token({ scopes: ['all'] }).slice(0, -3)],
  ])(
    'A token that is %s is answered with 401 and a challenge before anything is executed.',
    async (_name, make) => {
      const answer = await graph.ask('{ __typename }', { token: await make() });
      expect(answer.status).toBe(401);
      expect(answer.headers.get('www-authenticate')).toMatch(
        /^Bearer realm="https:\/\/id\.test", error="invalid_token"/,
      );
      expect(answer.body.errors?.map((error) => error.extensions.code)).toEqual(['UNAUTHENTICATED']);
      expect(answer.body).not.toHaveProperty('data');
    },
  );

  test('A revoked token is rejected from the next request on.', async () => {
    const leaving = issuer.token({ subject: 'eve', client: 'web', jti: 'leaving' });
    expect((await graph.ask('{ tenant }', { token: leaving })).status).toBe(200);
    issuer.revocations.apply([
      { seq: '1', tenant: 'demo', kind: 'subject', key: 'eve', expiresAt: Date.now() / 1000 + 600 },
    ]);
    expect((await graph.ask('{ tenant }', { token: leaving })).status).toBe(401);
  });

  test('A request without a token is answered with 401, no error code and the GraphQL answer.', async () => {
    const answer = await graph.ask('{ __typename tenant }');
    expect(answer.status).toBe(401);
    expect(answer.headers.get('www-authenticate')).toBe(
      'Bearer realm="https://id.test", resource_metadata="https://id.test/.well-known/oauth-protected-resource/graphql"',
    );
    expect(answer.body.data).toEqual({ __typename: 'Query', tenant: null });
  });

  test('A token in the query string is rejected as a bad request.', async () => {
    const response = await fetch(`${graph.url}/graphql?access_token=${token}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"query":"{ __typename }"}',
    });
    expect(response.status).toBe(400);
    expect(response.headers.get('www-authenticate')).toContain('invalid_request');
  });

  test('The tenant is taken from the token.', async () => {
    const rival = issuer.token({ tenant: 'rival', scopes: ['all'] });
    expect((await graph.ask('{ tenant }', { token: rival })).body.data).toEqual({ tenant: 'rival' });
  });
});

describe('errors', () => {
  test('An unexpected failure is returned as an id only, which is logged with its cause.', async () => {
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

  test('An error with a code that is not shown to clients is logged with the id of the request.', async () => {
    log.length = 0;
    const answer = await graph.ask('{ foreign }', { token, headers: { 'x-request-id': 'request-0002' } });
    expect(answer.body.errors?.[0]).toMatchObject({
      message: 'Something went wrong on our side.',
      extensions: { code: 'INTERNAL_SERVER_ERROR', requestId: 'request-0002' },
    });
    const lines = log.map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines.filter(({ level }) => level === 'error')).toMatchObject([{ requestId: 'request-0002' }]);
  });

  test('A dependency that is down is reported as SERVICE_UNAVAILABLE without its name.', async () => {
    const answer = await graph.ask('{ down tenant }', { token });
    expect(answer.body.errors?.[0]?.extensions).toEqual({ code: 'SERVICE_UNAVAILABLE' });
    expect(answer.body.data).toEqual({ down: null, tenant: 'demo' });
    expect(JSON.stringify(answer.body)).not.toContain('directory');
  });

  test('A mapped domain error has its given code.', async () => {
    log.length = 0;
    const answer = await graph.ask('{ taken }', { token });
    // Otherwise clients could fill the log with apparent server failures.
    expect(log.join('')).not.toMatch(/"error"|secret detail/);
    expect(answer.body.errors?.[0]).toMatchObject({
      message: 'The name is taken.',
      extensions: { code: 'CONFLICT' },
    });
  });

  test('Only known extensions of an error are returned.', async () => {
    const answer = await graph.ask('{ leaks }', { token });
    expect(answer.body.errors?.[0]?.extensions).toEqual({ code: 'CONFLICT' });
  });

  test('A resolver that returns the wrong type is a server failure.', async () => {
    const answer = await graph.ask('{ invalid }', { token });
    expect(answer.body.errors?.[0]?.extensions.code).toBe('INTERNAL_SERVER_ERROR');
    expect(JSON.stringify(answer.body)).not.toContain('not a number');
  });

  test('Wrong variables and documents are client errors.', async () => {
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

  test('A misspelt field yields no suggestion while introspection is off.', async () => {
    const answer = await graph.ask('{ tenent __schema { types { name } } }', { token });
    expect(JSON.stringify(answer.body)).not.toMatch(/Did you mean|"types":/);
  });
});

test('The subgraph schema is shown to platform services, and to others only where introspection is on.', async () => {
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
  const shown = { _service: { sdl: expect.stringContaining('type Keeper') } };
  expect((await graph.ask(query, { token: service })).body.data).toEqual(shown);
  const open = await serveSubgraph(issuer, {
    typeDefs: petTypes,
    resolvers: petResolvers,
    loaders: petLoaders,
    introspection: true,
  });
  expect((await open.ask(query)).body.data).toEqual(shown);
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
  ])('A request with %s is rejected in the shape of a GraphQL error.', async (_name, body, type, status) => {
    const answer = await post(body, type);
    expect(answer.status).toBe(status);
    expect(answer.body.errors?.[0]?.extensions.code).toMatch(/^BAD_REQUEST$/);
  });

  test('A request with a malformed Host header is rejected with that reason.', async () => {
    const answer = await graph.app.inject({
      method: 'POST',
      url: '/graphql',
      headers: { host: '[', 'content-type': 'application/json', authorization: `Bearer ${token}` },
      payload: { query: '{ tenant }' },
    });
    expect([answer.statusCode, answer.json()]).toMatchObject([
      400,
      { error: 'invalid_request', message: 'The Host header is malformed.' },
    ]);
  });

  test('An instant is accepted with any offset and returned in UTC.', async () => {
    const answer = await graph.ask('{ echo(at: "2026-01-31T08:00:00.5+02:00") }', { token });
    expect(answer.body.data).toEqual({ echo: '2026-01-31T06:00:00.500Z' });
  });

  test('Operations are measured by type and outcome, and errors by code.', async () => {
    const metrics = await graph.kit.metrics.metrics();
    expect(metrics).toMatch(
      /graphql_operation_duration_seconds_count\{.*type="query",outcome="partial"\} \d/,
    );
    expect(metrics).toMatch(/graphql_errors_total\{code="SERVICE_UNAVAILABLE".*\} \d/);
  });
});

test('Loaders make one call for a list, are bound to the tenant and are new for each request.', async () => {
  batches.length = 0;
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

test.each([{}, { id: null }, { name: 'x' }])(
  'A reference without its key, %j, is a client error.',
  async (rest) => {
    const { body } = await graph.ask(
      'query ($r: [_Any!]!) { _entities(representations: $r) { ... on Keeper { name } } }',
      { token, variables: { r: [{ __typename: 'Keeper', ...rest }] } },
    );
    expect(body.errors?.[0]?.extensions).toEqual({ code: 'BAD_USER_INPUT', argument: 'representations' });
  },
);
