import { hash, randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { Issuer } from '@ostiary/access/testing';
import type { GraphGuards } from '../../src/composition/guards.ts';
import { Execution } from '../../src/execution/graph/execution.ts';
import type { ServedGraph } from '../../src/execution/graph/served-graph.ts';
import { Services, testSupergraph } from '../support/system.ts';

let issuer: Issuer;
let services: Services;
let token: string;
let weakToken: string;

beforeAll(async () => {
  issuer = await new Issuer();
  services = await Services.start(issuer);
  token = await issuer.token({
    scopes: ['users:read', 'users:write', 'clients:read', 'sessions:read', 'provisioning:read'],
  });
  weakToken = await issuer.token({ scopes: ['profile'] });
});
afterEach(() => {
  jest.restoreAllMocks();
});
afterAll(async () => {
  await services.stop();
});

async function gateway(guards: GraphGuards = {}, more: object = {}): Promise<string> {
  return (await services.gateway({ guards, ...more })).url;
}

interface Sent {
  body?: Record<string, unknown>;
  accept?: string;
  /** All scopes when absent. */
  token?: 'without the scopes' | 'none';
  /** Query string of a GET request. */
  search?: string;
}

interface Answer {
  status: number;
  headers: Record<string, string>;
  text: string;
  /** Whether Apollo Server executed the operation. */
  allTheWay: boolean;
  /** Number of subgraph requests. */
  asked: number;
  /** Remaining points of the budget. */
  left: number;
}

// Headers that differ between equal responses.
const ofTheMoment = new Set(['date', 'x-request-id', 'ratelimit', 'retry-after', 'keep-alive', 'connection']);

async function send(url: string, sent: Sent): Promise<Answer> {
  let allTheWay = false;
  const { execute } = Execution.prototype;
  const executed = jest.spyOn(Execution.prototype, 'execute');
  executed.mockImplementation(function (this: Execution, request) {
    const byServer: typeof request.byServer = (server) => {
      allTheWay = true;
      return request.byServer(server);
    };
    return execute.call(this, { ...request, byServer });
  });
  const before = services.received.length;
  const bearer = sent.token === undefined ? token : sent.token === 'none' ? undefined : weakToken;
  const response = await fetch(`${url}/graphql${sent.search ?? ''}`, {
    method: sent.search === undefined ? 'POST' : 'GET',
    headers: {
      ...(sent.search === undefined ? { 'content-type': 'application/json' } : {}),
      ...(bearer ? { authorization: `Bearer ${bearer}` } : {}),
      ...(sent.accept === undefined ? {} : { accept: sent.accept }),
    },
    ...(sent.body ? { body: JSON.stringify(sent.body) } : {}),
  });
  const text = await response.text();
  executed.mockRestore();
  const headers = Object.fromEntries([...response.headers].filter(([name]) => !ofTheMoment.has(name)));
  return {
    status: response.status,
    headers,
    // Errors contain request ids.
    text: text.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'id'),
    allTheWay,
    asked: services.received.length - before,
    left: Number(/;r=(\d+)/.exec(response.headers.get('ratelimit') ?? '')?.[1]),
  };
}

const answered = ({ status, headers, text, asked }: Answer) => ({ status, headers, text, asked });
const list = '{ users { id name sessions { id } } }';
const byId = 'query ById($id: ID!) { user(id: $id) { id name } }';

describe('a repeated operation has the same result without Apollo Server', () => {
  let shared: string;
  beforeAll(async () => {
    shared = await gateway();
  });

  test.each<[string, Sent & { body: { query: string } }]>([
    ['a list over two services', { body: { query: list } }],
    ['variables', { body: { query: byId, variables: { id: 'alice' } } }],
    ['an id that does not exist', { body: { query: byId, variables: { id: 'nobody' } } }],
    ['a name', { body: { query: byId, operationName: 'ById', variables: { id: 'bob' } } }],
    [
      'nulls for what isn’t there',
      { body: { query: list, operationName: null, variables: null, extensions: null } },
    ],
    [
      'one of two',
      { body: { query: `query A { users { id } } query B { users { name } }`, operationName: 'B' } },
    ],
    ['a fragment', { body: { query: '{ users { ...F } } fragment F on User { id again: id }' } }],
    ['a field by the name of a key', { body: { query: '{ users { id: name sessionCount source } }' } }],
    ['application/json', { body: { query: list }, accept: 'application/json' }],
    [
      'application/graphql-response+json',
      { body: { query: list }, accept: 'application/graphql-response+json' },
    ],
    [
      'a list of media types',
      { body: { query: list }, accept: 'application/graphql-response+json, application/json;q=0.9' },
    ],
    ['anything', { body: { query: list }, accept: '*/*' }],
  ])(
    'A repeated operation with %s has the same result without Apollo Server.',
    async (what, { body, ...rest }) => {
      const url = shared;
      // A query that was not sent before.
      const sent = { ...rest, body: { ...body, query: `${body.query} # ${what}` } };
      const first = await send(url, sent);
      expect([first.allTheWay, first.status]).toEqual([true, 200]);
      expect(JSON.parse(first.text).data).toBeDefined();
      for (let time = 0; time < 2; time += 1) {
        const again = await send(url, sent);
        expect(again.allTheWay).toBe(false);
        expect(answered(again)).toEqual(answered(first));
      }
    },
  );

  test('An operation that turns out to be unsupported has the same result, without a second subgraph request.', async () => {
    const url = await gateway();
    // Some of the creators are deleted.
    const sent = { body: { query: '{ clients { id creator { name } } }' } };
    const first = await send(url, sent);
    const again = await send(url, sent);
    expect(first.asked).toBe(2);
    expect(again.allTheWay).toBe(true);
    expect(answered(again)).toEqual(answered(first));
  });

  test('A deleted object returns null and no error in a repeated operation, for every response name.', async () => {
    const url = await gateway();
    const query =
      '{ id: clients { name: id badge: creator { id: name sessionCount } id: keeper { id: name sessionCount } } }';
    const sent = { body: { query } };
    const [first, again] = [await send(url, sent), await send(url, sent)];
    expect(answered(again)).toEqual(answered(first));
    const { data, errors } = JSON.parse(first.text);
    expect(data.id).toEqual([
      { name: 'c1', badge: null, id: null },
      { name: 'c2', badge: { id: 'Alice', sessionCount: 1 }, id: null },
    ]);
    expect(errors.map(({ path }: { path: unknown[] }) => path.slice(0, 3))).toEqual([['id', 0, 'id']]);
  });

  test('An operation that is executed without Apollo Server is counted and timed.', async () => {
    const url = await gateway();
    for (let time = 0; time < 3; time += 1) await send(url, { body: { query: list } });
    await send(url, { body: { query: '{ users { fails } }' } });
    const lines = ((await services.gateways.at(-1)?.kit.metrics.metrics()) ?? '').split('\n');
    const count = (outcome: string) =>
      lines
        .find(
          (line) =>
            line.startsWith('graphql_operation_duration_seconds_count') &&
            line.includes('type="query"') &&
            line.includes(`outcome="${outcome}"`),
        )
        ?.replace(/.* /, '');
    expect([count('ok'), count('partial')]).toEqual(['3', '1']);
  });
});

describe('operations that Apollo Server executes', () => {
  let plain: string;
  let known: string;
  beforeAll(async () => {
    [plain, known] = await Promise.all([gateway(), gateway()]);
  });

  test.each<[string, Sent]>([
    ['a variable of another type', { body: { query: byId, variables: { id: { of: 'alice' } } } }],
    ['a missing variable', { body: { query: byId } }],
    ['variables that are none', { body: { query: byId, variables: ['alice'] } }],
    ['variables as text', { body: { query: byId, variables: '{"id":"alice"}' } }],
    [
      'a name that isn’t in the document',
      { body: { query: byId, operationName: 'Other', variables: { id: 'alice' } } },
    ],
    ['a name that is no text', { body: { query: byId, operationName: 7, variables: { id: 'alice' } } }],
    ['an empty name', { body: { query: list, operationName: '' } }],
    [
      'extensions',
      {
        body: {
          query: list,
          extensions: { persistedQuery: { version: 1, sha256Hash: hash('sha256', list) } },
        },
      },
    ],
    ['a media type that is not served', { body: { query: list }, accept: 'text/csv' }],
    ['GET', { search: `?query=${encodeURIComponent(list)}` }],
    ['a token without the scopes', { body: { query: list }, token: 'without the scopes' }],
    ['no token', { body: { query: list }, token: 'none' }],
    ['a mutation', { body: { query: 'mutation { rename(id: "alice", name: "A") { id } }' } }],
    ['a text that differs by a space', { body: { query: `${list} ` } }],
  ])('A known operation with %s is executed by Apollo Server.', async (_what, sent) => {
    for (const body of [{ query: list }, { query: byId, variables: { id: 'alice' } }]) {
      await send(known, { body });
      expect((await send(known, { body })).allTheWay).toBe(false);
    }
    const fresh = await send(plain, sent);
    const again = await send(known, sent);
    expect([fresh.allTheWay, again.allTheWay]).toEqual([true, true]);
    expect(answered(again)).toEqual(answered(fresh));
  });
});

test('An operation is charged once, also when it is tried on both paths, and is rejected when the budget is exhausted.', async () => {
  const guards = () => ({ pointsPerMinute: 1_000, prefix: randomUUID() });
  const sent = { body: { query: '{ clients { id creator { name } } }' } };
  const url = await gateway(guards());
  const left = [1_000];
  let answer = await send(url, sent);
  while (answer.status === 200) {
    left.push(answer.left);
    answer = await send(url, sent);
  }
  const prices = left.slice(1).map((points, index) => (left[index] ?? 0) - points);
  expect(new Set(prices).size).toBe(1);
  expect(left.length).toBeGreaterThan(3);
  expect([answer.status, JSON.parse(answer.text).errors[0].extensions.code]).toEqual([429, 'RATE_LIMITED']);

  const plain = await gateway(guards());
  const spent: [boolean, number][] = [];
  for (let before = 1_000; spent.length < 3; ) {
    const next = await send(plain, { body: { query: list } });
    spent.push([next.allTheWay, before - next.left]);
    before = next.left;
  }
  expect(spent).toEqual([true, false, false].map((allTheWay) => [allTheWay, spent[0]?.[1]]));
});

test('Costs that depend on variables are limited on both paths.', async () => {
  const url = await gateway({ limits: { ...(await import('@ostiary/graph')).documentLimits, cost: 100 } });
  const query = 'query($first: Int) { users(first: $first) { id name } }';
  for (let time = 0; time < 2; time += 1) await send(url, { body: { query, variables: { first: 2 } } });
  const much = await send(url, { body: { query, variables: { first: 90 } } });
  expect(JSON.parse(much.text).errors[0].extensions.code).toBe('GRAPHQL_VALIDATION_FAILED');
  expect(much.asked).toBe(0);
  expect((await send(url, { body: { query, variables: { first: 2 } } })).allTheWay).toBe(false);
});

test('Concurrent callers each get their own result.', async () => {
  const url = await gateway();
  const query = '{ me { id name sessions { id } } }';
  const people = ['alice', 'bob'];
  const tokens = await Promise.all(
    people.map((subject) =>
      issuer.token({ subject, client: 'app', scopes: ['users:read', 'sessions:read'] }),
    ),
  );
  const as = async (bearer = '') => {
    const response = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${bearer}` },
      body: JSON.stringify({ query }),
    });
    return ((await response.json()) as { data: { me: { id: string; sessions: { id: string }[] } } }).data.me;
  };
  await as(tokens[0]);
  const answers = await Promise.all(Array.from({ length: 40 }, (_, index) => as(tokens[index % 2])));
  for (const [index, me] of answers.entries()) {
    const id = people[index % 2];
    expect([me.id, me.sessions]).toEqual([id, [{ id: `${id}-1` }]]);
  }
});

test('The cache of queries is bounded and evicts the least recently used one.', async () => {
  const url = await gateway();
  const texts = Array.from({ length: 9 }, (_, index) => `{ users { id } } # ${index} ${'x'.repeat(240_000)}`);
  for (const query of texts) await send(url, { body: { query } });
  expect((await send(url, { body: { query: texts[8] } })).allTheWay).toBe(false);
  expect((await send(url, { body: { query: texts[0] } })).allTheWay).toBe(true);
});

test('Requests with many invented media types do not evict other clients from the fast path.', async () => {
  const url = await gateway();
  for (let made = 0; made < 110; made += 1)
    await send(url, { body: { query: list }, accept: `application/json, made-up/${made}` });
  const sent = { body: { query: list }, accept: 'application/json' };
  expect((await send(url, sent)).allTheWay).toBe(true);
  expect((await send(url, sent)).allTheWay).toBe(false);
});

test('A new supergraph uses no cached operations of the previous one.', async () => {
  const graphs: ServedGraph[] = [];
  const url = await gateway({}, { onGraph: (graph: ServedGraph) => graphs.push(graph) });
  const sent = { body: { query: '{ users { id sessionCount } }' } };
  await send(url, sent);
  expect((await send(url, sent)).allTheWay).toBe(false);
  await graphs[0]?.load(testSupergraph().replace(/^\s*sessionCount: Int.*\n/m, ''));
  const after = await send(url, sent);
  expect([after.allTheWay, JSON.parse(after.text).errors[0].extensions.code]).toEqual([
    true,
    'GRAPHQL_VALIDATION_FAILED',
  ]);
});
