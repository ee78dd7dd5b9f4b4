import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '@ostiary/service/testing';
import { WebSocket } from 'ws';
import { connectWs, subscribeSse } from '../support/live-clients.ts';
import { type Gateway, LiveSystem, subscriptionsAt } from '../support/live-system.ts';

const most = 4;
const query = 'subscription { userChanged { id } }';

let system: LiveSystem;
/** Gateways behind a trusted proxy and with direct clients. */
let proxied: Gateway;
let direct: Gateway;

beforeAll(async () => {
  system = await LiveSystem.start();
  const limits = { connectionsPerNetwork: most };
  proxied = await system.gateway({ limits, trustedProxies: ['loopback'] });
  direct = await system.gateway({ limits });
});
afterAll(() => system.close());

const from = (address: string) => ({ 'x-forwarded-for': address });
const token = (subject = 'app') => system.issuer.token({ subject, scopes: ['users:read'] });

/** Opens a socket without a token. @returns the socket, or 429 */
async function bare(at: Gateway, address: string): Promise<WebSocket | number> {
  const socket = new WebSocket(`${at.url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws', {
    headers: from(address),
  });
  socket.on('error', () => {});
  return Promise.race([
    once(socket, 'open').then(() => socket),
    once(socket, 'unexpected-response').then(([, response]) => {
      expect(response.headers['retry-after']).toMatch(/^\d+$/);
      return response.statusCode as number;
    }),
  ]);
}

const isOpen = (answer: WebSocket | number): answer is WebSocket => answer instanceof WebSocket;

describe('live connections of one network are limited before the verification of tokens', () => {
  test('Concurrent live connections of one network are limited, and another network is not affected.', async () => {
    const asked = await Promise.all(Array.from({ length: 20 }, () => bare(proxied, '198.51.100.1')));
    expect(asked.filter(isOpen)).toHaveLength(most);
    expect(asked.filter((answer) => !isOpen(answer))).toEqual(Array.from({ length: 16 }, () => 429));

    // The limit is shared by all transports, and applies with a token as well.
    const authorization = `Bearer ${token()}`;
    const stream = subscribeSse(proxied.url, token(), { query }, { headers: from('198.51.100.1') });
    expect(String(await stream.ended)).toMatch(/429/);
    await expect(
      connectWs(proxied.url, { authorization }, from('198.51.100.1')).closed,
    ).resolves.toMatchObject({
      code: 1006,
    });
    const other = connectWs(proxied.url, { authorization }, from('198.51.100.2'));
    await other.acknowledged;
    await other.client.dispose();

    // Connections closed by either side release their places.
    for (const socket of asked.filter(isOpen)) socket.terminate();
    await eventually(async () => isOpen(await bare(proxied, '198.51.100.1')));
  });

  test('Event streams and sockets of one network share a limit and release their places when they end.', async () => {
    const streams = Array.from({ length: most }, (_, n) =>
      subscribeSse(proxied.url, token(`app ${n}`), { query }, { headers: from('198.51.100.3') }),
    );
    await eventually(async () => (await subscriptionsAt(proxied)) === most);
    expect(await bare(proxied, '198.51.100.3')).toBe(429);
    for (const stream of streams) stream.stop();
    await eventually(async () => (await subscriptionsAt(proxied)) === 0);
    await eventually(async () => {
      const answer = await bare(proxied, '198.51.100.3');
      if (isOpen(answer)) answer.terminate();
      return isOpen(answer);
    });
  });

  test('Live connections of an IPv6 /64 are limited as one network.', async () => {
    const asked = [];
    for (let host = 1; host <= most + 2; host += 1) asked.push(await bare(proxied, `2001:db8:0:7::${host}`));
    expect(asked.filter(isOpen)).toHaveLength(most);
    const other = await bare(proxied, '2001:db8:0:8::1');
    expect(isOpen(other)).toBe(true);
    for (const socket of [...asked, other].filter(isOpen)) socket.terminate();
  });

  test('Live connections are limited by an address that a client cannot choose.', async () => {
    const asked = [];
    for (let n = 1; n <= most + 2; n += 1) asked.push(await bare(direct, `203.0.113.${n}`));
    expect(asked.filter(isOpen)).toHaveLength(most);
    for (const socket of asked.filter(isOpen)) socket.terminate();
  });
});
