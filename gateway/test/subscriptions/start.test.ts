import { connect, createServer, type Server, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { freePort } from '@ostiary/embedded';
import { eventually } from '@ostiary/service/testing';
import type { ServedGraph } from '../../src/execution/graph/served-graph.ts';
import { connectWs, subscribeSse } from '../support/live-clients.ts';
import { supergraph } from '../support/live-subgraphs.ts';
import { LiveSystem, redisUrl } from '../support/live-system.ts';

const plain = 'subscription { userChanged { id } }';

let system: LiveSystem;
let token: string;

beforeAll(async () => {
  system = await LiveSystem.start();
  token = await system.issuer.token({ subject: 'app', scopes: ['users:read'] });
});
afterAll(() => system.close());

/** Starts a proxy to Redis that delays its first data. */
async function slowWay(delayMs: number): Promise<{ url: string; close(): void }> {
  const { hostname, port } = new URL(redisUrl);
  const open = new Set<Socket>();
  const server: Server = createServer((near) => {
    const far = connect(Number(port || 6379), hostname);
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(socket);
      socket.on('error', () => other.destroy()).on('close', () => other.destroy());
    }
    far.pipe(near);
    setTimeout(() => near.pipe(far), delayMs);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `redis://127.0.0.1:${(server.address() as { port: number }).port}`,
    close() {
      server.close();
      for (const socket of open) socket.destroy();
    },
  };
}

test('A client that connects before a new gateway reads events waits for it.', async () => {
  const way = await slowWay(700);
  try {
    const gateway = await system.gateway({ redisUrl: way.url, events: false });
    const events = subscribeSse(gateway.url, token, { query: plain });
    const socket = connectWs(gateway.url, { authorization: `Bearer ${token}` });
    const overSocket = socket.subscribe({ query: plain });
    // A client that disconnects before leaves no subscription behind.
    const impatient = connectWs(gateway.url, { authorization: `Bearer ${token}` });
    impatient.subscribe({ query: plain });
    (await impatient.socket).terminate();
    expect(await socket.acknowledged).toEqual({ eventId: expect.any(String) });

    const metrics = async () => await gateway.kit.metrics.metrics();
    await eventually(async () => /^live_subscriptions\{[^}]*\} 2$/m.test(await metrics()));
    expect(await metrics()).toMatch(/^live_connections\{[^}]*\} 2$/m);
    const { id } = await system.publish({ type: 'user.updated' });
    for (const subscriber of [events, overSocket]) {
      expect((await subscriber.result(0)).data?.userChanged?.id).toBe(id);
      subscriber.stop();
    }
    for (const { client } of [socket, impatient]) await client.dispose();
    await gateway.close();
  } finally {
    way.close();
  }
});

test('Only the first clients wait for Redis while it stays unavailable; all get 503.', async () => {
  const gateway = await system.gateway({ redisUrl: `redis://127.0.0.1:${await freePort()}`, events: false });
  const asked = async (url = gateway.url) => {
    const answer = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        accept: 'text/event-stream',
        'content-type': 'application/json',
      },
      body: JSON.stringify({ query: plain }),
    });
    expect(answer.status).toBe(503);
    expect(answer.headers.get('retry-after')).toBe('1');
    await answer.text();
  };
  // The first clients wait three seconds for Redis.
  await Promise.all([asked(), asked()]);
  // The first client of a new gateway waits; this gateway responds to its next client before that.
  const other = await system.gateway({ redisUrl: `redis://127.0.0.1:${await freePort()}`, events: false });
  const answered: string[] = [];
  const waiting = asked(other.url).then(() => answered.push('first client of the other gateway'));
  await asked();
  answered.push('next client');
  await waiting;
  expect(answered).toEqual(['next client', 'first client of the other gateway']);
  await other.close();
  await gateway.close();
});

test('A supergraph with a subscription whose rule cannot be checked is rejected before it is served.', async () => {
  let graph: ServedGraph | undefined;
  const gateway = await system.gateway({
    onGraph: (served) => {
      graph = served;
    },
  });
  const before = graph?.digest;
  const worse = supergraph().replace(
    /(type GroupChange[^{]*\{[^}]*?kind: String!)/,
    '$1 @scopes(any: ["audit:read"])',
  );
  expect(worse).not.toBe(supergraph());
  await expect(graph?.load(worse)).rejects.toThrow('must inherit their rule');
  expect(graph?.digest).toBe(before);
  await gateway.close();
});
