import { beforeAll, describe, expect, test } from '@jest/globals';
import { runningDemo, unique } from '../support/demo.ts';
import { type GraphAnswer, graph } from '../support/graph.ts';
import { ScimClient } from '../support/scim.ts';
import { adminToken, signIn } from '../support/sign-in.ts';

const demo = runningDemo();
const { demo: tenant, rival } = demo.tenants;
let admin: string;

beforeAll(async () => {
  admin = await adminToken(tenant);
});

const codes = ({ errors }: GraphAnswer) => errors.map((error) => error.extensions?.code);

/** Sends any request and returns the response unparsed. */
async function raw(
  init: RequestInit & { path?: string },
): Promise<{ status: number; text: string; headers: Headers }> {
  const response = await fetch(`${demo.graphql}${init.path ?? ''}`, init);
  return { status: response.status, text: await response.text(), headers: response.headers };
}
const json = (body: unknown, headers: Record<string, string> = {}): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', authorization: `Bearer ${admin}`, ...headers },
  body: typeof body === 'string' ? body : JSON.stringify(body),
});

/** Checks that a query is rejected before execution, with short messages and without delay. */
async function refused(query: string, variables: Record<string, unknown> = {}): Promise<GraphAnswer> {
  const answer = await graph(demo, admin, query, variables);
  expect(answer.data ?? undefined).toBeUndefined();
  expect(answer.status).toBe(400);
  expect(answer.errors.length).toBeLessThanOrEqual(110);
  expect(codes(answer)[0]).toMatch(
    /^(GRAPHQL_(VALIDATION|PARSE)_FAILED|BAD_REQUEST|OPERATION_RESOLUTION_FAILURE)$/,
  );
  return answer;
}

const times = (count: number, part: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => part(index)).join(' ');

// Known tests of GraphQL security scanners.
describe('the usual attacks', () => {
  test('A query that aliases the same field a hundred times is rejected.', async () => {
    await refused(`{ ${times(101, (index) => `a${index}: __typename`)} }`);
    await refused(`{ me { ${times(101, (index) => `a${index}: id`)} } }`);
    await refused(
      `{ users(first: 1) { edges { node { ${times(60, (index) => `a${index}: userName`)} } } } }`,
    );
  });

  test('A batch of operations as an array is rejected.', async () => {
    const batch = await raw(json(Array.from({ length: 10 }, () => ({ query: '{ __typename }' }))));
    expect(batch.status).toBe(400);
    expect(batch.text).not.toContain('"data"');
  });

  test('Of several operations in one document, only the one that is named is executed.', async () => {
    const query = 'query A { __typename } query B { a: __typename }';
    expect(codes(await refused(query))).toEqual(['OPERATION_RESOLUTION_FAILURE']);
    const unknown = await raw(json({ query, operationName: 'C' }));
    expect(unknown.text).toContain('OPERATION_RESOLUTION_FAILURE');
    const named = await raw(json({ query, operationName: 'B' }));
    expect(JSON.parse(named.text)).toEqual({ data: { a: 'Query' } });
  });

  test('A large number of directives, known or unknown, is rejected.', async () => {
    await refused(`{ __typename ${times(500, () => '@aa')} }`);
    await refused(`{ __typename ${times(51, () => '@include(if: true)')} }`);
    await refused(`{ me { id ${times(60, () => '@skip(if: false)')} } }`);
  });

  test('Circular introspection is rejected.', async () => {
    const circle = (depth: number): string =>
      depth === 0 ? 'name' : `fields { type { ofType { ${circle(depth - 1)} } } }`;
    await refused(`{ __schema { types { ${circle(3)} } } }`);
    await refused(`query { __type(name: "User") { ${circle(3)} } }`);
    await refused(
      `query { __schema { types { ...T } } } fragment T on __Type { fields { type { fields { type { fields { type { fields { name } } } } } } } }`,
    );
  });

  test('A field that is repeated five hundred times is rejected.', async () => {
    await refused(`{ ${times(500, () => '__typename')} }`);
    await refused(`{ users(first: 100) { edges { node { ${times(2_000, () => 'id')} } } } }`);
  });

  test('A mutation by GET is rejected.', async () => {
    const query = new URLSearchParams({ query: 'mutation { revokeAllSessions(input: {}) { __typename } }' });
    for (const name of ['GET', 'HEAD', 'PUT', 'DELETE', 'PATCH', 'OPTIONS']) {
      const answer = await raw({
        method: name,
        path: `?${query}`,
        headers: { authorization: `Bearer ${admin}` },
      });
      expect([name, answer.status]).toEqual([name, 405]);
    }
    const named = new URLSearchParams({
      query: 'query Q { __typename } mutation M { revokeAllSessions(input: {}) { __typename } }',
      operationName: 'M',
    });
    expect((await raw({ path: `?${named}`, headers: { authorization: `Bearer ${admin}` } })).status).toBe(
      405,
    );
  });

  test.each([
    ['a form', 'application/x-www-form-urlencoded', 'query=%7B__typename%7D'],
    ['plain text', 'text/plain', '{"query":"{ __typename }"}'],
    ['plain text that says it is JSON', 'text/plain; application/json', '{"query":"{ __typename }"}'],
    ['a multipart form', 'multipart/form-data; boundary=x', '--x\r\n\r\n{"query":"{ __typename }"}\r\n--x--'],
    ['a query as it is', 'application/graphql', '{ __typename }'],
    ['no type at all', '', '{"query":"{ __typename }"}'],
  ])(
    'A request that a page of another site can post without a preflight is rejected: %s.',
    async (_name, type, body) => {
      const answer = await raw({
        method: 'POST',
        headers: { 'content-type': type, authorization: `Bearer ${admin}` },
        body,
      });
      expect([400, 415]).toContain(answer.status);
      expect(answer.text).not.toContain('"data"');
    },
  );

  test('An upload by the multipart convention is rejected.', async () => {
    const form = new FormData();
    form.set('operations', JSON.stringify({ query: '{ __typename }', variables: { file: null } }));
    form.set('map', '{}');
    const answer = await raw({ method: 'POST', body: form, headers: { authorization: `Bearer ${admin}` } });
    expect(answer.status).toBe(415);
  });

  test('Traces are never returned, for any known header that requests them.', async () => {
    for (const headers of [
      { 'apollo-federation-include-trace': 'ftv1' },
      { 'x-apollo-tracing': '1' },
      { 'apollo-query-plan-experimental': '1', 'apollo-query-plan-experimental-format': 'prettified' },
    ]) {
      const { text } = await raw(json({ query: '{ users(first: 1) { totalCount } }' }, headers));
      expect(Object.keys(JSON.parse(text))).toEqual(['data']);
    }
  });

  test('Nested pages are rejected for their cost or depth before anything is fetched.', async () => {
    const nested = (depth: number, first: number): string =>
      depth === 0
        ? 'id'
        : `id members(first: ${first}) { edges { node { user { groups { ${nested(depth - 1, first)} } } } } }`;
    const groups = (depth: number, first: number) =>
      `{ groups(first: ${first}) { edges { node { ${nested(depth, first)} } } } }`;
    const message = (answer: GraphAnswer) => answer.errors[0]?.message;
    expect(message(await refused(groups(1, 100)))).toMatch(/requests too much/);
    expect(message(await refused(groups(3, 1)))).toMatch(/too many levels/);
    const small = await graph(demo, admin, groups(1, 1));
    expect([small.status, small.errors]).toEqual([200, []]);
  });

  test('A nested query through lists without pages, from a user to sessions and back, is rejected despite its low estimate.', async () => {
    const own = await Promise.all(
      times(9, () => 'x')
        .split(' ')
        .map(() => signIn(demo, tenant, tenant.users.bob)),
    );
    const nested = (depth: number): string =>
      depth === 0 ? 'sessions { id }' : `sessions { user { ${nested(depth - 1)} } }`;
    const token = own[0]?.tokens.access_token ?? '';
    // 9^6 is about half a million.
    const answer = await graph(demo, token, `{ me { userName ${nested(5)} } }`);
    expect([answer.status, codes(answer)]).toEqual([200, ['BAD_USER_INPUT']]);
    expect(answer.data).toEqual({ me: { userName: 'bob', sessions: null } });
    expect((await graph(demo, token, `{ me { ${nested(1)} } }`)).errors).toEqual([]);
  });

  test('A page size outside the limits is rejected.', async () => {
    for (const first of [0, -1, 101, 1_000_000]) {
      const answer = await graph(
        demo,
        admin,
        '{ users(first: 2147483648) { totalCount } }'.replace('2147483648', String(first)),
      );
      expect(answer.data?.users ?? null).toBeNull();
      expect(codes(answer)).toContain('BAD_USER_INPUT');
    }
    await refused('{ users(first: 2147483648) { totalCount } }');
  });

  test('A document with too many tokens is rejected.', async () => {
    await refused(`{ ${times(5_001, () => 'a')} }`);
    await refused(`{ me ${'{ id '.repeat(4_000)}`);
    await refused(`query (${times(2_000, (index) => `$v${index}: Int`)}) { __typename }`);
    expect((await raw(json({ query: `{ ${' '.repeat(300_000)} __typename }` }))).status).toBe(413);
  });

  test('Responses to malformed requests disclose nothing internal.', async () => {
    for (const body of [
      '{',
      '""',
      'null',
      '[]',
      '5',
      '{}',
      '{"query":5}',
      '{"query":null}',
      '{"query":{"kind":"Document"}}',
      '{"query":"{ __typename }","variables":"x"}',
      '{"query":"{ __typename }","variables":[]}',
      '{"query":"{ __typename }","operationName":{}}',
      '{"query":"{ __typename }","extensions":[]}',
      '{"query":"{ __typename }","extensions":{"persistedQuery":5}}',
    ]) {
      const answer = await raw(json(body));
      expect([body, answer.status]).toEqual([body, expect.any(Number)]);
      expect(answer.status).toBeLessThan(500);
      expect(answer.text).not.toMatch(/at .*\.(ts|js):\d+|node_modules|127\.0\.0\.1|ECONNREFUSED|stack/);
    }
  });

  test('A subscription over a request that permits only one response is rejected.', async () => {
    const answer = await graph(demo, admin, 'subscription { userChanged { kind } }');
    expect(answer.status).toBe(400);
    expect(codes(answer)).toEqual(['BAD_REQUEST']);
  });

  test('The cost limit counts the whole operation, and variables and fragments do not hide a page.', async () => {
    const query = `query ($n: Int = 100) { ${times(20, (index) => `a${index}: users(first: $n) { ...P }`)} }
      fragment P on UserConnection { edges { node { ...U } } }
      fragment U on User { id userName displayName emails { value type primary } groups { id displayName } sessions { id createdAt lastSeenAt } provisioning { source { name } externalId lastChangedAt } }`;
    await refused(query);
    await refused(query, { n: 100 });
    const small = await graph(demo, admin, query, { n: 1 });
    expect([small.status, small.errors]).toEqual([200, []]);
  });
});

// Advisories on Apollo's gateway, server and federation.
describe('advisories', () => {
  test('Fragments that spread each other and double at every step are rejected (GHSA-q2f9-x4p4-7xmh).', async () => {
    const doubling = (count: number) =>
      `{ me { ...F0 } } ${times(count, (index) => `fragment F${index} on User { ...F${index + 1} ...F${index + 1} }`)} fragment F${count} on User { id }`;
    await refused(doubling(60));
    await refused(doubling(40));
    const named = `{ me { ...A } } fragment A on User { ...B ...B } fragment B on User { ...A id }`;
    await refused(named);
  });

  test('Nested and numerous inline fragments cause no optimisation blow-up in the query planner.', async () => {
    const nested = `{ me { ${'... on User { '.repeat(99)} id ${'} '.repeat(99)} } }`;
    const answer = await graph(demo, admin, nested);
    expect(answer.status).toBeLessThan(500);
    const wide = `{ me { ${times(99, () => '... @include(if: true) { id }')} } }`;
    expect((await graph(demo, admin, wide)).status).toBe(400);
    await refused(`{ me { ${'... on User { '.repeat(150)} id ${'} '.repeat(150)} } }`);
  });

  test('Prototype names as response keys, variables and extensions cause no pollution (CVE-2026-32621).', async () => {
    const { tokens } = await signIn(demo, tenant, tenant.users.alice);
    for (const key of ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty']) {
      const answer = await graph(
        demo,
        tokens.access_token,
        `{ ${key}: me { ${key}: id sessions { ${key}: id } } }`,
      );
      expect([key, answer.status]).toEqual([key, expect.any(Number)]);
      expect(answer.status).toBeLessThan(500);
    }
    const bodies = [
      '{"query":"{ __typename }","__proto__":{"polluted":1}}',
      '{"query":"{ __typename }","variables":{"__proto__":{"polluted":1}}}',
      '{"query":"query ($i: CreateUserInput!) { __typename }","variables":{"i":{"constructor":{"prototype":{"polluted":1}}}}}',
      '{"query":"{ __typename }","extensions":{"__proto__":{"persistedQuery":1}}}',
    ];
    for (const body of bodies) expect((await raw(json(body))).status).toBeLessThan(500);
    const parameters = new URLSearchParams({
      query: '{ __typename }',
      variables: '{"__proto__":{"polluted":1}}',
      extensions: '{"constructor":{"prototype":{"polluted":1}}}',
    });
    expect((await raw({ path: `?${parameters}` })).status).toBeLessThan(500);
    // The next request is answered normally.
    const next = await graph(demo, admin, '{ users(first: 1) { edges { node { id } } } }');
    expect([next.status, next.errors]).toEqual([200, []]);
    expect(JSON.stringify(next.data)).not.toContain('polluted');
  });

  test('Fields behind interfaces, unions, fragments and aliases keep their rules (GHSA-mx7m-j9xf-62hw).', async () => {
    const { tokens } = await signIn(demo, tenant, tenant.users.bob);
    const scim = new ScimClient(tenant, tenant.clients.scim.token);
    const { id } = await scim.createUser({ userName: unique('secretive'), externalId: unique('s') });
    for (const selection of [
      'sessions { id }',
      'alias: sessions { id }',
      '... { sessions { id } }',
      '... on User { sessions { id } }',
      '...F',
    ]) {
      const fragment = selection === '...F' ? 'fragment F on User { sessions { id } }' : '';
      const answer = await graph(
        demo,
        tokens.access_token,
        `query ($id: ID!) { user(id: $id) { ${selection} } } ${fragment}`,
        { id },
      );
      expect(answer.data?.user ?? null).toBeNull();
      expect(codes(answer)).toContain('FORBIDDEN');
    }
  });

  test('An alias that forges the type of an object is rejected.', async () => {
    const query = (fields: string) => `{ users(first: 1) { edges { node { id ${fields} } } } }`;
    for (const fields of ['__typename: displayName', '__typename: userName sessions { id }']) {
      const answer = await refused(query(fields));
      expect(answer.errors[0]?.message).toBe('No other field can have the response name "__typename".');
    }
  });

  test('Queries for entities and for the schema of a subgraph are rejected at the gateway.', async () => {
    await refused('{ _service { sdl } }');
    await refused(
      '{ _entities(representations: [{ __typename: "User", id: "x" }]) { ... on User { userName } } }',
    );
    const answer = await graph(
      demo,
      admin,
      '{ __type(name: "_Entity") { name } service: __type(name: "_Service") { name } }',
    );
    expect(answer.data).toEqual({ __type: null, service: null });
  });

  test('A field shared by many subgraphs is answered when it is selected in many ways (GHSA-fmj9-77q8-g6c4).', async () => {
    const shared = times(8, (index) => `... on UserConnection { pageInfo { ...P${index} } }`);
    const fragments = times(
      8,
      (index) => `fragment P${index} on PageInfo { hasNextPage endCursor hasPreviousPage startCursor }`,
    );
    const query = `{ users(first: 1) { ${shared} edges { node { ${times(5, () => '... { id userName active groups { id } sessions { id } }')} } } } } ${fragments}`;
    const answer = await graph(demo, admin, query);
    expect([answer.status, answer.errors]).toEqual([200, []]);
  });

  test('An id of another tenant in the operation is answered like an unknown id.', async () => {
    const foreign = await adminToken(rival);
    const scim = new ScimClient(tenant, tenant.clients.scim.token);
    const { id } = await scim.createUser({ userName: unique('ours'), externalId: unique('ours') });
    const [ours, none] = await Promise.all(
      [id, '01900000-0000-7000-8000-000000000000'].map((asked) =>
        graph(demo, foreign, 'query ($id: ID!) { user(id: $id) { id userName sessions { id } } }', {
          id: asked,
        }),
      ),
    );
    expect({ ...ours, headers: undefined }).toEqual({ ...none, headers: undefined });
  });

  test('A cross-site browser request is rejected, while direct navigation and a request without fetch metadata are accepted.', async () => {
    const path = '?query=%7B__typename%7D';
    for (const mode of ['navigate', 'no-cors', 'same-origin', undefined]) {
      const answer = await fetchWith(path, {
        'sec-fetch-site': 'cross-site',
        ...(mode ? { 'sec-fetch-mode': mode } : {}),
      });
      expect(answer).toBe(403);
    }
    expect(await fetchWith(path, { 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate' })).toBe(200);
    expect(await fetchWith(path, {})).toBe(200);
  });

  test('Every response states the remaining budget.', async () => {
    const answer = await graph(demo, admin, '{ users(first: 1) { totalCount } }');
    expect(answer.headers.get('ratelimit-policy')).toMatch(/^"graph";q=\d+;w=60$/);
    expect(answer.headers.get('ratelimit')).toMatch(/^"graph";r=\d+;t=\d+$/);
  });
});

/** Uses node:http, because fetch sets Sec-Fetch-Mode itself. */
async function fetchWith(path: string, headers: Record<string, string>): Promise<number | undefined> {
  const { get } = await import('node:http');
  return new Promise((resolve, reject) => {
    get(`${demo.graphql}${path}`, { headers }, (response) => {
      response.resume();
      resolve(response.statusCode);
    }).on('error', reject);
  });
}
