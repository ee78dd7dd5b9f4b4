import { once } from 'node:events';
import { connect } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { publicOrigin } from '@ostiary/access/testing';
import { eventually } from '@ostiary/service/testing';
import { WebSocket } from 'ws';
import { TrustedDocuments } from '../../src/admission/graph/trusted-documents.ts';
import { connectWs, subscribeSse } from '../support/live-clients.ts';
import { type Gateway, LiveSystem, subscriptionsAt } from '../support/live-system.ts';

let system: LiveSystem;
let gateway: Gateway;

beforeAll(async () => {
  system = await LiveSystem.start();
  gateway = await system.gateway();
});
afterAll(() => system.close());

const query = 'subscription { userChanged { id userId user { name } } }';
const plain = 'subscription { userChanged { id } }';
const subscribed = (count: number, at = gateway) =>
  eventually(async () => (await subscriptionsAt(at)) === count);

const token = (o: Partial<Parameters<LiveSystem['issuer']['token']>[0]> = {}) =>
  system.issuer.token({ subject: 'app', scopes: ['users:read'], ...o });

describe('a live connection', () => {
  const closeCode = async (parameters: Record<string, unknown>, headers = {}) =>
    (await connectWs(gateway.url, parameters, headers).closed).code;

  test('A live connection is rejected without a token, and with two tokens.', async () => {
    expect(await closeCode({})).toBe(4401);
    expect(await closeCode({ authorization: 'Bearer x.y.z' })).toBe(4401);
    expect(await closeCode({ authorization: 'Basic abc' })).toBe(4400);
    expect(await closeCode({ authorization: 17 })).toBe(4401);
    const authorization = `Bearer ${await token()}`;
    expect(await closeCode({ authorization }, { authorization })).toBe(4400);
    const response = await fetch(`${gateway.url}/graphql`, {
      method: 'POST',
      headers: { accept: 'text/event-stream', 'content-type': 'application/json' },
      body: JSON.stringify({ query }),
    });
    expect([response.status, response.headers.get('www-authenticate')]).toEqual([
      401,
      expect.stringMatching(/^Bearer /),
    ]);
    await response.text();
  });

  const upgrade = (headers: Record<string, string>, path = '/graphql') =>
    new Promise<string>((resolve, reject) => {
      const { port } = new URL(gateway.url);
      const socket = connect(Number(port), '127.0.0.1');
      const lines = Object.entries({
        host: 'x',
        connection: 'Upgrade',
        upgrade: 'websocket',
        'sec-websocket-version': '13',
        'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
        'sec-websocket-protocol': 'graphql-transport-ws',
        ...headers,
      }).map(([name, value]) => `${name}: ${value}\r\n`);
      socket.write(`GET ${path} HTTP/1.1\r\n${lines.join('')}\r\n`);
      socket.once('data', (data) => {
        socket.destroy();
        resolve(String(data));
      });
      socket.once('error', reject);
      socket.once('close', () => resolve(''));
    });

  test('A live connection is opened at the address of a tenant only with tokens of that tenant.', async () => {
    const path = '/t/demo/graphql';
    const stream = subscribeSse(gateway.url, token(), { query }, { path });
    const socket = connectWs(gateway.url, { authorization: `Bearer ${token()}` }, {}, path);
    const inHeader = connectWs(gateway.url, {}, { authorization: `Bearer ${token()}` }, path);
    const subscribers = [stream, socket.subscribe({ query }), inHeader.subscribe({ query })];
    await subscribed(3);
    await system.publish({ type: 'user.updated', tenant: 'rival' });
    const { id } = await system.publish({ type: 'user.updated' });
    for (const each of subscribers) expect((await each.result(0)).data?.userChanged?.id).toBe(id);
    stream.stop();
    await Promise.all([socket.client.dispose(), inHeader.client.dispose()]);
    await subscribed(0);

    for (const rival of [
      token({ tenant: 'rival' }),
      token({ tenant: 'rival', audience: `${publicOrigin}/t/demo/graphql` }),
      token({ audience: `${publicOrigin}/t/rival/graphql` }),
    ]) {
      const authorization = `Bearer ${rival}`;
      expect((await connectWs(gateway.url, { authorization }, {}, path).closed).code).toBe(4401);
      const refused = await upgrade({ authorization }, path);
      expect(refused).toMatch(/^HTTP\/1.1 401 /);
      expect(refused).toContain('/.well-known/oauth-protected-resource/t/demo/graphql');
      expect(String(await subscribeSse(gateway.url, rival, { query }, { path }).ended)).toMatch(/401/);
    }
    for (const other of [
      '/t/platform/graphql',
      '/t/Demo/graphql',
      '/t/%64emo/graphql',
      '/t/demo/graphql/',
      '/t//graphql',
    ]) {
      expect(await upgrade({}, other)).toMatch(/^HTTP\/1.1 404 /);
    }
  });

  test('A live connection is rejected for pages of other origins, and at other paths.', async () => {
    expect(await upgrade({})).toMatch(/^HTTP\/1.1 101 /);
    expect(await upgrade({ origin: 'https://id.test' })).toMatch(/^HTTP\/1.1 101 /);
    expect(await upgrade({ origin: 'https://evil.test' })).toMatch(/^HTTP\/1.1 403 /);
    expect(await upgrade({ origin: 'null' })).toMatch(/^HTTP\/1.1 403 /);
    expect(await upgrade({}, '/elsewhere')).toMatch(/^HTTP\/1.1 404 /);
    expect(await upgrade({}, '/graphql?access_token=abc')).toMatch(/^HTTP\/1.1 400 /);
    expect(await upgrade({ authorization: 'Bearer nonsense' })).toMatch(
      /^HTTP\/1.1 401 [\s\S]*www-authenticate: Bearer /,
    );
    expect(await upgrade({ upgrade: 'h2c' }, '/livez')).toMatch(/^HTTP\/1.1 200 /);
  });

  test('The number of live connections and subscriptions of a client is limited.', async () => {
    const tight = await system.gateway({
      limits: { connectionsPerClient: 2, subscriptionsPerConnection: 2 },
    });
    const limited = await token({ subject: 'busy' });
    const sse = subscribeSse(tight.url, limited, { query: plain });
    const socket = connectWs(tight.url, { authorization: `Bearer ${limited}` });
    await socket.acknowledged;
    await subscribed(1, tight);
    expect((await connectWs(tight.url, { authorization: `Bearer ${limited}` }).closed).code).toBe(4013);
    expect(String(await subscribeSse(tight.url, limited, { query: plain }).ended)).toMatch(/429/);
    socket.subscribe({ query: plain });
    socket.subscribe({ query: plain });
    const third = socket.subscribe({ query: plain });
    expect(await third.ended).toMatchObject([{ extensions: { code: 'TOO_MANY_SUBSCRIPTIONS' } }]);
    const others = subscribeSse(tight.url, await token({ subject: 'other' }), { query: plain });
    await subscribed(4, tight);
    for (const each of [sse, others]) each.stop();
    await tight.close();
  });

  test('The live connections of one tenant do not use up the capacity for other tenants.', async () => {
    const tight = await system.gateway({ limits: { subscriptions: 20 } });
    const socket = connectWs(tight.url, { authorization: `Bearer ${await token()}` });
    for (let count = 0; count < 18; count += 1) socket.subscribe({ query: plain });
    await subscribed(18, tight);
    const refused = await socket.subscribe({ query: plain }).ended;
    expect(refused).toMatchObject([{ extensions: { code: 'SERVICE_UNAVAILABLE' } }]);
    const theirs = subscribeSse(tight.url, await token({ tenant: 'rival' }), { query: plain });
    await subscribed(19, tight);
    theirs.stop();
    await socket.client.dispose();
    await subscribed(0, tight);
    await tight.close();
  });

  test('A live connection is closed by malformed messages, and no other connection is.', async () => {
    for (const text of ['{', '{"type":"next","id":"1","payload":{}}', '[]', '{"type":"subscribe"}']) {
      const socket = connectWs(gateway.url, { authorization: `Bearer ${await token()}` });
      await socket.acknowledged;
      (await socket.socket).send(text);
      await socket.closed;
    }
    expect((await fetch(`${gateway.url}/livez`)).status).toBe(200);
  });
});

describe('an operation over a live connection', () => {
  test('An operation over a live connection must be a trusted document where these are exclusive.', async () => {
    const documents = new TrustedDocuments([['watch', query]]);
    const strict = await system.gateway({ guards: { documents, documentsOnly: true } });
    const socket = connectWs(strict.url, { authorization: `Bearer ${token()}` });
    const allowed = [
      subscribeSse(strict.url, token(), { documentId: 'watch' }),
      subscribeSse(strict.url, token(), { query }),
      socket.subscribe({ query: '', documentId: 'watch' }),
      socket.subscribe({ query }),
    ];
    await subscribed(4, strict);
    const { id } = await system.publish({ type: 'user.updated' });
    for (const each of allowed) expect((await each.result(0)).data?.userChanged?.id).toBe(id);

    for (const [operation, code] of [
      [{ query: plain }, 'PERSISTED_QUERY_ID_REQUIRED'],
      [{ query: plain, documentId: 'watch' }, 'BAD_REQUEST'],
    ] as const) {
      // The error does not contain the HTTP status.
      const [refused] = (await socket.subscribe(operation).ended) as { extensions: unknown }[];
      expect(refused?.extensions).toEqual({ code });
      expect(String(await subscribeSse(strict.url, token(), operation).ended)).toMatch(/400/);
    }
    await strict.close();
  });

  test('An operation over a live connection is charged to the budget of the caller.', async () => {
    const guards = { pointsPerMinute: 200, prefix: system.prefix };
    const poor = await system.gateway({ guards });
    const socket = connectWs(poor.url, { authorization: `Bearer ${token({ subject: 'poor' })}` });
    const codes: unknown[] = [];
    for (let count = 0; count < 12; count += 1) {
      const subscriber = socket.subscribe({ query: plain });
      let refusal: unknown;
      subscriber.ended.then(
        (how) => {
          refusal = (how as { extensions?: unknown }[])[0]?.extensions;
        },
        () => undefined,
      );
      await eventually(async () => refusal !== undefined || (await subscriptionsAt(poor)) === count + 1);
      codes.push(refusal);
      if (codes.at(-1)) break;
    }
    expect(codes.length).toBeGreaterThan(1);
    expect(codes.at(-1)).toEqual({ code: 'RATE_LIMITED', retryAfter: expect.any(Number) });
    const again = subscribeSse(poor.url, token({ subject: 'poor' }), { query: plain });
    expect(String(await again.ended)).toMatch(/429/);
    // Another caller has a separate budget.
    const other = subscribeSse(poor.url, token({ subject: 'other' }), { query: plain });
    await subscribed(codes.length, poor);
    other.stop();
    await poor.close();
  });

  test('Reads for events are charged to the same budget as operations; beyond it, events are delivered without the fields that had to be read.', async () => {
    const guards = { pointsPerMinute: 500, prefix: system.prefix };
    const poor = await system.gateway({ guards });
    const names = Array.from({ length: 40 }, (_, index) => `n${index}: name`).join(' ');
    const query = `subscription { userChanged { id user { ${names} } } }`;
    const subscribers = [
      subscribeSse(poor.url, token({ subject: 'reader' }), { query }),
      subscribeSse(poor.url, token({ subject: 'other reader' }), { query: plain }),
    ] as const;
    await subscribed(2, poor);
    const published: string[] = [];
    let asked = 0;
    for (let count = 0; count < 12; count += 1) {
      if (count === 9) asked = system.directory.asked;
      published.push((await system.publish({ type: 'user.updated' })).id);
      await subscribers[0].result(count);
    }
    const { results } = subscribers[0];
    expect(results.map(({ data }) => data?.userChanged?.id)).toEqual(published);
    expect(results[0]?.data?.userChanged?.user).toMatchObject({ n0: 'Alice', n39: 'Alice' });
    expect(results[0]?.errors).toBeUndefined();
    for (const { data, errors } of results.slice(9)) {
      expect(data?.userChanged?.user).toBeNull();
      expect(errors).toEqual([
        {
          message: expect.any(String),
          path: ['userChanged'],
          extensions: { code: 'RATE_LIMITED', retryAfter: expect.any(Number) },
        },
      ]);
    }
    // No subgraph gets a request, and other clients are not affected.
    expect(system.directory.asked).toBe(asked);
    const [, other] = subscribers;
    await other.result(11);
    expect(other.results.every(({ errors }) => errors === undefined)).toBe(true);
    for (const each of subscribers) each.stop();
    await poor.close();
  });
});

describe('slow readers', () => {
  test('A client that reads server-sent events too slowly is disconnected, without effect on memory or other clients.', async () => {
    const small = await system.gateway({ limits: { waitingEvents: 10 } });
    const { port } = new URL(small.url);
    const slow = connect(Number(port), '127.0.0.1');
    const body = JSON.stringify({ query: 'subscription { userChanged { id user { big } } }' });
    slow.write(
      `POST /graphql HTTP/1.1\r\nhost: x\r\naccept: text/event-stream\r\ncontent-type: application/json\r\n` +
        `authorization: Bearer ${await token()}\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
    );
    slow.pause();
    slow.on('error', () => {});
    const quick = subscribeSse(small.url, await token({ subject: 'quick' }), { query: plain });
    await subscribed(2, small);
    for (let i = 0; i < 60; i += 1) {
      await system.publish({ type: 'user.updated' });
      // A stream delivers many events in one read: without this wait the quick client would be disconnected as well.
      if (i % 5 === 4) await quick.result(i);
    }
    await subscribed(1, small);
    expect(await small.kit.metrics.metrics()).toMatch(/live_ended_total\{reason="slow_consumer"/);
    slow.destroy();
    quick.stop();
    await small.close();
  });

  test('A client that reads its WebSocket too slowly is disconnected in the same way.', async () => {
    const small = await system.gateway({ limits: { waitingEvents: 10 } });
    const socket = connectWs(small.url, { authorization: `Bearer ${await token()}` });
    const subscriber = socket.subscribe({ query: 'subscription { userChanged { id user { big } } }' });
    await subscribed(1, small);
    (await socket.socket).pause();
    for (let i = 0; i < 60; i += 1) await system.publish({ type: 'user.updated' });
    await subscribed(0, small);
    subscriber.stop();
    (await socket.socket).terminate();
    await small.close();
  });

  test('A client that does not read its responses is disconnected, with a token and without.', async () => {
    const small = await system.gateway({ limits: { waitingBytes: 1_048_576 } });
    const { port } = new URL(small.url);
    const ping = JSON.stringify({ type: 'ping', payload: { of: 'x'.repeat(200_000) } });
    for (const authorization of [`Bearer ${await token()}`, undefined]) {
      const gone = new Promise<void>((resolve) => {
        small.app.server.once('upgrade', (_request, raw) => raw.once('close', resolve));
      });
      const socket = new WebSocket(`ws://127.0.0.1:${port}/graphql`, 'graphql-transport-ws');
      socket.on('error', () => {});
      await once(socket, 'open');
      if (authorization) {
        socket.send(JSON.stringify({ type: 'connection_init', payload: { authorization } }));
        await once(socket, 'message');
      }
      socket.pause();
      let isGone = false;
      void gone.then(() => {
        isGone = true;
      });
      // The client could send all messages within 5 seconds, the timeout of connections without a token, or 15 seconds.
      let sent = 0;
      while (sent < 400 && !isGone) {
        await new Promise((resolve) => socket.send(ping, resolve));
        await setImmediate();
        sent += 1;
      }
      expect(sent).toBeLessThan(200);
      await gone;
      socket.terminate();
    }
    await small.close();
  });
});
