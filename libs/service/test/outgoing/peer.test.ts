import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { HttpPeer, runInRequest, ServiceUnavailable } from '../../src/index.ts';

/** Blocks this process, like a long garbage collection. */
const standStill = (ms: number) => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

let server: Server;
let origin: string;
const seen: { url: string | undefined; headers: NodeJS.Dict<string | string[]> }[] = [];

beforeAll(async () => {
  server = createServer((request, response) => {
    seen.push({ url: request.url, headers: request.headers });
    if (request.url === '/hang') return;
    if (request.url === '/then-still') {
      response.end('{}', () => standStill(400));
      return;
    }
    if (request.url === '/half') {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' });
      response.write('{"half":');
      return;
    }
    if (request.url === '/large') {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.write('{"text":"ä');
      for (let part = 0; part < 64; part += 1) response.write('ä'.repeat(4096));
      response.end('"}');
      return;
    }
    if (request.url === '/cut' && seen.filter((call) => call.url === '/cut').length === 1) {
      request.socket.destroy();
      return;
    }
    if (request.url === '/guarded' && request.headers.authorization !== 'Bearer fresh') {
      response.writeHead(401).end();
      return;
    }
    response.writeHead(request.url === '/down' ? 503 : request.url === '/conflict' ? 409 : 200, {
      'content-type': 'application/json',
    });
    response.end(JSON.stringify({ url: request.url }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
});

describe('HttpPeer', () => {
  test('A call resolves with any answer, and contains the token, the request id and the address of the original client.', async () => {
    const peer = new HttpPeer({ name: 'peer', origin, token: async () => 'the-token' });
    const scope = { requestId: 'request-1234', address: '203.0.113.9', userAgent: 'Example/1.0' };
    const answer = await runInRequest(scope, () =>
      peer.request<{ url: string }>({
        method: 'GET',
        path: '/conflict',
        query: { a: 'b c', none: undefined },
      }),
    );
    expect(answer.status).toBe(200);
    expect(answer.body.url).toBe('/conflict?a=b%20c');
    expect(seen.at(-1)?.headers).toMatchObject({
      authorization: 'Bearer the-token',
      'x-request-id': 'request-1234',
      'x-forwarded-for': '203.0.113.9',
      'user-agent': 'Example/1.0',
    });
    expect((await peer.request({ method: 'GET', path: '/conflict' })).status).toBe(409);
    await peer.close();
  });

  test('A rejected token is renewed once, for any call.', async () => {
    const refusals: (string | undefined)[] = [];
    let current = 'stale';
    const peer = new HttpPeer({
      name: 'peer',
      origin,
      token: async (refused) => {
        refusals.push(refused);
        if (refused !== undefined) current = 'fresh';
        return current;
      },
    });
    seen.length = 0;
    expect((await peer.request({ method: 'POST', path: '/guarded', body: {} })).status).toBe(200);
    expect(seen.map(({ headers }) => headers.authorization)).toEqual(['Bearer stale', 'Bearer fresh']);
    expect(refusals).toEqual([undefined, 'stale']);
    await peer.close();
  });

  test('A rejected token is not tried again when no newer one is available.', async () => {
    const peer = new HttpPeer({ name: 'peer', origin, token: async () => 'stale' });
    seen.length = 0;
    expect((await peer.request({ method: 'GET', path: '/guarded' })).status).toBe(401);
    expect(seen).toHaveLength(1);
    await peer.close();
  });

  test('A 503, no answer in time and an unreachable peer are reported as ServiceUnavailable.', async () => {
    const peer = new HttpPeer({ name: 'peer', origin, timeoutMs: 200 });
    await expect(peer.request({ method: 'GET', path: '/down' })).rejects.toBeInstanceOf(ServiceUnavailable);
    await expect(peer.request({ method: 'GET', path: '/hang' })).rejects.toBeInstanceOf(ServiceUnavailable);
    await expect(peer.request({ method: 'GET', path: '/half' })).rejects.toBeInstanceOf(ServiceUnavailable);
    const nobody = new HttpPeer({ name: 'peer', origin: 'http://127.0.0.1:1' });
    await expect(nobody.request({ method: 'GET', path: '/' })).rejects.toBeInstanceOf(ServiceUnavailable);
  });

  test('A call that is given up ends immediately and is not sent again.', async () => {
    const peer = new HttpPeer({ name: 'peer', origin });
    const over = new AbortController();
    seen.length = 0;
    const call = peer.request({ method: 'GET', path: '/hang', signal: over.signal });
    setTimeout(() => over.abort(), 100);
    await expect(call).rejects.toBeInstanceOf(ServiceUnavailable);
    const late = peer.request({ method: 'GET', path: '/late', signal: over.signal });
    await expect(late).rejects.toBeInstanceOf(ServiceUnavailable);
    expect(seen.map(({ url }) => url)).toEqual(['/hang']);
    await peer.close();
  });

  test('An answer that arrived while this process was blocked counts as in time.', async () => {
    const peer = new HttpPeer({ name: 'peer', origin, timeoutMs: 300 });
    await peer.request({ method: 'GET', path: '/' });
    expect((await peer.request({ method: 'GET', path: '/then-still' })).status).toBe(200);
    await peer.close();
  });

  test('An answer in many chunks is assembled.', async () => {
    const peer = new HttpPeer({ name: 'peer', origin });
    const { body } = await peer.request<{ text: string }>({ method: 'GET', path: '/large' });
    expect(body.text).toBe('ä'.repeat(64 * 4096 + 1));
    await peer.close();
  });

  test('Calls beyond the number of connections wait, and those that wait too long are never sent.', async () => {
    const peer = new HttpPeer({ name: 'peer', origin, connections: 1, timeoutMs: 300 });
    // The first call keeps the only connection until after the other has timed out; otherwise that one might just be in
    // time.
    const hanging = peer.request({ method: 'GET', path: '/hang', timeoutMs: 900 });
    hanging.catch(() => undefined);
    const waiting = peer.request({ method: 'POST', path: '/late', body: {} });
    await expect(waiting).rejects.toBeInstanceOf(ServiceUnavailable);
    await expect(hanging).rejects.toBeInstanceOf(ServiceUnavailable);
    expect((await peer.request({ method: 'GET', path: '/next' })).status).toBe(200);
    expect(seen.some((call) => call.url === '/late')).toBe(false);
    await peer.close();
  });

  test('An idempotent call survives a broken connection, and a POST is never sent twice.', async () => {
    const peer = new HttpPeer({ name: 'peer', origin });
    expect((await peer.request({ method: 'GET', path: '/cut' })).status).toBe(200);
    seen.length = 0;
    await expect(peer.request({ method: 'POST', path: '/cut', body: {} })).rejects.toBeInstanceOf(
      ServiceUnavailable,
    );
    expect(seen.filter((call) => call.url === '/cut')).toHaveLength(1);
    await peer.close();
  });
});
