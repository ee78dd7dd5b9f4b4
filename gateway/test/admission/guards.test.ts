import { createHash, randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Issuer } from '@ostiary/access/testing';
import { createKit, createRedis, type Redis, redisReady } from '@ostiary/service';
import { callerOf } from '../../src/admission/domain/caller.ts';
import { priceOfReading } from '../../src/admission/domain/charge.ts';
import { readTrustedDocuments, TrustedDocuments } from '../../src/admission/graph/trusted-documents.ts';
import type { GraphGuards } from '../../src/composition/guards.ts';
import { supergraphPath } from '../../src/schema/graph/compose.ts';
import { ask, type RunningGateway, Services } from '../support/system.ts';

const redisUrl = process.env.TEST_REDIS_URL ?? 'redis://127.0.0.1:6379';

let issuer: Issuer;
let services: Services;
let redis: Redis;
let token: string;

beforeAll(async () => {
  issuer = await new Issuer();
  services = await Services.start(issuer);
  redis = createRedis(redisUrl, {
    name: 'guards-test',
    log: createKit({ name: 'test', logLevel: 'silent' }).log,
  });
  await redisReady(redis);
  token = await issuer.token({ scopes: ['users:read', 'users:write'] });
});
afterAll(async () => {
  await services.stop();
  redis.disconnect();
});

async function gatewayWith(guards: GraphGuards, more: object = {}): Promise<RunningGateway> {
  return services.gateway({ guards, ...more });
}

const send = async (
  { url }: RunningGateway,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<{
  status: number;
  headers: Headers;
  body: { data?: unknown; errors?: { message: string; extensions: Record<string, unknown> }[] };
}> => {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}`, ...headers },
    body: JSON.stringify(body),
  });
  return { status: response.status, headers: response.headers, body: (await response.json()) as never };
};
const codeOf = (answer: { body: { errors?: { extensions: Record<string, unknown> }[] } }) =>
  answer.body.errors?.[0]?.extensions.code;
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

describe('the budget of a caller', () => {
  const prefix = () => `test-${randomUUID()}`;
  /** Redis as the only counter, also on a busy machine. */
  const counter = () => ({ redis, prefix: prefix(), redisTimeoutMs: 15_000 });
  const leftIn = ({ headers }: { headers: Headers }): number =>
    Number(/^"graph";r=(\d+);t=\d+$/.exec(headers.get('ratelimit') ?? '')?.[1]);

  test('The budget of a caller decreases by the cost of operations, across all gateways, and is reported in headers.', async () => {
    const shared = { pointsPerMinute: 400, ...counter() };
    const [first, second] = await Promise.all([gatewayWith(shared), gatewayWith(shared)]);
    const small = await send(first, { query: '{ users(first: 1) { id } }' });
    expect(small.status).toBe(200);
    expect(small.headers.get('ratelimit-policy')).toBe('"graph";q=400;w=60');
    expect(leftIn(small)).toBeLessThan(400);

    const large = await send(second, { query: '{ users(first: 90) { id name } }' });
    expect(large.status).toBe(200);
    expect(leftIn(small) - leftIn(large)).toBeGreaterThan(200);

    const refused = await send(first, { query: '{ users(first: 90) { id name } }' });
    expect([refused.status, codeOf(refused)]).toEqual([429, 'RATE_LIMITED']);
    expect(refused.body.data).toBeUndefined();
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(refused.body.errors?.[0]?.extensions.retryAfter).toBe(Number(refused.headers.get('retry-after')));
    expect(refused.body.errors?.[0]?.extensions.http).toBeUndefined();
  });

  test('The budget of one caller affects no other client, user or tenant.', async () => {
    const gateway = await gatewayWith({ pointsPerMinute: 120, ...counter() });
    const query = '{ users(first: 20) { id } }';
    const as = async (claims: object) =>
      (
        await ask(gateway.url, query, {
          token: await issuer.token({ scopes: ['users:read'], ...claims }),
        })
      ).status;
    expect([await as({}), await as({}), await as({})]).toContain(429);
    expect(await as({ subject: 'c2' })).toBe(200);
    expect(await as({ subject: 'alice', client: 'c1' })).toBe(200);
    expect(await as({ tenant: 'rival' })).toBe(200);
  });

  test('The budget of a caller is charged for malformed operations as well.', async () => {
    const gateway = await gatewayWith({ pointsPerMinute: 100, ...counter() });
    const statuses = [];
    for (let count = 0; count < 12; count += 1) statuses.push((await send(gateway, { query: '{' })).status);
    expect(statuses[0]).toBe(200);
    expect(statuses.at(-1)).toBe(429);
  });

  test('Twenty concurrent requests never exceed the budget of a caller.', async () => {
    const [points, query] = [500, '{ users(first: 10) { id } }'];
    const gateway = await gatewayWith({ pointsPerMinute: points, ...counter() });
    const left = leftIn(await send(gateway, { query }));
    const price = points - left;
    // A request is charged for its text when it arrives, and for its execution later. The budget is sufficient for all
    // texts and some executions: otherwise requests that arrive together use all of it for their texts.
    expect(left).toBeGreaterThan(20 * priceOfReading(query) + price);
    const answers = await Promise.all(Array.from({ length: 20 }, () => send(gateway, { query })));
    const statuses = answers.map(({ status }) => status);
    expect([...new Set(statuses)].toSorted()).toEqual([200, 429]);
    expect(statuses.filter((status) => status === 200).length).toBeLessThanOrEqual(left / price);
  });

  test('The budget of a caller is counted by each process separately when Redis is unavailable.', async () => {
    const away = createRedis('redis://127.0.0.1:1', {
      name: 'away',
      log: createKit({ name: 'test', logLevel: 'silent' }).log,
    });
    try {
      const gateway = await gatewayWith({ pointsPerMinute: 100, redis: away, prefix: prefix() });
      expect((await send(gateway, { query: '{ users(first: 1) { id } }' })).status).toBe(200);
      const statuses = await Promise.all(
        Array.from({ length: 8 }, async () => (await send(gateway, { query: '{ __typename }' })).status),
      );
      expect(statuses).toContain(429);
    } finally {
      away.disconnect();
    }
  });

  test.each([
    ['203.0.113.9', 'network 203.0.113.9'],
    ['2001:db8:1:2:3:4:5:6', 'network 2001:db8:1:2::/64'],
  ])('The budget of a request without a token belongs to its network: %s.', (address, caller) => {
    expect(callerOf(undefined, address)).toBe(caller);
  });
});

test('The cost of an operation counts the list lengths that the API declares.', async () => {
  const gateway = await gatewayWith({}, { supergraphSdl: await readFile(supergraphPath, 'utf8') });
  const tooMuch = async (query: string, variables = {}) => {
    const { body } = await send(gateway, { query, variables });
    const refused = body.errors?.[0]?.extensions.code === 'GRAPHQL_VALIDATION_FAILED';
    if (refused) expect(body.errors?.[0]?.message).toMatch(/requests too much/);
    return refused;
  };
  const ids = Array.from({ length: 100 }, (_, index) => `${index}`);
  const nodes = `query ($ids: [ID!]!) { nodes(ids: $ids) { ... on Group { members(first: 100) { edges { node { id: memberId type displayName addedAt user { id userName displayName active } } } } } } }`;
  expect(await tooMuch(nodes, { ids: ids.slice(0, 5) })).toBe(false);
  expect(await tooMuch(nodes, { ids })).toBe(true);
  expect(await tooMuch(nodes.replace('($ids: [ID!]!)', '').replace('$ids', JSON.stringify(ids)))).toBe(true);

  const tenants = (days: string) =>
    `{ tenants(first: 60) { edges { node { statistics { growth${days} { day people { total } groups } } } } } }`;
  expect(await tooMuch(tenants('(days: 7)'))).toBe(false);
  expect(await tooMuch(tenants('(days: 400)'))).toBe(true);
  const left = `departures { ${Array.from({ length: 30 }, (_, n) => `a${n}: epoch`).join(' ')} }`;
  expect(await tooMuch(`{ users(first: 1) { edges { node { ${left} } } } }`)).toBe(false);
  expect(await tooMuch(`{ users(first: 100) { edges { node { ${left} } } } }`)).toBe(true);
});

describe('automatic persisted queries', () => {
  const query = 'query Known { users(first: 1) { id } }';
  const persistedQuery = { version: 1, sha256Hash: sha256(query) };

  test('A persisted query registered at one gateway is accepted by the others, also by GET.', async () => {
    const shared = { redis, prefix: `test-${randomUUID()}` };
    const [first, second] = await Promise.all([gatewayWith(shared), gatewayWith(shared)]);
    expect(codeOf(await send(first, { extensions: { persistedQuery } }))).toBe('PERSISTED_QUERY_NOT_FOUND');
    const registered = await send(first, { query, extensions: { persistedQuery } });
    expect(registered.body).toEqual({ data: { users: [{ id: 'alice' }] } });
    expect((await send(second, { extensions: { persistedQuery } })).body).toEqual(registered.body);
    const address = `${second.url}/graphql?${new URLSearchParams({ extensions: JSON.stringify({ persistedQuery }) })}`;
    const got = await fetch(address, { headers: { authorization: `Bearer ${token}` } });
    expect(await got.json()).toEqual(registered.body);
  });

  test('A persisted query grants no access: each caller is authorized by their own token.', async () => {
    const gateway = await gatewayWith({ redis, prefix: `test-${randomUUID()}` });
    await send(gateway, { query, extensions: { persistedQuery } });
    const poor = await send(
      gateway,
      { extensions: { persistedQuery } },
      { authorization: `Bearer ${await issuer.token({ subject: 'poor', scopes: [] })}` },
    );
    expect(codeOf(poor)).toBe('FORBIDDEN');
  });

  test('Persisted queries with a wrong digest, malformed values or prototypes are rejected, and none is registered without a token.', async () => {
    const gateway = await gatewayWith({ redis, prefix: `test-${randomUUID()}` });
    const wrong = await send(gateway, { query: '{ __typename }', extensions: { persistedQuery } });
    expect([wrong.status, codeOf(wrong)]).toEqual([400, 'BAD_REQUEST']);
    for (const none of [5, 'x', [], {}, { version: 2, sha256Hash: sha256(query) }, { version: 1 }]) {
      for (const init of [{}, { authorization: '' }]) {
        const answer = await send(gateway, { query, extensions: { persistedQuery: none } }, init);
        expect([answer.status, codeOf(answer)]).toEqual([400, 'BAD_REQUEST']);
      }
    }
    expect(codeOf(await send(gateway, { extensions: { persistedQuery } }))).toBe('PERSISTED_QUERY_NOT_FOUND');
    for (const sha256Hash of ['__proto__', 'constructor', '', 'A'.repeat(10_000), 5, null, {}, []]) {
      const answer = await send(gateway, { extensions: { persistedQuery: { version: 1, sha256Hash } } });
      expect(codeOf(answer)).toBe('PERSISTED_QUERY_NOT_FOUND');
    }
    const anonymous = '{ __typename }';
    const hash = { persistedQuery: { version: 1, sha256Hash: sha256(anonymous) } };
    const served = await ask(gateway.url, anonymous);
    expect(served.status).toBe(200);
    await fetch(`${gateway.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query: anonymous, extensions: hash }),
    });
    expect(codeOf(await send(gateway, { extensions: hash }))).toBe('PERSISTED_QUERY_NOT_FOUND');
  });

  test('A query stored in Redis under the digest of another query is not executed.', async () => {
    const prefix = `test-${randomUUID()}`;
    await redis.set(`${prefix}:graph:apq:${persistedQuery.sha256Hash}`, '{ users { id name } }');
    const gateway = await gatewayWith({ redis, prefix });
    expect(codeOf(await send(gateway, { extensions: { persistedQuery } }))).toBe('PERSISTED_QUERY_NOT_FOUND');
  });

  test('Persisted queries can be disabled.', async () => {
    const gateway = await gatewayWith({ persistedQueries: false });
    expect(codeOf(await send(gateway, { extensions: { persistedQuery } }))).toBe(
      'PERSISTED_QUERY_NOT_SUPPORTED',
    );
  });
});

describe('trusted documents', () => {
  const text = 'query One($id: ID!) { user(id: $id) { id name } }';
  const documents = new TrustedDocuments([['one', text]]);
  const asked = { data: { user: { id: 'alice', name: 'Alice' } } };
  const variables = { id: 'alice' };

  test('Trusted documents are executed by id, by digest as in Apollo clients, and by GET.', async () => {
    const gateway = await gatewayWith({ documents });
    for (const request of [
      { documentId: 'one' },
      { documentId: `sha256:${sha256(text)}` },
      { extensions: { persistedQuery: { version: 1, sha256Hash: sha256(text) } } },
      { documentId: 'one', query: text },
    ]) {
      expect((await send(gateway, { ...request, variables })).body).toEqual(asked);
    }
    const address = new URLSearchParams({ documentId: 'one', variables: JSON.stringify(variables) });
    const got = await fetch(`${gateway.url}/graphql?${address}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(await got.json()).toEqual(asked);
    // Without `documentsOnly`, other operations are executed too.
    expect((await send(gateway, { query: '{ users(first: 1) { id } }' })).status).toBe(200);
    expect(codeOf(await send(gateway, { documentId: 'two' }))).toBe('PERSISTED_QUERY_NOT_IN_LIST');
    expect((await send(gateway, { documentId: 'one', query: '{ users { id } }' })).status).toBe(400);
  });

  test('Only trusted documents are executed when they are exclusive.', async () => {
    const gateway = await gatewayWith({ documents, documentsOnly: true });
    expect((await send(gateway, { documentId: 'one', variables })).body).toEqual(asked);
    expect((await send(gateway, { query: text, variables })).body).toEqual(asked);
    const query = '{ users { id } }';
    const persistedQuery = { version: 1, sha256Hash: sha256(query) };
    for (const request of [
      { query },
      { query: ` ${text}` },
      { query, documentId: 'one' },
      { query, extensions: { persistedQuery } },
      { query, extensions: { persistedQuery: { version: 1, sha256Hash: sha256(text) } } },
      { extensions: { persistedQuery } },
      { documentId: 'toString' },
      { documentId: '__proto__' },
      { documentId: ['one'] },
      { query: [query] },
      [{ query }],
    ]) {
      const answer = await send(gateway, request);
      expect([answer.status, answer.body.data]).toEqual([400, undefined]);
    }
    for (const parameters of [
      { query },
      { query, documentId: 'one' },
      { query, extensions: JSON.stringify({ persistedQuery: { version: 1, sha256Hash: sha256(text) } }) },
    ]) {
      const got = await fetch(`${gateway.url}/graphql?${new URLSearchParams(parameters)}`, {
        headers: { authorization: `Bearer ${token}` },
      });
      expect(got.status).toBe(400);
    }
    const twice = await fetch(
      `${gateway.url}/graphql?documentId=one&query=${encodeURIComponent(query)}&query=x`,
    );
    expect(twice.status).toBe(400);
    // A fragment is not part of the request target. It must not make the gateway check one operation and execute
    // another.
    for (const [checked, executed] of [
      [text, query],
      [query, text],
    ] as const) {
      const path = `/graphql#query=${encodeURIComponent(checked)}&x?query=${encodeURIComponent(executed)}&variables=%7B%22id%22%3A%22alice%22%7D`;
      const body = await new Promise<string>((resolve, reject) => {
        get(`${gateway.url}/`, { path, headers: { authorization: `Bearer ${token}` } }, (response) => {
          response
            .setEncoding('utf8')
            .toArray()
            .then((chunks) => resolve(chunks.join('')), reject);
        }).on('error', reject);
      });
      const refused = JSON.parse(body) as { data?: unknown };
      expect(refused.data).toEqual(executed === text ? asked.data : undefined);
    }
  });

  test('Trusted documents are read from manifests of Apollo and of Relay, and invalid manifests are rejected.', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'ostiary-manifest-'));
    const read = async (content: unknown) => {
      const path = join(folder, 'manifest.json');
      await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content));
      return readTrustedDocuments([path]);
    };
    try {
      const apollo = { format: 'apollo-persisted-query-manifest', version: 1 };
      const relay = await read({ [sha256(text)]: text });
      expect([relay.size, relay.textOf(sha256(text))]).toEqual([1, text]);
      expect((await read({ ...apollo, operations: [{ id: 'one', body: text }] })).textOf('one')).toBe(text);
      await expect(read({ [sha256('other')]: text })).rejects.toThrow('does not match its digest');
      await expect(read({ one: '{' })).rejects.toThrow('cannot be read');
      await expect(read('{')).rejects.toThrow('cannot be read');
      for (const wrong of [
        [],
        'null',
        '5',
        { one: 5 },
        { operations: [{ id: 'one' }] },
        { ...apollo, version: 2, operations: [] },
      ]) {
        await expect(read(wrong)).rejects.toThrow('neither');
      }
      await expect(readTrustedDocuments([join(folder, 'none.json')])).rejects.toThrow('cannot be read');
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});

describe('requests that browsers send on behalf of other sites', () => {
  let gateway: RunningGateway;
  beforeAll(async () => {
    gateway = await gatewayWith({});
  });

  test.each([
    ['navigate', 'cross-site', 403],
    ['no-cors', 'cross-site', 403],
    ['no-cors', 'same-site', 403],
    ['cors', 'cross-site', 200],
    ['cors', 'same-origin', 200],
    ['navigate', 'none', 200],
  ])(
    'A browser request with Sec-Fetch-Mode %s and Sec-Fetch-Site %s is answered with %i.',
    async (mode, site, status) => {
      const response = await gateway.app.inject({
        method: 'GET',
        url: '/graphql?query=%7B__typename%7D',
        headers: { 'sec-fetch-site': site, 'sec-fetch-mode': mode },
      });
      expect(response.statusCode).toBe(status);
    },
  );
});
