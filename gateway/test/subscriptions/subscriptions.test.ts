import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '@ostiary/service/testing';
import { connectWs, subscribeSse } from '../support/live-clients.ts';
import { type Gateway, LiveSystem } from '../support/live-system.ts';

let system: LiveSystem;
let gateway: Gateway;

beforeAll(async () => {
  system = await LiveSystem.start();
  gateway = await system.gateway();
});
afterAll(() => system.close());

const everything = ['users:read', 'groups:read', 'sessions:read', 'provisioning:read'];
const app = (scopes: string[], tenant = 'demo') => system.issuer.token({ tenant, subject: 'app', scopes });
const person = (subject: string, scopes: string[] = [], tenant = 'demo') =>
  system.issuer.token({ tenant, subject, client: 'web', scopes });
const connected = (count: number) =>
  eventually(() => gauge(gateway, 'live_subscriptions').then((value) => value === count));

async function gauge({ kit }: Gateway, name: string): Promise<number> {
  const text = await kit.metrics.metrics();
  return Number(new RegExp(`^${name}\\{[^}]*\\} (\\d+)`, 'm').exec(text)?.[1] ?? -1);
}

const users =
  'subscription { userChanged { id kind userId version occurredAt user { id name sessions { id } source } } }';

describe('delivery of an event assembled over three services', () => {
  test('An event assembled over three services is delivered over server-sent events.', async () => {
    const subscriber = subscribeSse(gateway.url, await app(everything), { query: users });
    await connected(1);
    const event = await system.publish({ type: 'user.updated', version: 7 });
    const result = await subscriber.result(0);
    expect(result.errors).toBeUndefined();
    expect(result.data).toEqual({
      userChanged: {
        id: event.id,
        kind: 'UPDATED',
        userId: 'alice',
        version: 7,
        occurredAt: event.occurredAt,
        user: { id: 'alice', name: 'Alice', sessions: [{ id: 'session of alice' }], source: 'Entra ID' },
      },
    });
    expect(result.extensions?.eventId).toMatch(/^\d+-\d+$/);
    subscriber.stop();
    await connected(0);
  });

  test('An event is delivered over a WebSocket, with the token in the connection parameters or in the header.', async () => {
    const authorization = `Bearer ${await app(everything)}`;
    for (const socket of [
      connectWs(gateway.url, { authorization }),
      connectWs(gateway.url, {}, { authorization }),
    ]) {
      const subscriber = socket.subscribe({ query: users });
      await connected(1);
      await system.publish({ type: 'user.created', subject: 'bob' });
      const result = await subscriber.result(0);
      expect(result.data?.userChanged).toMatchObject({ kind: 'CREATED', user: { name: 'Bob' } });
      expect(result.errors).toBeUndefined();
      await socket.client.dispose();
      await connected(0);
    }
  });

  test('An event is delivered with aliases, fragments, variables and directives.', async () => {
    const subscriber = subscribeSse(gateway.url, await app(everything), {
      query: `subscription Watch($id: ID!, $upper: Boolean = true, $no: Boolean!) {
        change: userChanged(ids: [$id]) {
          ...Change
          what: kind
          __typename
          version @include(if: $no)
          person: user { __typename loud: name(upper: $upper) quiet: name }
          person: user { id }
        }
      }
      fragment Change on UserChange { userId user { ...Person } }
      fragment Person on User { sessions { id } }`,
      variables: { id: 'bob', no: false },
    });
    await connected(1);
    await system.publish({ type: 'user.updated', subject: 'alice' });
    await system.publish({ type: 'user.updated', subject: 'bob' });
    expect((await subscriber.result(0)).data).toEqual({
      change: {
        userId: 'bob',
        user: { sessions: [{ id: 'session of bob' }] },
        what: 'UPDATED',
        __typename: 'UserChange',
        person: { __typename: 'User', loud: 'BOB', quiet: 'Bob', id: 'bob' },
      },
    });
    subscriber.stop();
    await connected(0);
  });

  test('An event is delivered under response names that every JavaScript object has.', async () => {
    const subscriber = subscribeSse(gateway.url, await app(['users:read']), {
      query:
        'subscription { __proto__: userChanged { __proto__: user { __proto__: name toString: id } constructor: userId } }',
    });
    await connected(1);
    await system.publish({ type: 'user.updated' });
    expect(JSON.stringify((await subscriber.result(0)).data)).toBe(
      '{"__proto__":{"__proto__":{"__proto__":"Alice","toString":"alice"},"constructor":"alice"}}',
    );
    subscriber.stop();
    await connected(0);
  });

  test('An event is delivered under the name of a key, with errors at the response paths.', async () => {
    const subscriber = subscribeSse(gateway.url, await app(['users:read']), {
      query:
        'subscription { id: userChanged { id: userId id2: id name: user { id: name __typename name: sessions { id } } id: userId } }',
    });
    await connected(1);
    await system.publish({ type: 'user.updated', subject: 'bob' });
    const { data, errors } = await subscriber.result(0);
    expect(data?.id).toMatchObject({ id: 'bob', name: { id: 'Bob', __typename: 'User', name: null } });
    expect(errors).toMatchObject([{ path: ['id', 'name', 'name'], extensions: { code: 'FORBIDDEN' } }]);
    subscriber.stop();
    await connected(0);
  });

  test('An event is delivered for each of the four subscriptions, with its arguments.', async () => {
    const socket = connectWs(gateway.url, { authorization: `Bearer ${await app(everything)}` });
    const changes = socket.subscribe({
      query: 'subscription { userChanged(kinds: [DEACTIVATED, DELETED]) { kind user { name } } }',
    });
    const groups = socket.subscribe({
      query: 'subscription { groupChanged { groupId group { displayName } } }',
    });
    const sessions = socket.subscribe({
      query: 'subscription { sessionRevoked(userId: "bob") { sessionId userId user { name } } }',
    });
    const activity = socket.subscribe({
      query:
        'subscription { provisioningActivity(failed: true) { sourceId status resourceId entry { id method } user { name } } }',
    });
    await connected(4);
    await system.publish({ type: 'user.updated' });
    await system.publish({ type: 'user.deleted', subject: 'gone' });
    await system.publish({ type: 'group.created', subject: 'g1' });
    await system.publish({ type: 'session.revoked', subject: 'alice', data: { sessionId: 's1' } });
    await system.publish({ type: 'session.revoked', subject: 'bob', data: { sessionId: 's2' } });
    const about = { resourceType: 'User', resourceId: 'bob', source: 'c1' };
    await system.publish({ type: 'provisioning.activity', subject: 'e1', data: { ...about, status: 200 } });
    await system.publish({ type: 'provisioning.activity', subject: 'e2', data: { ...about, status: 409 } });
    await system.publish({
      type: 'provisioning.activity',
      subject: 'e3',
      data: { source: 'c1', status: 400 },
    });
    expect((await changes.result(0)).data).toEqual({ userChanged: { kind: 'DELETED', user: null } });
    expect((await groups.result(0)).data).toEqual({
      groupChanged: { groupId: 'g1', group: { displayName: 'Group g1' } },
    });
    expect((await sessions.result(0)).data).toEqual({
      sessionRevoked: { sessionId: 's2', userId: 'bob', user: { name: 'Bob' } },
    });
    expect((await activity.result(0)).data).toEqual({
      provisioningActivity: {
        sourceId: 'c1',
        status: 409,
        resourceId: 'bob',
        entry: { id: 'e2', method: 'PATCH' },
        user: { name: 'Bob' },
      },
    });
    expect((await activity.result(1)).data).toEqual({
      provisioningActivity: {
        sourceId: 'c1',
        status: 400,
        resourceId: null,
        entry: { id: 'e3', method: 'PATCH' },
        user: null,
      },
    });
    await socket.client.dispose();
    await connected(0);
  });

  test('An event that is sent twice is delivered once.', async () => {
    const subscriber = subscribeSse(gateway.url, await app(everything), {
      query: 'subscription { userChanged { id } }',
    });
    await connected(1);
    const first = await system.publish({ type: 'user.updated' });
    await system.redis.del(`{${system.prefix}}:live:seen:${first.id}`);
    await system.publish(first);
    const second = await system.publish({ type: 'user.updated' });
    await subscriber.result(1);
    expect(subscriber.results.map(({ data }) => data?.userChanged?.id)).toEqual([first.id, second.id]);
    subscriber.stop();
    await connected(0);
  });
});

describe('a subscriber gets only the data that they may read', () => {
  test('A subscriber never gets events of another tenant, for any ids.', async () => {
    const query = 'subscription { userChanged(ids: ["alice", "mallory"]) { userId user { name tenant } } }';
    const ours = subscribeSse(gateway.url, await app(everything), { query });
    const theirs = subscribeSse(gateway.url, await app(everything, 'rival'), { query });
    await connected(2);
    await system.publish({ type: 'user.updated', tenant: 'demo', subject: 'alice' });
    await system.publish({ type: 'user.updated', tenant: 'rival', subject: 'alice' });
    await system.publish({ type: 'user.updated', tenant: 'rival', subject: 'mallory' });
    await system.publish({ type: 'user.updated', tenant: 'demo', subject: 'alice' });
    await ours.result(1);
    await theirs.result(1);
    expect(ours.results.map(({ data }) => data?.userChanged?.user)).toEqual([
      { name: 'Alice', tenant: 'demo' },
      { name: 'Alice', tenant: 'demo' },
    ]);
    expect(theirs.results.map(({ data }) => data?.userChanged?.user)).toEqual([
      { name: 'The other Alice', tenant: 'rival' },
      { name: 'Mallory', tenant: 'rival' },
    ]);
    ours.stop();
    theirs.stop();
    await connected(0);
  });

  test('The rule of each field is applied to each event.', async () => {
    const subscriber = subscribeSse(gateway.url, await app(['users:read']), { query: users });
    await connected(1);
    await system.publish({ type: 'user.updated' });
    const { data, errors = [] } = await subscriber.result(0);
    expect(data?.userChanged?.user).toEqual({ id: 'alice', name: 'Alice', sessions: null, source: null });
    expect(errors.map(({ path, extensions }) => [path?.join('.'), extensions?.code]).sort()).toEqual([
      ['userChanged.user.sessions', 'FORBIDDEN'],
      ['userChanged.user.source', 'FORBIDDEN'],
    ]);
    subscriber.stop();
    await connected(0);
  });

  test('A subscriber without the scope is rejected.', async () => {
    const { url } = gateway;
    const token = await app(['groups:read']);
    const sse = subscribeSse(url, token, { query: 'subscription { provisioningActivity { id } }' });
    expect((await sse.result(0)).errors?.[0]?.extensions).toEqual({
      code: 'FORBIDDEN',
      scopes: ['provisioning:read'],
    });
    expect(await sse.ended).toBe('complete');
    const socket = connectWs(url, { authorization: `Bearer ${token}` });
    const refused = socket.subscribe({ query: 'subscription { userChanged { id } }' });
    expect(await refused.ended).toMatchObject([{ extensions: { code: 'FORBIDDEN' } }]);
    await socket.client.dispose();
  });

  test('A user without scopes gets only the events about themselves.', async () => {
    const token = await person('alice');
    const changes = subscribeSse(gateway.url, token, {
      query: 'subscription { userChanged { userId user { name sessions { id } } } }',
    });
    const sessions = subscribeSse(gateway.url, token, {
      query: 'subscription { sessionRevoked { sessionId user { name } } }',
    });
    await connected(2);
    await system.publish({ type: 'user.updated', subject: 'bob' });
    await system.publish({ type: 'session.revoked', subject: 'bob', data: { sessionId: 's1' } });
    await system.publish({ type: 'user.updated', subject: 'alice' });
    await system.publish({ type: 'session.revoked', subject: 'alice', data: { sessionId: 's2' } });
    const own = await changes.result(0);
    expect(own.errors).toBeUndefined();
    expect(own.data).toEqual({
      userChanged: { userId: 'alice', user: { name: 'Alice', sessions: [{ id: 'session of alice' }] } },
    });
    expect((await sessions.result(0)).data).toEqual({
      sessionRevoked: { sessionId: 's2', user: { name: 'Alice' } },
    });
    changes.stop();
    sessions.stop();
    await connected(0);
  });

  test('A subscriber gets no data of a shared subscription of another token.', async () => {
    const query = 'subscription { userChanged { user { name tenant } } }';
    const all = await app(['users:read']);
    const none = await person('alice');
    const subscribers = [all, all, none, await person('alice', [], 'rival')].map((token) =>
      subscribeSse(gateway.url, token, { query }),
    );
    await connected(4);
    system.directory.asked = 0;
    await system.publish({ type: 'user.updated' });
    for (const subscriber of subscribers.slice(0, 3)) {
      expect((await subscriber.result(0)).data?.userChanged?.user).toEqual({ name: 'Alice', tenant: 'demo' });
    }
    expect(system.directory.asked).toBe(1);
    expect(subscribers[3]?.results).toEqual([]);
    for (const subscriber of subscribers) subscriber.stop();
    await connected(0);
  });
});

test('A client that accepts both media types is answered by the selected operation, at any position.', async () => {
  const query =
    'query Q { __typename } fragment F on UserChange { id } subscription S { userChanged { ...F } }';
  const type = async (operationName: string) => {
    const stop = new AbortController();
    const answer = await fetch(`${gateway.url}/graphql`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${await app(everything)}`,
        accept: 'application/graphql-response+json, text/event-stream',
        'content-type': 'application/json',
      },
      body: JSON.stringify({ query, operationName }),
      signal: stop.signal,
    });
    stop.abort();
    return answer.headers.get('content-type');
  };
  expect(await type('S')).toMatch(/^text\/event-stream/);
  expect(await type('Q')).toMatch(/^application\/graphql-response\+json/);
  await connected(0);
});

describe('operations that are not subscriptions are rejected', () => {
  test.each([
    ['a query', '{ me { id } }', 'BAD_REQUEST'],
    ['a mutation', 'mutation { x }', 'BAD_REQUEST'],
    ['no GraphQL', '{{{', 'GRAPHQL_PARSE_FAILED'],
    ['an unknown field', 'subscription { userChangd { id } }', 'GRAPHQL_VALIDATION_FAILED'],
    [
      'two fields',
      'subscription { a: userChanged { id } b: userChanged { id } }',
      'GRAPHQL_VALIDATION_FAILED',
    ],
    ['introspection', 'subscription { __schema { types { name } } }', 'GRAPHQL_VALIDATION_FAILED'],
    ['nothing', 'subscription { userChanged @skip(if: true) { id } }', 'BAD_REQUEST'],
    ['too many ids', `subscription { userChanged(ids: [${'"a" '.repeat(101)}]) { id } }`, 'BAD_USER_INPUT'],
    [
      'too many aliases',
      `subscription { userChanged { ${Array.from({ length: 60 }, (_, i) => `a${i}: id`).join(' ')} } }`,
      'GRAPHQL_VALIDATION_FAILED',
    ],
  ])('An operation with %s is rejected as a subscription.', async (_, query, code) => {
    const token = await app(everything);
    const sse = subscribeSse(gateway.url, token, { query });
    const first = await sse.result(0);
    expect(first.errors?.[0]?.extensions?.code).toBe(code);
    expect(JSON.stringify(first)).not.toMatch(/Did you mean|userChanged"/);
    expect(await sse.ended).toBe('complete');
    const socket = connectWs(gateway.url, { authorization: `Bearer ${token}` });
    const refused = (await socket.subscribe({ query }).ended) as { extensions: object }[];
    expect(refused[0]?.extensions).toEqual({ code });
    await socket.client.dispose();
  });

  test('A subscription with invalid values is rejected without suggestions.', async () => {
    const query = 'subscription ($kinds: [UserChangeKind!]) { userChanged(kinds: $kinds) { id } }';
    const variables = { kinds: ['DELETE', ...Array.from({ length: 500 }, () => 'x')] };
    const sse = subscribeSse(gateway.url, await app(everything), { query, variables });
    const { errors = [] } = await sse.result(0);
    expect(new Set(errors.map(({ extensions }) => extensions?.code))).toEqual(new Set(['BAD_USER_INPUT']));
    expect(errors.length).toBeLessThanOrEqual(20);
    expect(JSON.stringify(errors)).not.toMatch(/Did you mean|DELETED/);
    sse.stop();
  });

  test('A subscription with excessively nested values is rejected.', async () => {
    const deep = `${'['.repeat(30_000)}${']'.repeat(30_000)}`;
    const answer = await fetch(`${gateway.url}/graphql`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${await app(everything)}`,
        accept: 'text/event-stream',
        'content-type': 'application/json',
      },
      body: `{ "query": "subscription { userChanged { id } }", "variables": { "deep": ${deep} } }`,
    });
    expect(answer.status).toBe(200);
    expect(await answer.text()).toContain('"code":"BAD_REQUEST"');
  });
});
