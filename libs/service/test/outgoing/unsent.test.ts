import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from '@jest/globals';
import { HttpPeer, ServiceUnavailable } from '../../src/index.ts';

/** undici publishes this before it fails the requests that wait for the connection. */
const refused = 'undici:client:connectError';

let server: Server | undefined;
let peer: HttpPeer | undefined;
let onRefused: (() => void) | undefined;

afterEach(async () => {
  if (onRefused) unsubscribe(refused, onRefused);
  await peer?.close();
  server?.closeAllConnections();
  server?.close();
});

/** Returns a port without a listener, and a server that can listen there. */
async function unheardPort(): Promise<number> {
  const seen: string[] = [];
  server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => (body += String(chunk)));
    request.on('end', () => {
      seen.push(body);
      response.setHeader('content-type', 'application/json').end(JSON.stringify({ seen }));
    });
  });
  await new Promise<void>((resolve) => server?.listen(0, resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server?.close(resolve));
  return port;
}

test('A change whose connection is refused is sent again once, because it was not received.', async () => {
  const port = await unheardPort();
  let refusals = 0;
  onRefused = () => {
    refusals += 1;
    server?.listen(port);
  };
  subscribe(refused, onRefused);
  peer = new HttpPeer({ name: 'peer', origin: `http://127.0.0.1:${port}` });
  const answer = await peer.request({ method: 'POST', path: '/change', body: { title: 'Boss' } });
  expect([refusals, answer.body]).toEqual([1, { seen: ['{"title":"Boss"}'] }]);
});

test('A change whose connection is refused twice is given up.', async () => {
  const port = await unheardPort();
  let refusals = 0;
  onRefused = () => {
    refusals += 1;
  };
  subscribe(refused, onRefused);
  peer = new HttpPeer({ name: 'peer', origin: `http://127.0.0.1:${port}` });
  await expect(peer.request({ method: 'POST', path: '/change', body: {} })).rejects.toBeInstanceOf(
    ServiceUnavailable,
  );
  expect(refusals).toBe(2);
});
