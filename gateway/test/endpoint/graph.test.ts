import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Issuer } from '@ostiary/access/testing';
import { ask, codesOf, type RunningGateway, type RunningService, Services } from '../support/system.ts';

let issuer: Issuer;
let services: Services;
let directory: RunningService;
let gateway: RunningGateway;
let token: string;
const every = ['users:read', 'users:write', 'sessions:read', 'provisioning:read', 'clients:read'];

beforeAll(async () => {
  issuer = new Issuer();
  services = await Services.start(issuer);
  directory = services.directory;
  gateway = await services.gateway();
  token = issuer.token({ subject: 'job', scopes: every });
});
afterAll(async () => {
  await services.stop();
});

const people = '{ users { id name sessions { id } source } }';

describe('an operation over three services', () => {
  test('An operation over three services is answered for a client with the scopes.', async () => {
    const answer = await ask(gateway.url, people, { token });
    expect(answer.body).toEqual({
      data: {
        users: [
          { id: 'alice', name: 'Alice', sessions: [{ id: 'alice-1' }], source: 'Entra ID' },
          { id: 'bob', name: 'Bob', sessions: [{ id: 'bob-1' }], source: 'Entra ID' },
        ],
      },
    });
  });

  test('An operation over three services gets a response that must not be stored.', async () => {
    expect((await ask(gateway.url, people, { token })).headers.get('cache-control')).toBe('no-store');
  });

  test.each([
    [people, []],
    ['{ clients { id creator { name } keeper { name } } }', ['INTERNAL_SERVER_ERROR']],
  ])(
    'The result of an operation depends only on the rights of its caller, regardless of earlier callers: %s.',
    async (query, codes) => {
      const some = issuer.token({ subject: 'job', scopes: ['users:read'] });
      const rival = issuer.token({ tenant: 'rival', subject: 'other', scopes: [] });
      const headers = { 'x-request-id': 'request-0007' };
      const all = async () => {
        const answers = [token, some, rival, undefined].map((who) =>
          ask(gateway.url, query, { headers, ...(who ? { token: who } : {}) }),
        );
        return (await Promise.all(answers)).map(({ status, body }) => ({ status, body }));
      };
      // The plan is created for the first call and cached for the others.
      const [first, second, third] = [await all(), await all(), await all()];
      expect(second).toEqual(first);
      expect(third).toEqual(first);
      expect(
        first.map(({ body }) => [...new Set(body.errors?.map(({ extensions }) => extensions.code))]),
      ).toEqual([codes, ['FORBIDDEN'], ['FORBIDDEN'], ['UNAUTHENTICATED']]);
    },
  );

  test('An operation on the account of the user is executed with a token without scopes.', async () => {
    const alice = issuer.token({ subject: 'alice', client: 'web' });
    const answer = await ask(gateway.url, '{ me { id name sessions { id } source } }', { token: alice });
    expect(answer.body.errors).toBeUndefined();
    expect(answer.body.data).toEqual({
      me: { id: 'alice', name: 'Alice', sessions: [{ id: 'alice-1' }], source: 'Entra ID' },
    });
  });

  test('The gateway forwards the token, the request id and the address of the client, and no other headers of the client.', async () => {
    directory.received.length = 0;
    await ask(gateway.url, '{ users { id } }', {
      token,
      headers: {
        'x-request-id': 'request-0007',
        'user-agent': 'app/1.0',
        'x-forwarded-for': '192.0.2.9',
        cookie: 'a=b',
      },
    });
    expect(directory.received[0]?.headers).toMatchObject({
      authorization: `Bearer ${token}`,
      'x-request-id': 'request-0007',
      'user-agent': 'app/1.0',
      // The header of the client is ignored, because the client is not a trusted proxy.
      'x-forwarded-for': '127.0.0.1',
    });
    expect(directory.received[0]?.headers.cookie).toBeUndefined();
  });

  test('An operation returns errors at the paths of the fields whose scope is missing.', async () => {
    const some = issuer.token({ subject: 'job', scopes: ['users:read'] });
    const answer = await ask(gateway.url, '{ users { name who: sessions { id } sessionCount } }', {
      token: some,
    });
    expect(answer.status).toBe(200);
    expect(codesOf(answer)).toEqual([
      ['users.0.who', 'FORBIDDEN'],
      ['users.0.sessionCount', 'FORBIDDEN'],
      ['users.1.who', 'FORBIDDEN'],
      ['users.1.sessionCount', 'FORBIDDEN'],
    ]);
    expect(answer.body.data).toEqual({
      users: [
        { name: 'Alice', who: null, sessionCount: null },
        { name: 'Bob', who: null, sessionCount: null },
      ],
    });
    expect(answer.body.errors?.[0]?.extensions).toEqual({ code: 'FORBIDDEN', scopes: ['sessions:read'] });
  });

  test('A non-null reference to a deleted user returns an error with a path and nulls only its parent.', async () => {
    const answer = await ask(gateway.url, '{ clients { id owner { id name } } }', { token });
    expect(answer.body.errors?.map((error) => error.path?.slice(0, 3).join('.'))).toEqual([
      'clients.1.owner',
    ]);
    expect(answer.body.extensions).toBeUndefined();
  });

  test('A nullable reference to a deleted user returns null and no error, also in a list.', async () => {
    const answer = await ask(gateway.url, '{ clients { id creator { who: name } editors { id name } } }', {
      token,
    });
    expect(answer.body).toEqual({
      data: {
        clients: [
          { id: 'c1', creator: null, editors: [{ id: 'bob', name: 'Bob' }, null] },
          { id: 'c2', creator: { who: 'Alice' }, editors: [] },
        ],
      },
    });
  });

  test('An operation keeps the error of a reference that a service failed to resolve.', async () => {
    const answer = await ask(gateway.url, '{ clients { id creator { name } keeper { name } } }', { token });
    expect(answer.body.data).toEqual({
      clients: [
        { id: 'c1', creator: null, keeper: null },
        { id: 'c2', creator: { name: 'Alice' }, keeper: null },
      ],
    });
    expect(codesOf(answer)).toEqual([['clients.0.keeper.name', 'INTERNAL_SERVER_ERROR']]);
  });

  test('An internal failure is reported only with a request id.', async () => {
    const answer = await ask(gateway.url, '{ user(id: "alice") { id fails } }', {
      token,
      headers: { 'x-request-id': 'request-0008' },
    });
    expect(answer.body).toEqual({
      data: { user: { id: 'alice', fails: null } },
      errors: [
        {
          message: 'Something went wrong on our side.',
          path: ['user', 'fails'],
          extensions: { code: 'INTERNAL_SERVER_ERROR', requestId: 'request-0008' },
        },
      ],
    });
  });
});

describe('fields that require a field of another service', () => {
  const query = '{ clients { owner { badge } } }';

  test('A field that another service requires is fetched with the token of the caller and does not bypass its rule.', async () => {
    const may = await issuer.token({ scopes: ['clients:read', 'provisioning:read', 'users:read'] });
    expect((await ask(gateway.url, query, { token: may })).body.data).toMatchObject({
      clients: [{ owner: { badge: 'Alice, visitor' } }, expect.anything()],
    });
    const mayNot = await issuer.token({ scopes: ['clients:read', 'provisioning:read'] });
    const answer = await ask(gateway.url, query, { token: mayNot });
    expect(JSON.stringify(answer.body)).not.toContain('Alice');
    expect(JSON.stringify(codesOf(answer))).toContain('FORBIDDEN');
  });
});

describe('authentication at the graph', () => {
  test('A request without a token gets 401, a GraphQL response and a challenge without an error code.', async () => {
    const answer = await ask(gateway.url, people);
    expect(answer.status).toBe(401);
    expect(answer.headers.get('www-authenticate')).toBe(
      'Bearer realm="https://id.test", resource_metadata="https://id.test/.well-known/oauth-protected-resource/graphql"',
    );
    expect(codesOf(answer)).toEqual([['users', 'UNAUTHENTICATED']]);
    expect(answer.body.data).toEqual({ users: null });
  });

  test('A query that reads no data needs no token.', async () => {
    expect((await ask(gateway.url, '{ __typename }')).body).toEqual({ data: { __typename: 'Query' } });
  });

  test.each([
    ['expired', () => issuer.token({ scopes: every, expiresIn: -60 })],
    ['for another audience', () => issuer.token({ scopes: every, audience: 'urn:elsewhere' })],
    ['made up', async () => 'x.y.z'],
  ])(
    'A token that is %s is rejected with 401 invalid_token before any service gets a request.',
    async (_name, make) => {
      directory.received.length = 0;
      const answer = await ask(gateway.url, people, { token: await make() });
      expect(answer.status).toBe(401);
      expect(answer.headers.get('www-authenticate')).toContain('error="invalid_token"');
      expect(codesOf(answer)).toEqual([[undefined, 'UNAUTHENTICATED']]);
      expect(directory.received).toEqual([]);
    },
  );

  test('The graph rejects a token from the moment it is revoked.', async () => {
    const leaving = issuer.token({ subject: 'eve', client: 'web' });
    expect((await ask(gateway.url, '{ me { id } }', { token: leaving })).status).toBe(200);
    issuer.revocations.apply([
      { seq: '1', tenant: 'demo', kind: 'subject', key: 'eve', expiresAt: Date.now() / 1000 + 600 },
    ]);
    const answer = await ask(gateway.url, '{ me { id } }', { token: leaving });
    expect(answer.status).toBe(401);
    expect(answer.headers.get('www-authenticate')).toContain('error="invalid_token"');
  });
});

describe('GraphQL over HTTP', () => {
  const get = (query: string, headers: Record<string, string> = {}) =>
    fetch(`${gateway.url}/graphql?${new URLSearchParams({ query })}`, { headers });
  const post = (body: string, headers: Record<string, string>) =>
    fetch(`${gateway.url}/graphql`, { method: 'POST', body, headers });

  test('The graph accepts queries by GET.', async () => {
    const response = await get('{ users(first: 1) { id } }', { authorization: `Bearer ${token}` });
    expect(await response.json()).toEqual({ data: { users: [{ id: 'alice' }] } });
    expect((await get('{ __typename }')).status).toBe(200);
  });

  test('An empty operationName of a GET request is treated as absent.', async () => {
    const headers = { authorization: `Bearer ${token}` };
    const asked = (parameters: string) => fetch(`${gateway.url}/graphql?${parameters}`, { headers });
    const query = `query=${encodeURIComponent('{ users(first: 1) { id } }')}`;
    for (const parameters of [
      `${query}&operationName=`,
      `operationName=&${query}`,
      `${query}&operationName`,
    ]) {
      const response = await asked(parameters);
      expect(await response.json()).toEqual({ data: { users: [{ id: 'alice' }] } });
    }
    expect((await asked(`${query}&operationName=&operationName=`)).status).toBe(400);
    const two = `query=${encodeURIComponent('query A { __typename } query B { __typename }')}`;
    expect(await (await asked(`${two}&operationName=`)).json()).toMatchObject({
      errors: [{ extensions: { code: 'OPERATION_RESOLUTION_FAILURE' } }],
    });
  });

  test('The graph accepts no mutations by GET.', async () => {
    directory.received.length = 0;
    const response = await get('mutation { rename(id: "alice", name: "x") { id } }', {
      authorization: `Bearer ${token}`,
    });
    expect(response.status).toBe(405);
    expect(directory.received).toEqual([]);
  });

  test.each(['/graphql', '/t/demo/graphql'])('The graph accepts only GET and POST at %s.', async (path) => {
    for (const method of ['HEAD', 'OPTIONS', 'PUT', 'PATCH', 'DELETE']) {
      const response = await fetch(`${gateway.url}${path}`, {
        method,
        headers: { authorization: `Bearer ${token}` },
      });
      expect([method, response.status, response.headers.get('allow')]).toEqual([method, 405, 'GET, POST']);
      const body = await response.text();
      if (method !== 'HEAD')
        expect(JSON.parse(body)).toMatchObject({ errors: [{ extensions: { code: 'BAD_REQUEST' } }] });
    }
    expect((await fetch(`${gateway.url}/t/platform/graphql`, { method: 'PUT' })).status).toBe(404);
  });

  test('The graph responds with the media type that the client prefers.', async () => {
    const typeOf = async (accept: string) =>
      (await post('{"query":"{ __typename }"}', { 'content-type': 'application/json', accept })).headers.get(
        'content-type',
      );
    expect(await typeOf('application/graphql-response+json')).toMatch(/^application\/graphql-response\+json/);
    expect(await typeOf('application/json')).toMatch(/^application\/json/);
    expect(await typeOf('*/*')).toMatch(/^application\/json/);
    expect(
      (await post('{"query":"{ __typename }"}', { 'content-type': 'application/json', accept: 'text/html' }))
        .status,
    ).toBe(406);
  });

  test.each([
    ['a form', 'query=%7B__typename%7D', 'application/x-www-form-urlencoded', 415],
    ['plain text', '{"query":"{ __typename }"}', 'text/plain', 415],
    ['multipart', '--x--', 'multipart/form-data; boundary=x', 415],
    ['broken JSON', '{', 'application/json', 400],
    ['a batch', '[{"query":"{ __typename }"}]', 'application/json', 400],
    [
      'something huge',
      JSON.stringify({ query: '{ __typename }', pad: 'x'.repeat(300_000) }),
      'application/json',
      413,
    ],
  ])('A GraphQL request with %s is rejected.', async (_name, body, type, status) => {
    const response = await post(body, { 'content-type': type });
    expect(response.status).toBe(status);
    expect(((await response.json()) as { errors: unknown[] }).errors).toHaveLength(1);
  });

  test('The graph reports invalid variables and unknown fields as client errors.', async () => {
    const wrong = await ask(gateway.url, 'query ($n: Int) { users(first: $n) { id } }', {
      token,
      variables: { n: 'x' },
    });
    expect(codesOf(wrong)).toEqual([[undefined, 'BAD_USER_INPUT']]);
    expect(wrong.status).toBe(200);
    expect(codesOf(await ask(gateway.url, '{ nobody }', { token }))).toEqual([
      [undefined, 'GRAPHQL_VALIDATION_FAILED'],
    ]);
  });

  test('Introspection is disabled by default.', async () => {
    const closed = await ask(gateway.url, '{ __schema { queryType { name } } }', { token });
    expect(closed.body.data).toBeUndefined();
    const open = await services.gateway({ introspection: true });
    const schema = await ask(open.url, '{ __schema { queryType { name } } }');
    expect(schema.body).toEqual({ data: { __schema: { queryType: { name: 'Query' } } } });
    await open.app.close();
    expect((await ask(gateway.url, '{ usrs { id } }', { token })).body.errors?.[0]?.message).not.toMatch(
      /Did you mean/,
    );
  });
});
